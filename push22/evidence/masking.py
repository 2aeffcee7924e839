"""What the reader of a pack may see: everything, or a round without its other players.

A player's own pack names nobody else: their wallets and what cases decided about them
are left out, and each record that names them becomes a copy without names, and without
the hashes that would tell them.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from contracts import catalog
from contracts import round_events as e
from contracts.envelope import Actor, Cause, Envelope
from contracts.named import players_named
from push22.errors import Failure
from services.archive.rebuild import RoundView, Step


class Eyes:
    """Whose eyes a pack is for; `others` maps each hidden player to a stand-in."""

    def __init__(self, player: str, others: dict[str, str]) -> None:
        self.player = player
        self.others = others
        names = "|".join(map(re.escape, sorted(others, key=len, reverse=True)))
        self._names = re.compile(rf"(?<![\w.])(?:{names})(?!\w)") if names else None

    @property
    def is_whole(self) -> bool:
        """Whether nothing has to be hidden."""
        return not self.others

    def hide(self, text: str) -> str:
        if self._names is None:
            return text
        return self._names.sub(lambda match: self.others[match[0]], text)

    def steps(self, steps: Iterable[Step]) -> Iterator[tuple[Step, Step]]:
        """Return each step that may be seen, as it was and as it is shown."""
        for step in steps:
            if self.is_whole or self._is_own(step):
                yield step, self._shown(step)

    def _is_own(self, step: Step) -> bool:
        """Tell whether a record is no other player's own; what was said of a case is.

        Its words are a person's, who may name in them whom he likes.
        """
        own = ("", self.player) if step.record.service == "desk" else (self.player,)
        is_personal = step.record.service in ("wallet", "desk")
        return not is_personal or step.event.player in own

    def _shown(self, step: Step) -> Step:
        record = self.shown(step.record)
        if record is step.record:
            return step
        return step._replace(record=record, event=catalog.decode_event(record))

    def shown(self, record: Envelope) -> Envelope:
        """Return a record as it may be seen: itself, if nothing in it is hidden."""
        text = msgspec.json.encode(record).decode()
        if self.hide(text) == text:
            return record
        data = self.hide(bytes(record.data).decode()).encode()
        who = self.hide(record.actor.who)
        return without_causes(replace(record, data=msgspec.Raw(data)), who)

    def view(self, view: RoundView) -> RoundView:
        """Return how the round stood at its end, without names."""
        if self.is_whole:
            return view
        text = self.hide(msgspec.json.encode(view).decode())
        found = msgspec.json.decode(text, type=RoundView)
        own = {p: m for p, m in view.balances_minor.items() if p == self.player}
        return replace(found, balances_minor=own)


def without_causes(record: Envelope, who: str = "") -> Envelope:
    """Return a copy that names nobody but `who`. Its cause's kind and time stay."""
    cause = record.cause and Cause(record.cause.kind, "", record.cause.now)
    actor = Actor(record.actor.kind, who)
    return replace(record, caused_by="", correlation="", actor=actor, cause=cause)


def eyes_of(round_id: str, steps: Iterable[Step], player: str) -> Eyes:
    """Return the eyes of a player, or of support where none is named.

    Raises Failure for a player of another round, and where a card is not to be seen.
    """
    if not player:
        return Eyes("", {})
    found = list(steps)
    names = dict.fromkeys(
        name for step in found for name in players_named(step.event, step.record.actor)
    )
    if player not in names:
        raise Failure(round_id, f"{player} took no part in it", exit_code=2)
    others = [name for name in names if name and name != player]
    if others and never_shown(found):
        reason = "a hand was never shown (LV-13): no pack of it but the whole one"
        raise Failure(round_id, reason, exit_code=2)
    return Eyes(player, {name: f"other-{at}" for at, name in enumerate(others, 1)})


def never_shown(steps: Iterable[Step]) -> set[str]:
    """Return hands whose cards lay face down to the end (LV-13)."""
    events = [step.event for step in steps]
    received = (x for x in events if isinstance(x, e.CardsReceived))
    hidden = {card.place for x in received for card in x.cards if card.seen_by}
    return hidden - {x.target for x in events if isinstance(x, e.HandShown)}
