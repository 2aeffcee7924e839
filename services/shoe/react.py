"""Which shoe a table's record is for. Nothing is decided here."""

from contracts.base import tag_of
from contracts.envelope import Envelope
from contracts.round_events import (
    BurnedCardRequested,
    CardsRequested,
    HoleLookRequested,
    HoleRevealRequested,
)
from contracts.table_events import ShoeDiscarded, ShoeRequested
from runtime.service import To
from services.shoe.decide import Message

HEEDS = frozenset(
    tag_of(kind)
    for kind in (
        ShoeRequested,
        ShoeDiscarded,
        CardsRequested,
        HoleLookRequested,
        HoleRevealRequested,
        BurnedCardRequested,
    )
)


def react(envelope: Envelope, event: Message) -> tuple[To, ...]:
    """A shoe's id is its stream's name."""
    del envelope
    return (To(event.shoe, event),)
