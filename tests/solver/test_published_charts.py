"""Solved shoe games are the published basic strategy, to the letter."""

import pytest

from blackjack.rule_sets import rule_set
from blackjack.strategy_table import strategy_for
from tests.solver.published_chart import first_letters

BY_COMPOSITION = {
    ("lv-6d-high-limit", "stand"): {(2, 10, 4): "H", (7, 8, 10): "H"},
    ("lv-8d", "stand"): {},
    ("lv-6d", "hit"): {(7, 8, 10): "H"},
    ("lv-8d", "hit"): {},
}
"""Where a chart by totals can't see the cards: 10-2 v 4 is hit and 8-7 v 10 is not
surrendered, the usual exceptions of composition-dependent strategy.
"""


@pytest.mark.parametrize(("name", "soft17"), BY_COMPOSITION)
def test_a_solved_shoe_game_is_the_published_chart(name: str, soft17: str) -> None:
    """All 540 cells of two cards, but for the exceptions by composition."""
    table = strategy_for(rule_set(name, {"soft17": soft17}))
    published = first_letters(hits_soft_17=soft17 == "hit")

    differing = {
        key: table.two[key].plays[0]
        for key, play in published.items()
        if table.two[key].plays[0] != play
    }

    assert len(published) == 540
    assert differing == BY_COMPOSITION[name, soft17]


@pytest.mark.parametrize(
    ("low", "high", "up", "plays"),
    [
        (6, 10, 10, "RH"),
        (7, 10, 1, "RS"),
        (8, 8, 1, "RPH"),
        (5, 6, 1, "DH"),
        (1, 7, 2, "DS"),
        (1, 7, 9, "H"),
        (6, 6, 4, "PS"),
        (2, 2, 7, "PH"),
        (10, 10, 6, "S"),
        (1, 10, 6, "S"),
    ],
)
def test_what_stands_in_where_the_first_play_is_barred(
    low: int, high: int, up: int, plays: str
) -> None:
    """Six decks, soft 17 hit: the whole order of preference."""
    assert strategy_for(rule_set("lv-6d")).two[low, high, up].plays == plays


def test_sixteen_in_three_cards_stands_against_a_ten() -> None:
    """Of 16s, those of more cards have used up the small ones that help a hit."""
    table = strategy_for(rule_set("lv-6d"))

    assert table.hard[16, 10] == "S"
    assert table.two[7, 9, 10].plays == "RH"
    assert [table.hard[12, up] for up in (2, 3, 4, 5, 6, 7)] == list("HHSSSH")
    assert [table.soft[18, up] for up in (2, 7, 8, 9, 10, 1)] == list("SSSHHH")


def test_a_push_on_22_is_played_more_boldly() -> None:
    """Against 2 a stiff 12 or 13 draws, and fewer hands double."""
    table = strategy_for(rule_set("ny-switch-6d"))

    assert table.two[3, 10, 2].plays == "H"
    assert table.two[5, 6, 10].plays == "H"
    assert table.hard[13, 2] == "H"
    assert table.hard[13, 3] == "S"


def test_without_a_look_less_is_put_at_risk_against_an_ace() -> None:
    """Online a late natural takes all stakes: no double, no split of eights."""
    online = strategy_for(rule_set("online-switch")).two
    looked = strategy_for(rule_set("pr-switch-8d")).two

    assert online[5, 6, 10].plays == looked[5, 6, 10].plays == "H"
    assert (online[8, 8, 1].plays, online[1, 1, 1].plays) == ("H", "H")
    assert looked[1, 1, 1].plays == "PH"
    assert online[10, 10, 1].value < looked[10, 10, 1].value - 0.3
    assert online[10, 10, 6].value == looked[10, 10, 6].value
