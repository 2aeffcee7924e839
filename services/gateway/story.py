"""A round as it is told afterwards: what happened, and how it stood at the end."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from contracts import round_events as e
from contracts import shoe as s
from contracts import table_events as te
from contracts.base import is_refusal
from contracts.envelope import Micros
from runtime.bus_memory import Delivery
from services.gateway.project import Showing, opened, project, versioned
from services.gateway.sight import cut
from services.gateway.views import Happened, RoundView

TOLD = ("table-orchestrator", "settlement")
"""Whose records are told to players and operators; the shoe's burned card besides."""


class Story(msgspec.Struct, frozen=True):
    """A round through one viewer's eyes. `seats`: whose each seat was."""

    terms: te.RoundTerms
    view: RoundView
    happened: tuple[Happened, ...]
    seats: dict[str, str]


class Told(msgspec.Struct, frozen=True):
    """One record as support reads it."""

    id: str
    type: str
    service: str
    at: Micros
    by: str
    who: str
    caused_by: str
    data: dict[str, Any]


def story_of(records: Iterable[Delivery], viewer: str) -> Story | None:
    """Fold a round's records as a viewer may see them; `None` if it never opened."""
    showing: Showing | None = None
    happened: list[Happened] = []
    for delivery, showing in folded(records, viewer):
        if showing is not None:
            happened.append(_happened(delivery, showing.bets.seats))
    if showing is None:
        return None
    seats = {seat: player for player, seat in showing.bets.seats.items()}
    return Story(showing.terms, showing.view, tuple(happened), seats)


def folded(
    records: Iterable[Delivery], viewer: str | None
) -> Iterator[tuple[Delivery, Showing | None]]:
    """Yield each record that is told, and what a viewer sees after it.

    `None` sees records as they are: only of a round that hides nothing any more.
    """
    showing: Showing | None = None
    for delivery in records:
        if not _is_told(delivery):
            continue
        event = delivery.event
        if isinstance(event, e.RoundOpened):
            showing = opened(event)
        elif showing is not None:
            seen = event if viewer is None else cut(event, showing.terms, viewer)
            showing = project(showing, seen)
        if showing is not None:
            is_own = delivery.record.stream == event.round_id
            showing = versioned(showing, delivery.record.version if is_own else 0)
        yield delivery, showing


def _is_told(delivery: Delivery) -> bool:
    record = delivery.record
    if is_refusal(record.type) or record.stream.startswith("table-"):
        return False
    return record.service in TOLD or isinstance(delivery.event, s.BurnedCardShown)


def _happened(delivery: Delivery, seats: dict[str, str]) -> Happened:
    envelope, event = delivery.envelope, delivery.event
    return Happened(
        envelope.type.split(".")[1],
        envelope.recorded_at,
        envelope.actor.kind,
        str(getattr(event, "target", getattr(event, "box", ""))),
        seats.get(getattr(event, "player", ""), ""),
    )


def told_to_support(records: Iterable[Delivery]) -> list[Told]:
    """Return a round's records; while it is open, as far as a spectator might see.

    So is one of which a hand was never turned over (LV-13): its shoe may be in use.
    The shoe's records name no viewer, so they are left out then.
    """
    found = list(records)
    terms = next(
        (x.event.terms for x in found if isinstance(x.event, e.RoundOpened)), None
    )
    is_closed = any(isinstance(x.event, e.RoundClosed) for x in found)
    if terms is None or (is_closed and not _is_hidden(found)):
        return [_told(x, x.event) for x in found]
    shown = (x for x in found if x.record.service != "shoe")
    return [_told(x, cut(x.event, terms, "")) for x in shown]


def _is_hidden(records: Iterable[Delivery]) -> bool:
    """Tell whether a hand that lay face down was never turned over."""
    events = [x.event for x in records]
    shown = {event.target for event in events if isinstance(event, e.HandShown)}
    received = (event for event in events if isinstance(event, e.CardsReceived))
    dealt = {card.place for event in received for card in event.cards if card.seen_by}
    return bool(dealt - shown)


def _told(delivery: Delivery, event: Any) -> Told:
    envelope = delivery.envelope
    return Told(
        envelope.id,
        envelope.type,
        envelope.service,
        envelope.recorded_at,
        envelope.actor.kind,
        envelope.actor.who,
        envelope.caused_by,
        msgspec.to_builtins(event),
    )
