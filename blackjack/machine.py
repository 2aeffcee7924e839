"""The round machine: what a round needs next, and what each move makes of it.

One machine for every rule set; a move gives a new round and never changes the old.
`need` says what is due, `offers` what may be decided, `refusal` why something may not.
"""

from blackjack import dealer as _dealer
from blackjack import insurance as _insurance
from blackjack import look as _look
from blackjack import play as _play
from blackjack import switching as _switching
from blackjack.bets import Bet
from blackjack.cards import Card
from blackjack.dealing import deal_start, open_round, starting_places
from blackjack.hands import is_natural
from blackjack.legality import cost, offers, refusal
from blackjack.reasons import StepReason
from blackjack.state import (
    Box,
    Due,
    Hand,
    Insurance,
    Need,
    NeedCards,
    NeedDecisions,
    NeedHole,
    NeedLook,
    NeedNothing,
    Offer,
    Option,
    Round,
    Stake,
)
from blackjack.views import (
    dues,
    hand_labelled,
    hands,
    insurance_open,
    pending,
    stakes,
    take_dues,
    up_card,
)

__all__ = [
    "Bet",
    "Box",
    "Due",
    "Hand",
    "Insurance",
    "Need",
    "NeedCards",
    "NeedDecisions",
    "NeedHole",
    "NeedLook",
    "NeedNothing",
    "Offer",
    "Option",
    "Round",
    "Stake",
    "StepReason",
    "apply",
    "close_insurance",
    "cost",
    "deal",
    "default_decision",
    "dues",
    "hand_labelled",
    "hands",
    "insurance_open",
    "is_natural",
    "looked",
    "need",
    "offers",
    "open_round",
    "pending",
    "refusal",
    "stakes",
    "starting_places",
    "take_dues",
    "turn_hole",
    "up_card",
]

_DECISIONS = NeedDecisions()
_LOOK = NeedLook()
_HOLE = NeedHole()
_NOTHING = NeedNothing()


def need(round_: Round) -> Need:
    """Return what the round waits for."""
    if round_.wanted:
        return NeedCards(round_.wanted)
    match round_.stage:
        case "insurance" | "play":
            return _DECISIONS
        case "look":
            return _LOOK
        case "hole":
            return _HOLE
    assert round_.stage == "over", "cards are wanted in every other stage"
    return _NOTHING


def deal(round_: Round, cards: tuple[Card | None, ...]) -> Round:
    """Put the wanted cards in their places; `None` for the hole card."""
    assert len(cards) == len(round_.wanted), "one card for each place"
    if round_.stage == "deal":
        return _insurance.offer(deal_start(round_, cards))
    card = cards[0]
    assert card is not None, "only the hole card lies face down"
    if round_.stage == "play":
        return _play.receive(round_, card)
    return _dealer.receive(round_, card)


def looked(round_: Round, natural: bool) -> Round:  # noqa: FBT001 - the look's one fact
    """Go on after the look at the hole card (C-26)."""
    assert round_.stage == "look"
    return _look.looked(round_, natural=natural)


def turn_hole(round_: Round, card: Card) -> Round:
    """Turn the hole card over."""
    assert round_.stage == "hole"
    return _look.turn_hole(round_, card)


def close_insurance(round_: Round) -> Round:
    """Close the offer: who has not answered has declined (C-24)."""
    assert insurance_open(round_)
    return _insurance.close(round_)


def apply(round_: Round, target: str, action: str, amount: int | None = None) -> Round:
    """Make an accepted decision. The caller has asked `refusal` before."""
    match action:
        case "hit":
            return _play.hit(round_, target)
        case "stand":
            return _play.stand(round_, target)
        case "switch" | "switch_back" | "keep":
            return _switching.apply(round_, int(target), action)
        case "insure" | "decline" | "even_money":
            return _insurance.answer(round_, target, action, amount)
        case "double":
            return _play.double(round_, target, amount)
        case "split":
            return _play.split(round_, target)
    assert action == "surrender", f"no such action: {action}"
    return _play.surrender(round_, target)


def default_decision(round_: Round) -> tuple[str, str] | None:
    """Return what is decided for a silent player: decline, keep, or stand."""
    if round_.stage == "insurance":
        for item in round_.insurances:
            if not item.answered:
                return item.target, "decline"
    if round_.stage != "play" or not round_.due:
        return None
    if "." not in round_.due:
        return round_.due, "keep"
    return round_.due, "stand"
