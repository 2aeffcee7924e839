"""Splits against plain recursion over every second card, one deck."""

from functools import cache

import pytest
from msgspec.structs import replace

from blackjack.rule_sets import rule_set
from blackjack.strategy_game import Game, game_of
from blackjack.strategy_table import strategy_for
from push22.solver.chances import chances
from push22.solver.hand_values import hand_values
from push22.solver.splits import Pair, again, split_value
from tests.solver import by_hand

LOOKED = replace(game_of(rule_set("lv-1d")), push_22=True)
LATE = replace(
    LOOKED,
    look=False,
    late_natural_takes_added=False,
    two_card_21_pushes_natural=True,
)


def solved(game: Game, up: int) -> float:
    found = chances(game, up)
    original = hand_values(game, found)
    added = hand_values(game, found, original=False)
    return split_value(Pair(game, up, 1), found, original, added)


def dealt_out(game: Game, up: int) -> float:
    """Deal every second card to split aces, then stand: one card each."""
    shoe = by_hand.without(by_hand.DECK, up, 1, 1)
    holes = by_hand.hole_cards(shoe, up) if game.look else by_hand.draws(shoe)

    @cache
    def dealt(
        left: by_hand.Shoe, hole: int, totals: tuple[int, ...], waiting: int
    ) -> float:
        if not waiting:
            return sum(worth(left, hole, totals, place) for place in range(len(totals)))
        value = 0.0
        for rank, chance in by_hand.draws(left):
            rest = by_hand.without(left, rank)
            if rank == 1 and len(totals) + waiting < game.ace_hands_max:
                value += chance * dealt(rest, hole, totals, waiting + 1)
            else:
                points = 12 if rank == 1 else 11 + rank
                value += chance * dealt(rest, hole, (*totals, points), waiting - 1)
        return value

    def worth(
        left: by_hand.Shoe, hole: int, totals: tuple[int, ...], place: int
    ) -> float:
        if {hole, up} == {1, 10}:
            return 0 if place or totals[place] == 21 else -1
        return by_hand.stand(left, totals[place], (up, hole))

    return sum(p * dealt(by_hand.without(shoe, h), h, (), 2) for h, p in holes)


@pytest.mark.parametrize("up", [6, 10])
@pytest.mark.parametrize("hands_max", [2, 3])
def test_split_aces_are_exact(up: int, hands_max: int) -> None:
    """Of two hands and three, also where a further ace comes to a full number."""
    game = replace(LOOKED, ace_hands_max=hands_max)

    assert solved(game, up) == pytest.approx(dealt_out(game, up), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("game", [LOOKED, LATE], ids=["looked", "late"])
def test_four_split_aces_are_exact(game: Game) -> None:
    """Every order in which four hands may come about."""
    four = replace(game, ace_hands_max=4)

    assert solved(four, 10) == pytest.approx(dealt_out(four, 10), abs=1e-12)


@pytest.mark.parametrize("hands_max", [2, 3])
def test_a_late_natural_takes_the_original_wager_only(hands_max: int) -> None:
    """New York's late hole card: added hands push, a two-card 21 pushes as well."""
    game = replace(LATE, ace_hands_max=hands_max)

    assert solved(game, 10) == pytest.approx(dealt_out(game, 10), abs=1e-12)


def test_the_last_card_of_a_rank_leaves_none() -> None:
    """One deck, both eights and two more gone: no further eight comes."""
    pair = Pair(LOOKED, 5, 8)

    assert again(pair, 3, 0) == pytest.approx(1 / (52 - 1 - 3))
    assert again(pair, 4, 0) == 0


def test_more_hands_are_worth_more_where_splitting_is_right() -> None:
    """Eights against a six, six decks: to four hands rather than two."""
    four = strategy_for(rule_set("ny-switch-6d")).two[8, 8, 6]
    two = strategy_for(rule_set("pr-switch-6d")).two[8, 8, 6]

    assert four.plays == two.plays == "PS"
    assert four.value > two.value + 0.005
