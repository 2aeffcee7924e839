"""A published figure judges exactly the game it was published of."""

import pytest

from blackjack.rule_sets import RULE_SETS, rule_set
from push22.certify.published import PUBLISHED, comparison_for
from push22.certify.reference_games import REFERENCE_GAMES

RANGES = {
    "reference-6d": ("0.58", 0.50, 0.63),
    "reference-8d": ("0.60", 0.53, 0.67),
    "reference-6d-natural-by-switch": ("0.16-0.18", 0.10, 0.22),
    "reference-8d-natural-by-switch": ("0.18-0.20", 0.12, 0.24),
    "reference-6d-soft-17-stand": ("0.28", 0.10, 0.32),
    "lv-8d": ("0.484", 0.454, 0.514),
    "lv-6d": ("0.462", 0.432, 0.492),
    "lv-6d-high-limit": ("0.264", 0.234, 0.294),
    "lv-2d-pitch": ("0.192", 0.152, 0.232),
    "lv-2d": ("0.391", 0.351, 0.431),
    "lv-1d": ("1.438", 1.378, 1.498),
}


def test_the_figures_are_those_of_the_rule_reference() -> None:
    """G.6, both tables, with the ranges it accepts."""
    found = {
        name: (each.figure, each.low, each.high) for name, each in PUBLISHED.items()
    }

    assert found == RANGES


@pytest.mark.parametrize("name", RANGES)
def test_the_very_game_is_judged(name: str) -> None:
    """The whole interval counts: in the range, beyond either end, or across one."""
    found = comparison_for(REFERENCE_GAMES.get(name) or RULE_SETS[name])
    _, low, high = RANGES[name]

    assert found is not None
    assert found.verdict(low, high) == "inside"
    assert found.verdict(low - 0.002, low - 0.001) == "outside"
    assert found.verdict(high + 0.001, high + 0.002) == "outside"
    assert found.verdict(low - 0.001, high) == "open"
    assert found.verdict(low, high + 0.001) == "open"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("ny-switch-6d", "reference-6d"),
        ("ny-switch-8d", "reference-8d"),
        ("pr-switch-6d", "reference-6d"),
        ("pr-switch-8d", "reference-8d"),
        ("lv-switch", "reference-6d"),
        ("online-switch", "reference-8d-natural-by-switch"),
    ],
)
def test_a_nearby_game_is_shown_but_judges_nothing(name: str, nearest: str) -> None:
    """None of the five switch figures is of a rule set: no verdict either way."""
    found = comparison_for(rule_set(name))

    assert found is not None
    assert found.published.game == nearest
    assert found.difference
    assert found.verdict(98.0, 99.0) == "another_game"


def test_an_option_makes_another_game() -> None:
    """What is published of a rule set says nothing of it with another soft 17."""
    assert comparison_for(rule_set("lv-8d", {"soft17": "stand"})) is None
    assert comparison_for(rule_set("ny-switch-6d", {"soft17": "stand"})) is None


def test_nothing_is_published_of_multiple_action() -> None:
    """G.6, last line."""
    assert comparison_for(rule_set("ny-multiple-action")) is None


@pytest.mark.parametrize("name", REFERENCE_GAMES)
def test_the_reference_games_are_as_the_figures_describe_them(name: str) -> None:
    """G.6: what all five share, and what the names say."""
    game = REFERENCE_GAMES[name]

    assert game.decks == (8 if "8d" in name else 6)
    assert game.hits_soft_17 is not name.endswith("soft-17-stand")
    assert game.switch is not None
    assert game.switch.makes_naturals is name.endswith("natural-by-switch")
    assert (game.look, game.natural_pays, game.push_22) == (True, (1, 1), True)
    assert (game.hands_max, game.ace_hands_max, game.surrender) == (4, 2, False)
