"""What of a round's records may be shown now: undealt cards and hidden ones never (G1).

While a round is open, or cards of it lie face down and their shoe is in use, it is
shown as to a spectator, and the shoe's records not at all.
"""

from typing import Any

import msgspec

from contracts import catalog
from contracts import round_events as e
from contracts.envelope import Envelope
from contracts.table_events import RoundTerms
from services.archive.rebuild import Step
from services.gateway.sight import EVERYBODY, cut, lies_face_down


class Sight(msgspec.Struct, frozen=True):
    """`is_whole`: nothing of the round is hidden any more."""

    terms: RoundTerms
    is_whole: bool

    @property
    def is_face_down(self) -> bool:
        return lies_face_down(self.terms.rule_set, self.terms.options)

    def event(self, step: Step) -> Any:
        """Return a step's event as it may be shown."""
        return step.event if self.is_whole else cut(step.event, self.terms, EVERYBODY)

    def record(self, record: Envelope, event: Any) -> msgspec.Raw | None:
        """Return a record as it may be shown: as it was stored, once all is open."""
        if self.is_whole:
            return msgspec.Raw(catalog.encode(record))
        if record.service == "shoe":
            return None
        data = msgspec.Raw(catalog.encode(event))
        return msgspec.Raw(catalog.encode(msgspec.structs.replace(record, data=data)))


def sight_of(steps: tuple[Step, ...], terms: RoundTerms, *, is_retired: bool) -> Sight:
    """Judge what may be shown. `is_retired`: the round's shoe has been revealed."""
    is_closed = any(isinstance(step.event, e.RoundClosed) for step in steps)
    return Sight(terms, is_closed and (is_retired or not _are_hidden(steps)))


def _are_hidden(steps: tuple[Step, ...]) -> bool:
    """Tell whether a hand was never turned over (LV-13)."""
    shown = {step.event.target for step in steps if isinstance(step.event, e.HandShown)}
    dealt = {
        card.place
        for step in steps
        if isinstance(step.event, e.CardsReceived)
        for card in step.event.cards
        if card.seen_by
    }
    return bool(dealt - shown)
