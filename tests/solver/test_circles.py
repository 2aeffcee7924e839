"""Multiple action: one hand against several dealer's hands, one deck."""

import pytest
from msgspec.structs import replace

from blackjack.rule_sets import rule_set
from blackjack.strategy_game import game_of
from blackjack.strategy_table import strategy_for
from push22.solver.chances import chances
from push22.solver.column import row_of
from push22.solver.dealer_hands import NATURAL
from push22.solver.hand_values import hand_values
from tests.solver import by_hand

THREE = replace(game_of(rule_set("lv-1d")), push_22=True, circles=3)


def later_circle(up: int, *cards: int) -> float:
    """Stand against a second dealer's hand; the first hole card is gone."""
    seen = by_hand.without(by_hand.DECK, up, *cards)
    value = 0.0
    for hole, chance in by_hand.hole_cards(seen, up):
        left = by_hand.without(seen, hole)
        for second, part in by_hand.draws(left):
            rest = by_hand.without(left, second)
            is_natural = {second, up} == {1, 10}
            stood = by_hand.stand(rest, sum(cards), (up, second))
            value += chance * part * (-1 if is_natural else stood)
    return value


@pytest.mark.parametrize("up", [1, 10, 6])
def test_a_hand_is_worth_the_mean_of_its_circles(up: int) -> None:
    """The first circle is looked at, two later ones are not."""
    values = hand_values(THREE, chances(THREE, up))
    first = by_hand.worths(up, 8, 10)[0]

    expected = (first + 2 * later_circle(up, 8, 10)) / 3

    assert values.stand[row_of(8, 10)] == pytest.approx(expected, abs=1e-12)


def test_a_natural_may_meet_one_in_a_later_circle() -> None:
    """Against a ten of one deck: 3 aces of 49, none of them the first hole card."""
    row = row_of(1, 10)
    natural = chances(THREE, 10).dealer[row, NATURAL]

    assert natural == pytest.approx(2 / 3 * 3 / 48)


def test_late_naturals_make_more_surrenders() -> None:
    """Three circles with one look lose 17 v A more often than a game with one."""
    circles = strategy_for(rule_set("ny-multiple-action")).two
    one = strategy_for(rule_set("lv-6d-high-limit")).two

    assert circles[7, 10, 1].plays == "RS"
    assert one[7, 10, 1].plays == "S"
