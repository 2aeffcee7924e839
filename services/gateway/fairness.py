"""A round's cards with their proofs: what `verify_cards.py` and the page check.

A record is cut to one round; it proves each card that lies open, whenever it is asked.
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from contracts import round_events as e
from contracts import shoe as s
from contracts.table_events import RoundTerms
from runtime.bus_memory import Delivery
from services.gateway.sight import lies_face_down

Json = dict[str, Any]
_DEALT = (
    s.CardBurned,
    s.BurnedCardShown,
    s.CardsDealt,
    s.CutCardReached,
    s.DiscardsShuffled,
    s.HoleLooked,
    s.HoleRevealed,
)


class ShoeRecord(msgspec.Struct, frozen=True):
    """The format of `verify_cards.py`; a single round's has no `retired`."""

    shoe_committed: Json
    shoe_cut: Json | None
    dealt: list[Json]
    retired: None = None
    format: Literal["push22-shoe-record-v1"] = "push22-shoe-record-v1"


def terms_of(records: Iterable[Delivery]) -> RoundTerms | None:
    return next(
        (x.event.terms for x in records if isinstance(x.event, e.RoundOpened)), None
    )


def may_be_told(records: Iterable[Delivery], terms: RoundTerms) -> bool:
    """Tell whether the shoe's events hide nothing that lies face down (LV-13)."""
    if not lies_face_down(terms.rule_set, terms.options):
        return True
    return any(isinstance(x.event, e.RoundClosed) for x in records)


def record_of(
    records: Iterable[Delivery], of_shoe: Iterable[Delivery]
) -> ShoeRecord | None:
    """Put a round's events of the shoe behind what the shoe was committed to.

    The sealed order is left out: no check needs it, and nobody outside has to hold it.
    """
    committed: Json | None = None
    shoe_cut: Json | None = None
    for delivery in of_shoe:
        match delivery.event:
            case s.ShoeCommitted() as event:
                committed = msgspec.to_builtins(replace(event, sealed=b""))
            case s.ShoeCut() as event:
                shoe_cut = msgspec.to_builtins(event)
    if committed is None:
        return None
    dealt = [
        msgspec.to_builtins(x.event) for x in records if isinstance(x.event, _DEALT)
    ]
    return ShoeRecord(committed, shoe_cut, dealt)
