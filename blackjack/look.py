"""The hole card: the look at it, and what follows when it is turned over (C-26).

Of a look the round learns one fact, natural or not; the card itself stays unknown
here until it is turned (C-14).
"""

from msgspec.structs import replace

from blackjack import dues as _dues
from blackjack.cards import Card
from blackjack.dealer import draw_or_finish, settle_insurance
from blackjack.state import Round
from blackjack.turns import next_turn


def looked(round_: Round, *, natural: bool) -> Round:
    """Turn the hole card over for a natural; else insurance loses and play begins."""
    if natural:
        return replace(round_, stage="hole", natural_by_look=True)
    return next_turn(settle_insurance(round_, natural=False))


def turn_hole(round_: Round, card: Card) -> Round:
    """Turn the hole card over: after play, or for a natural that the look found."""
    hand = (card, round_.up) if round_.rules.order == "H" else (round_.up, card)
    if not round_.natural_by_look:
        return draw_or_finish(round_, hand, hand)
    round_ = replace(round_, dealer=hand, dealer_hand=hand, hole_down=False)
    round_ = settle_insurance(round_, natural=True)
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
    return next_turn(
        replace(
            round_,
            dues=round_.dues + _dues.at_end(round_, 0),
            natural_by_look=False,
            first_circle=1,
            dealer_round=1,
            dealer_hand=(round_.up,),
        )
    )
