"""The dealer's hand: when it is played out, how it draws, and what that decides.

A round has one dealer round, in multiple action up to three on one up card (MA-20).
"""

from msgspec.structs import replace

from blackjack import dues as _dues
from blackjack.cards import Card
from blackjack.hands import dealer_draws, is_natural
from blackjack.state import Round

_ONE_CARD = ("dealer",)
_UNDECIDED = ("playing", "stood")


def after_play(round_: Round) -> Round:
    """Every box has played: turn the hole card, or begin with the second card."""
    if round_.hole_down:
        return replace(round_, stage="hole")
    return _begin_dealer_round(round_)


def _begin_dealer_round(round_: Round) -> Round:
    """Take the second card of a dealer round if something turns on it."""
    if second_card_needed(round_):
        return replace(round_, stage="dealer", wanted=_ONE_CARD)
    return _finish(round_)


def receive(round_: Round, card: Card) -> Round:
    dealer = (*round_.dealer, card)
    hand = (*round_.dealer_hand, card)
    return draw_or_finish(round_, dealer, hand, drawn=1)


def draw_or_finish(
    round_: Round, dealer: tuple[Card, ...], hand: tuple[Card, ...], *, drawn: int = 0
) -> Round:
    """Lay the dealer's cards; draw on while the rules say so and it matters."""
    rules = round_.rules
    draws = dealer_draws(hand, hits_soft_17=rules.hits_soft_17) and _plays_out(round_)
    # Written out because every round comes here, most of them twice.
    laid = Round(
        rules,
        round_.boxes,
        "dealer",
        _ONE_CARD if draws else (),
        "",
        round_.up,
        dealer,
        hand,
        False,
        round_.insurances,
        round_.dues,
        round_.natural_by_look,
        round_.dealer_round,
        round_.first_circle,
        round_.split_away,
        round_.cards_used + drawn,
    )
    return laid if draws else _finish(laid)


def _plays_out(round_: Round) -> bool:
    """Tell whether the dealer's total matters to a hand (C-51 to C-53, ON-24)."""
    naturals_too = round_.rules.second_card == "always"
    circle = round_.dealer_round
    for box in round_.boxes:
        for hand in box.hands:
            is_live = hand.status in _UNDECIDED and (naturals_too or not hand.natural)
            if is_live and circle < len(hand.wagers):
                return True
    return False


def second_card_needed(round_: Round) -> bool:
    """Tell whether a dealer without hole card takes a second one (C-54, MA-22)."""
    if round_.rules.second_card == "always" or _plays_out(round_):
        return True
    if any(item.stake_minor and not item.settled for item in round_.insurances):
        return True
    if round_.up[0] not in "ATJQK":
        return False
    circle = round_.dealer_round
    return any(
        circle < len(hand.wagers) and _dues.is_undecided(round_, hand)
        for box in round_.boxes
        for hand in box.hands
    )


def _finish(round_: Round) -> Round:
    """Settle what this dealer round decides; then the next one, or the end."""
    if round_.insurances:
        natural = is_natural(round_.dealer_hand)
        round_ = settle_insurance(round_, natural=natural)
    circle = round_.dealer_round
    dues = round_.dues + _dues.at_end(round_, circle)
    if circle + 1 == round_.rules.dealer_rounds:
        return replace(round_, stage="over", wanted=(), due="", dues=dues)
    following = replace(
        round_,
        dealer_round=circle + 1,
        dealer_hand=(round_.up,),
        wanted=(),
        dues=dues,
    )
    return _begin_dealer_round(following)


def settle_insurance(round_: Round, *, natural: bool) -> Round:
    """Decide the open insurance wagers, once (C-25)."""
    dues = [
        _dues.of_insurance(item, natural=natural)
        for item in round_.insurances
        if item.stake_minor and not item.settled
    ]
    if not dues:
        return round_
    insurances = tuple(replace(item, settled=True) for item in round_.insurances)
    return replace(round_, insurances=insurances, dues=round_.dues + tuple(dues))
