"""The play of three or more cards, by total."""

import pytest

from blackjack.rule_sets import rule_set
from blackjack.strategy_game import game_of
from push22.solver.chances import Chances, chances
from push22.solver.forest import forest
from push22.solver.hand_values import Values, hand_values
from push22.solver.totals import plays_by_total

GAME = game_of(rule_set("lv-6d"))


def hands(total: int, *, soft: bool) -> list[int]:
    trees = forest()
    return [
        row
        for row in trees.dealt.values()
        if trees.size[row] > 2
        and trees.total[row] == total
        and (trees.total[row] != trees.hard[row]) == soft
    ]


def gains(values: Values, rows: list[int]) -> list[float]:
    return [float(values.hit[row] - values.stand[row]) for row in rows]


@pytest.mark.parametrize("up", [2, 4, 10, 1])
def test_a_total_plays_as_all_its_hands_would_where_they_agree(up: int) -> None:
    """Where every hand of a total gains by a hit, or none does."""
    found: Chances = chances(GAME, up)
    values = hand_values(GAME, found)
    hard, soft = plays_by_total(found, values, {})
    for plays, is_soft in ((hard, False), (soft, True)):
        for total, play in plays.items():
            gained = gains(values, hands(total, soft=is_soft))
            if gained and min(gained) > 0:
                assert play == "H"
            if gained and max(gained) < 0:
                assert play == "S"


def test_hands_of_a_total_that_disagree_are_weighed() -> None:
    """16 against a ten: some hands of three or more gain by a hit, most don't."""
    values = hand_values(GAME, chances(GAME, 10))
    gained = gains(values, hands(16, soft=False))

    assert min(gained) < 0 < max(gained)
    assert plays_by_total(chances(GAME, 10), values, {})[0][16] == "S"


def test_hands_that_are_never_hit_hardly_count() -> None:
    """If only 9-6 is hit, then 16s of three cards are 9-6-A, and those hit."""
    found = chances(GAME, 10)
    values = hand_values(GAME, found)
    trees = forest()
    two = [row for row in trees.dealt.values() if trees.size[row] == 2]
    nine_six = (0, 0, 0, 0, 0, 1, 0, 0, 1, 0)
    plays = dict.fromkeys(two, "S") | {trees.dealt[nine_six]: "H"}
    nine_six_ace = trees.dealt[1, *nine_six[1:]]

    assert gains(values, [nine_six_ace])[0] > 0
    assert plays_by_total(found, values, plays)[0][16] == "H"
