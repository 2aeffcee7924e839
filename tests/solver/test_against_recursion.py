"""The solver's exact values against plain recursion, one deck."""

import pytest
from msgspec.structs import replace

from blackjack.rule_sets import rule_set
from blackjack.strategy_game import game_of
from push22.solver.chances import chances
from push22.solver.column import row_of
from push22.solver.hand_values import hand_values
from tests.solver import by_hand

ONE_DECK = replace(game_of(rule_set("lv-1d")), push_22=True)


@pytest.mark.parametrize("up", [1, 10, 6, 9])
@pytest.mark.parametrize("cards", [(6, 10), (7, 8), (9, 9), (8, 10)])
def test_stand_hit_and_double_are_exact(cards: tuple[int, int], up: int) -> None:
    """The hole card is dealt and looked at; 22 pushes."""
    values = hand_values(ONE_DECK, chances(ONE_DECK, up))
    row = row_of(*cards)

    stand, hit, double = by_hand.worths(up, *cards)

    assert values.stand[row] == pytest.approx(stand, abs=1e-12)
    assert values.hit[row] == pytest.approx(hit, abs=1e-12)
    assert values.double[row] == pytest.approx(double, abs=1e-12)
