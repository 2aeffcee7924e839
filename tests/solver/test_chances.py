"""What the player may expect of the next card and the dealer."""

import numpy as np
import pytest
from msgspec.structs import replace

from blackjack.rule_sets import rule_set
from blackjack.strategy_game import Game, game_of
from push22.solver.chances import chances
from push22.solver.column import late_natural, row_of
from push22.solver.dealer_hands import NATURAL, dealer_lines
from tests.solver import by_hand

GAME = game_of(rule_set("lv-1d"))
LATE = replace(GAME, look=False)


@pytest.mark.parametrize("up", [1, 10, 6])
def test_the_next_card_after_a_look(up: int) -> None:
    """As if each hole card that is no natural were dealt first."""
    seen = by_hand.without(by_hand.DECK, up, 3, 9)
    expected = np.zeros(10)
    for hole, chance in by_hand.hole_cards(seen, up):
        for rank, part in by_hand.draws(by_hand.without(seen, hole)):
            expected[rank - 1] += chance * part

    assert chances(GAME, up).next_card[row_of(3, 9)] == pytest.approx(expected)


@pytest.mark.parametrize("game", [GAME, LATE], ids=["looked", "late"])
@pytest.mark.parametrize("up", range(1, 11))
def test_chances_add_up_to_one(up: int, game: Game) -> None:
    """The dealer's results and the next cards of every hand that there can be."""
    found = chances(game, up)
    dealt = [row_of(low, high) for low in range(1, 11) for high in range(low, 11)]

    assert found.dealer[dealt].sum(axis=1) == pytest.approx(1)
    assert found.next_card[dealt].sum(axis=1) == pytest.approx(1)
    assert (found.dealer[dealt] >= 0).all()


def test_a_natural_is_seen_or_waits() -> None:
    """10-9 against an ace, one deck: 15 tens among 49 cards."""
    row = row_of(9, 10)

    assert chances(GAME, 1).dealer[row, NATURAL] == 0
    assert chances(LATE, 1).dealer[row, NATURAL] == pytest.approx(15 / 49)
    assert late_natural(LATE, 1, row) == pytest.approx(15 / 49)
    assert late_natural(LATE, 7, row) == 0


def test_a_dealer_has_as_many_hands_as_are_known() -> None:
    """Orders in which a hand can end: counted by hand for a ten on soft 17 hit."""
    lines = dealer_lines(10, hits_soft_17=True)
    one_card = [line for line in lines if sum(line.cards) == 1]

    # 7, 8, 9, 10 stand and an ace is a natural.
    assert len(one_card) == 5
    assert [line.orders for line in one_card] == [1] * 5
    # 2 to 6 draw on; of two cards 2-5 and 5-2 are one line.
    fives = [line for line in lines if line.cards == (0, 1, 0, 0, 1, 0, 0, 0, 0, 0)]
    assert [line.orders for line in fives] == [2]
    # 6-A stands in one order only: ace first is a natural.
    sixes = [line for line in lines if line.cards == (1, 0, 0, 0, 0, 1, 0, 0, 0, 0)]
    assert [line.orders for line in sixes] == [1]
