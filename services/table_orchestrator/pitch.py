"""Cards that only their player sees, until the hand is split or finished (LV-13)."""

from blackjack import machine
from contracts import round_events as e
from services.table_orchestrator.labels import box_of
from services.table_orchestrator.state import Playing

_BEFORE_THE_DEALER = ("deal", "insurance", "look", "play")


def viewer_of(state: Playing, place: str) -> str:
    """Return the only player who may see a card that is dealt to a place now."""
    is_starting = state.game.stage == "deal"
    if not (state.game.rules.pitch and is_starting and "." in place):
        return ""
    return state.owners[box_of(place)]


def viewers(state: Playing, offers: tuple[machine.Offer, ...]) -> dict[str, str]:
    """Return whose eyes only the options of a face-down hand are for."""
    return {
        offer.target: state.owners[offer.box]
        for offer in offers
        if offer.target in state.face_down
    }


def viewer_of_due(state: Playing, due: machine.Due) -> str:
    """Tell of a side wager's cards, which are settled while they lie face down."""
    is_down = any(box_of(label) == due.box for label in state.face_down)
    return state.owners[due.box] if due.kind == "side" and is_down else ""


def next_shown(state: Playing) -> e.HandShown | None:
    """Open the first hand that need not lie face down any longer."""
    for label in state.face_down:
        cards = _opened(state, label)
        if cards:
            owner = state.owners[box_of(label)]
            return e.HandShown(state.round_id, label, owner, cards)
    return None


def _opened(state: Playing, label: str) -> tuple[str, ...]:
    """Return the first two cards of a hand that is split or finished."""
    hand = machine.hand_labelled(state.game, label)
    if hand is None:
        split = (
            h for h in machine.hands(state.game) if h.label.startswith(f"{label}.")
        )
        return tuple(h.cards[0] for h in split)
    is_playing = hand.status == "playing" and state.game.stage in _BEFORE_THE_DEALER
    return () if is_playing else hand.cards[:2]
