"""A round's records one after the other: what each says, and what it changed."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import astuple

from contracts import round_events as e
from contracts import shoe as s
from contracts import wallet_calls as c
from contracts.base import is_refusal, tag_of
from contracts.envelope import Envelope
from push22.desk.eyes import Eyes
from push22.desk.sight import Sight
from push22.inspect.wording import words_of
from services.archive.rebuild import Step as Rebuilt
from services.archive.round_book import transfers_in
from services.gateway.desk.replay import CardAt, HandAt, Step, Who
from services.gateway.views import OfferView, OptionView, RoundView

_MS = 1000
_WHO: dict[str, Who] = {
    "player": "player",
    "timeout": "timeout",
    "support": "support",
    "platform": "system",
}


class Timeline:
    """Tells steps in their order; remembers what was offered, and when."""

    def __init__(self, sight: Sight, eyes: Eyes, opened_at: int) -> None:
        self._sight = sight
        self._eyes = eyes
        self._opened_at = opened_at
        self._times: dict[str, int] = {}
        self._offers: dict[int, tuple[int, tuple[OfferView, ...]]] = {}
        self._decision = 0

    def told(self, steps: tuple[Rebuilt, ...]) -> tuple[Step, ...]:
        return tuple(map(self._step, steps))

    def _step(self, step: Rebuilt) -> Step:
        record, event = step.record, self._sight.event(step)
        shown, decided = self._eyes.see(step)
        self._note_offers(event, record)
        by, who = who_did(record, event)
        said = Step(
            sequence=step.sequence,
            is_foreign=step.foreign,
            at=record.recorded_at,
            offset_ms=(record.recorded_at - self._opened_at) // _MS,
            service=record.service,
            log=record.log,
            partition=record.partition,
            offset=record.offset,
            id=record.id,
            type=record.type,
            caused_by=record.caused_by,
            by=by,
            who=who,
            words=self._words(record, event),
            action=action_of(event),
            target=target_of(event),
            cards=tuple(self._cards(record, event)),
            hands=tuple(_hands(self._eyes.view, event)),
            offered=self._offered(event),
            transactions=tuple(_transactions(event)),
            operator_transactions=_operator_transactions(event),
            took_ms=self._took(record, event),
            shown=shown,
            decided=decided,
            record=self._sight.record(record, event),
        )
        self._times[record.id] = record.recorded_at
        return said

    def _words(self, record: Envelope, event: Any) -> str:
        is_shown = self._sight.is_whole or record.service != "shoe"
        return words_of(event) if is_shown else "cards of the shoe"

    def _cards(self, record: Envelope, event: Any) -> Iterator[CardAt]:
        if not self._sight.is_whole and record.service == "shoe":
            return
        match event:
            case e.CardsReceived() | s.CardsDealt():
                for card in event.cards:
                    yield CardAt(card.place, card.card, card.index)
            case e.HoleCardTurned():
                yield CardAt("hole", event.card, -1)
            case s.HoleRevealed() | s.BurnedCardShown():
                yield CardAt(event.card.place, event.card.card, event.card.index)

    def _note_offers(self, event: Any, record: Envelope) -> None:
        if isinstance(event, e.DecisionOpened):
            offers = tuple(_offer(item) for item in event.offers)
            self._offers[event.decision] = record.recorded_at, offers
            self._decision = event.decision

    def _offered(self, event: Any) -> tuple[OfferView, ...]:
        """Return what was offered when this was decided, asked for, or refused."""
        if isinstance(event, e.DecisionOpened):
            return self._offers[event.decision][1]
        is_asked = isinstance(event, e.FundsRequested) or is_refusal(tag_of(event))
        if not isinstance(event, e.Decision) and not is_asked:
            return ()
        number = getattr(event, "decision", self._decision)
        _, offers = self._offers.get(number, (0, ()))
        target = target_of(event)
        box = target.partition(".")[0]
        return tuple(x for x in offers if x.target in (target, box)) or offers

    def _took(self, record: Envelope, event: Any) -> int:
        """Since it was offered, for a decision; else since the record that led here."""
        since = self._times.get(record.caused_by, record.recorded_at)
        if isinstance(event, e.Decision) and event.decision in self._offers:
            since = self._offers[event.decision][0]
        return (record.recorded_at - since) // _MS


def who_did(record: Envelope, event: Any) -> tuple[Who, str]:
    """Say who decided; what follows by itself is the system's."""
    is_answer = record.cause is None or record.cause.kind == "event"
    if is_answer and not isinstance(event, e.Decision):
        return "system", ""
    kind = _WHO[record.actor.kind]
    return kind, record.actor.who if kind in ("player", "support") else ""


def action_of(event: Any) -> str:
    """Name a decision in the rule book's word; for anything else, its event."""
    if isinstance(event, e.Decision):
        return e.ACTION_OF[type(event)]
    return tag_of(event).split(".")[1]


def target_of(event: Any) -> str:
    return str(getattr(event, "target", "") or getattr(event, "box", ""))


def _offer(offer: Any) -> OfferView:
    options = tuple(OptionView(*astuple(option)) for option in offer.options)
    return OfferView(offer.target, offer.box, offer.due, options)


def _hands(view: RoundView | None, event: Any) -> Iterator[HandAt]:
    """Count the hands that an event was about, as they stand after it."""
    if view is None:
        return
    places = {
        card.place for card in getattr(event, "cards", ()) if hasattr(card, "place")
    }
    target = target_of(event)
    if isinstance(event, e.CardsReceived | e.Decision | e.HandShown):
        for hand in (hand for box in view.boxes for hand in box.hands):
            is_meant = target and f"{hand.label}.".startswith(f"{target}.")
            if hand.label in places or is_meant:
                yield HandAt(hand.label, hand.total, hand.soft)
    is_dealers = isinstance(event, e.HoleCardTurned) or places & {"dealer", "hole"}
    if is_dealers and view.dealer.total:
        yield HandAt("dealer", view.dealer.total, view.dealer.soft)


def _transactions(event: Any) -> Iterator[str]:
    for move in transfers_in(event):
        yield move.id
    match event:
        case c.CallOwed() | c.CallEnded():
            yield event.call.id
        case c.CallFailed():
            yield event.call


def _operator_transactions(event: Any) -> tuple[str, ...]:
    name = event.operator_transaction if isinstance(event, c.CallEnded) else ""
    return (name,) if name else ()
