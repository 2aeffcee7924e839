"""The dealer's part: the look, the hole card, drawing, and what it decides.

A round has one dealer round, in multiple action up to three on one up card (MA-20).
"""

from msgspec.structs import replace

from blackjack import dues as _dues
from blackjack.cards import Card
from blackjack.hands import dealer_draws, is_natural
from blackjack.state import Round


def looked(round_: Round, *, natural: bool) -> Round:
    """Turn the hole card over for a natural; else insurance loses and play begins."""
    if natural:
        return replace(round_, stage="hole", natural_by_look=True)
    from blackjack import turns  # noqa: PLC0415 - play and dealer call each other

    return turns.next_turn(_settle_insurance(round_, natural=False))


def turn_hole(round_: Round, card: Card) -> Round:
    hand = (card, round_.up) if round_.rules.order == "H" else (round_.up, card)
    round_ = replace(round_, dealer=hand, dealer_hand=hand, hole_down=False)
    if not round_.natural_by_look:
        return _draw_or_finish(round_)
    round_ = _settle_insurance(round_, natural=True)
    if round_.rules.first_natural_settles_all or round_.rules.dealer_rounds == 1:
        return _settle_all_circles(round_)
    return _play_for_later_circles(round_)


def _settle_all_circles(round_: Round) -> Round:
    """Decide everything against a natural found by the look (C-26, MA-9)."""
    dues = list(round_.dues)
    for box in round_.boxes:
        for hand in box.hands:
            if hand.status != "even_money":
                dues.extend(_dues.of_hand(round_, box.number, hand))
    return replace(round_, stage="over", wanted=(), due="", dues=tuple(dues))


def _play_for_later_circles(round_: Round) -> Round:
    """Only circle 1 meets the natural; the hole card is put away (MA-9)."""
    from blackjack import turns  # noqa: PLC0415 - play and dealer call each other

    round_ = replace(
        round_,
        dues=round_.dues + _dues.at_end(round_, 0),
        natural_by_look=False,
        first_circle=1,
        dealer_round=1,
        dealer_hand=(round_.up,),
    )
    return turns.next_turn(round_)


def after_play(round_: Round) -> Round:
    """Every box has played: turn the hole card, or begin with the second card."""
    if round_.hole_down:
        return replace(round_, stage="hole")
    return _begin_dealer_round(round_)


def _begin_dealer_round(round_: Round) -> Round:
    """Take the second card of a dealer round if something turns on it."""
    if second_card_needed(round_):
        return replace(round_, stage="dealer", wanted=("dealer",))
    return _finish(round_)


def receive(round_: Round, card: Card) -> Round:
    round_ = replace(
        round_,
        wanted=(),
        dealer=(*round_.dealer, card),
        dealer_hand=(*round_.dealer_hand, card),
        cards_used=round_.cards_used + 1,
    )
    return _draw_or_finish(round_)


def _draw_or_finish(round_: Round) -> Round:
    hits = round_.rules.hits_soft_17
    if dealer_draws(round_.dealer_hand, hits_soft_17=hits) and _plays_out(round_):
        return replace(round_, stage="dealer", wanted=("dealer",))
    return _finish(round_)


def _plays_out(round_: Round) -> bool:
    """Tell whether the dealer's total matters to a hand (C-51 to C-53, ON-24)."""
    naturals_too = round_.rules.second_card == "always"
    circle = round_.dealer_round
    return any(
        circle < len(hand.wagers)
        and hand.status in ("playing", "stood")
        and (naturals_too or not hand.natural)
        for box in round_.boxes
        for hand in box.hands
    )


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
    natural = is_natural(round_.dealer_hand)
    round_ = _settle_insurance(round_, natural=natural)
    circle = round_.dealer_round
    round_ = replace(round_, dues=round_.dues + _dues.at_end(round_, circle))
    if circle + 1 == round_.rules.dealer_rounds:
        return replace(round_, stage="over", wanted=(), due="")
    following = replace(
        round_, dealer_round=circle + 1, dealer_hand=(round_.up,), wanted=()
    )
    return _begin_dealer_round(following)


def _settle_insurance(round_: Round, *, natural: bool) -> Round:
    """Decide the open insurance wagers, once (C-25)."""
    if not round_.insurances:
        return round_
    dues = [
        _dues.of_insurance(item, natural=natural)
        for item in round_.insurances
        if item.stake_minor and not item.settled
    ]
    insurances = tuple(replace(item, settled=True) for item in round_.insurances)
    return replace(round_, insurances=insurances, dues=round_.dues + tuple(dues))
