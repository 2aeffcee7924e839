"""The solved tables against the reference, an analytic solution made elsewhere."""

from functools import cache
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from blackjack.rule_sets import rule_set
from blackjack.strategy_game import Game, game_of
from blackjack.strategy_table import MARKS, StrategyTable, parse
from push22.solver.table_text import table_text

OWN = Path(__file__).parents[2] / "blackjack" / "strategy_data"
HANDED = Path(__file__).parents[2].parent / "shared" / "rules" / "strategy"


def reference_game(decks: int) -> Game:
    """Four hands, aces once, naturals 1:1, 22 pushes, no surrender."""
    game = game_of(rule_set("ny-switch-6d"))
    return replace(game, decks=decks, surrender="no")


@cache
def solved(decks: int) -> StrategyTable:
    return parse(table_text(reference_game(decks)))


def reference(decks: int) -> StrategyTable:
    return parse((OWN / f"switch-{decks}d-h17.txt").read_text())


@pytest.mark.parametrize("decks", [6, 8])
def test_the_copy_is_what_was_handed_over(decks: int) -> None:
    """The project's copy of the reference is the reference."""
    handed = HANDED / f"switch-{decks}d-h17.txt"
    if not handed.is_file():
        pytest.skip("the handed material is not beside this checkout")

    assert handed.read_bytes() == (OWN / handed.name).read_bytes()


@pytest.mark.parametrize("decks", [6, 8])
def test_every_cell_agrees_with_the_reference(decks: int) -> None:
    """Plays in all 550 cells; values as printed, of split pairs within 0.002.

    Of pairs the reference is an approximation, but for aces.
    """
    mine_all = solved(decks)
    found = reference(decks)

    assert len(found.two) == 550
    for key, cell in found.two.items():
        mine = mine_all.two[key]
        is_split = cell.plays == "P" and key[0] != 1
        tolerance = 0.002 if is_split else 0.000_061
        place = f"{MARKS[key[0]]},{MARKS[key[1]]} v {MARKS[key[2]]}"
        assert mine.plays[0] == cell.plays, place
        assert mine.value == pytest.approx(cell.value, abs=tolerance), place


def test_the_whole_game_has_the_edge_of_the_reference() -> None:
    """Eight decks: it states 0.5851 % of a hand's wager; 0.0004 are split pairs."""
    edge = -_worth_of_a_hand(8, solved(8))

    assert edge == pytest.approx(0.005851, abs=0.000006)


def _worth_of_a_hand(decks: int, table: StrategyTable) -> float:
    """Deal two hands by rank and an up card; switch for the larger sum."""
    value = 0.0
    for up, *cards in product(range(1, 11), repeat=5):
        left = [0, *[4 * decks] * 9, 16 * decks]
        chance = 1.0
        for rank in (up, *cards):
            chance *= left[rank] / sum(left)
            left[rank] -= 1
        a, b, c, d = cards
        natural = left[{1: 10, 10: 1}[up]] / sum(left) if up in (1, 10) else 0.0
        ours = sum({x, y} == {1, 10} for x, y in ((a, b), (c, d)))
        kept = _worth(table, up, (a, b), (c, d), natural=1.0)
        switched = _worth(table, up, (a, d), (c, b), natural=None)
        value += chance * (1 - natural) * max(kept, switched)
        value -= chance * natural * (2 - ours)
    return value / 2


def _worth(
    table: StrategyTable,
    up: int,
    *hands: tuple[int, int],
    natural: float | None,
) -> float:
    """Add up both hands; a switched ace and ten is no natural."""
    worth = 0.0
    for low, high in (sorted(hand) for hand in hands):
        is_natural = natural is not None and (low, high) == (1, 10)
        worth += natural if is_natural else table.two[low, high, up].value
    return worth
