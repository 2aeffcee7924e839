"""The committed tables: all games have one, and the solver makes them again."""

from pathlib import Path

import pytest

from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.strategy_game import Game, game_of
from blackjack.strategy_table import UP_CARDS, strategy_for, table_of
from push22.solver.chances import chances
from push22.solver.column import row_of
from push22.solver.games import all_games, houses
from push22.solver.hand_values import hand_values
from push22.solver.table_text import table_text

FOLDER = Path(__file__).parents[2] / "blackjack" / "strategy_data"
REFERENCE = {"switch-6d-h17.txt", "switch-8d-h17.txt"}
GAMES = all_games()
SOME = {
    game_of(rules).name
    for rules in (
        rule_set("lv-1d"),
        rule_set("ny-multiple-action", {"decks": 6}),
    )
}
SOME_AND_SLOWLY_ALL = [
    pytest.param(name, marks=[] if name in SOME else [pytest.mark.slow])
    for name in GAMES
]


def test_there_is_one_file_per_game() -> None:
    """Thirty games of thirteen rule sets with their options, and no stray file."""
    found = {file.name for file in FOLDER.iterdir() if file.suffix == ".txt"}

    assert len(GAMES) == 30
    assert found - REFERENCE == {f"{name}.txt" for name in GAMES}


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_under_every_option_has_its_table(name: str) -> None:
    """The table is complete and knows its game."""
    for rules in houses(name):
        table = strategy_for(rules)
        assert len(table.two) == 550
        assert {up for _, _, up in table.two} == set(UP_CARDS)
        assert len(table.digest) == 64


@pytest.mark.parametrize("name", SOME_AND_SLOWLY_ALL)
def test_the_committed_file_is_solved_again(name: str) -> None:
    """Byte for byte."""
    assert (FOLDER / f"{name}.txt").read_text() == table_text(GAMES[name])


def test_games_of_one_play_share_a_table() -> None:
    """What no best play turns on makes no game of its own."""
    plain = rule_set("pr-switch-6d")
    changed = rule_set("pr-switch-6d", {"double_for_less": True, "switch_back": True})
    circle = rule_set("ny-multiple-action", {"natural_in_round_one": "first_circle"})

    assert strategy_for(plain) is strategy_for(changed)
    assert strategy_for(circle) is strategy_for(rule_set("ny-multiple-action"))
    assert strategy_for(plain) is not strategy_for(rule_set("ny-switch-6d"))


@pytest.mark.parametrize("name", SOME_AND_SLOWLY_ALL)
def test_no_cell_is_worth_less_than_to_stand(name: str) -> None:
    """Nor less than half a loss where the hand may be surrendered at once."""
    game: Game = GAMES[name]
    table = table_of(game)
    for up in UP_CARDS:
        stand = hand_values(game, chances(game, up)).stand
        for low in range(1, 11):
            for high in range(low, 11):
                value = table.two[low, high, up].value
                assert value >= stand[row_of(low, high)] - 0.000_006
                assert value >= -0.5 or game.surrender != "yes"


@pytest.mark.parametrize("name", GAMES)
def test_totals_are_played_in_one_direction(name: str) -> None:
    """A total that stands is followed by totals that stand; 12 to 21 only in doubt."""
    table = table_of(GAMES[name])
    for up in UP_CARDS:
        for totals, first in ((table.hard, 4), (table.soft, 12)):
            plays = "".join(totals[total, up] for total in range(first, 22))
            assert plays.strip("S").strip("H") == ""
            assert plays.endswith("SSS")
        assert all(table.hard[total, up] == "H" for total in range(4, 12))
        assert all(table.soft[total, up] == "H" for total in range(12, 17))


def test_even_money_is_taken_where_a_natural_pays_no_more() -> None:
    """One for sure, where to wait wins one or pushes; not where it pays 3:2."""
    taken = {
        name for name in RULE_SETS if strategy_for(rule_set(name)).takes_even_money
    }

    assert taken == {"lv-switch"}


def test_a_natural_is_worth_its_pay_less_a_late_one() -> None:
    """Online, eight decks: 32 - 1 aces or 128 - 1 tens among 413 cards."""
    online = strategy_for(rule_set("online-switch"))
    one_deck = strategy_for(rule_set("lv-1d"))

    assert online.natural[1] == pytest.approx(1 - 127 / 413, abs=5e-6)
    assert online.natural[10] == pytest.approx(1 - 31 / 413, abs=5e-6)
    assert online.two[1, 10, 10].value == online.natural[10]
    assert set(one_deck.natural.values()) == {1.2}
    assert strategy_for(rule_set("ny-switch-6d")).two[1, 10, 6].value < 0.81


def test_a_late_surrender_loses_all_to_a_natural() -> None:
    """Six decks, 10-6 against a ten: 24 aces of 309 cards make the half a whole."""
    late = strategy_for(rule_set("ny-switch-6d", {"hole_card": "late"})).two

    assert late[6, 10, 10].plays == "RH"
    assert late[6, 10, 10].value == pytest.approx(-0.5 - 0.5 * 24 / 309, abs=5e-6)
