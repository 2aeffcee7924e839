"""The kernel is the rule book: the same shoes, the same rounds, in every rule set.

Compared are the net, all stakes, the number of cards, and whether the box switched.

`PUSH22_SHOES` says how many shoes per rule set; `make kernel-check` deals a million.
"""

import os
from itertools import islice
from typing import Any

import numpy as np
import pytest

from blackjack import strategy
from blackjack.rule_sets import RULE_SETS, rule_set
from tests.kernel.shoes import differences, poor_shoes, random_shoes, wild_table

SHOES = int(os.environ.get("PUSH22_SHOES", "20000"))
CHUNK = 10_000
OPTION_SHOES = 2000
WILD_SHOES = 500
SHOES_OF_FEW_RANKS = [("A8T", 1), ("A23", 100), ("A9T6", 101), ("A23456789TJQK", 33)]
SHOES_A_SECOND = 1000
"""What a busy machine plays at least by the rule book."""

MA = "ny-multiple-action"
OPTION_CASES: list[tuple[str, dict[str, Any]]] = [
    ("ny-switch-6d", {"soft17": "stand"}),
    ("ny-switch-6d", {"hole_card": "late"}),
    ("ny-switch-8d", {"hole_card": "late", "soft17": "stand"}),
    (MA, {"soft17": "hit"}),
    (MA, {"delivery": "determinate_first"}),
    (MA, {"natural_in_round_one": "first_circle"}),
    (MA, {"delivery": "determinate_first", "decks": 6, "soft17": "hit"}),
    ("pr-switch-6d", {"soft17": "stand", "switch_back": True}),
    ("pr-switch-8d", {"double_for_less": True}),
    ("lv-8d", {"soft17": "stand"}),
    ("lv-6d", {"overbet": "return_excess", "penetration": 0.8}),
    ("lv-6d-high-limit", {"soft17": "hit"}),
    ("lv-switch", {"decks": 8}),
    ("lv-switch", {"decks": 6}),
]
SET_CASES: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in RULE_SETS]


def cases(found: list[tuple[str, dict[str, Any]]]) -> pytest.MarkDecorator:
    names = [f"{name}-{options}" for name, options in found]
    return pytest.mark.parametrize(("name", "options"), found, ids=names)


OPTIONS = cases(OPTION_CASES)
TABLES = cases(SET_CASES + OPTION_CASES)


def told(found: list[str]) -> str:
    return "\n" + "\n".join(found)


@pytest.mark.slow
@pytest.mark.timeout(60 + SHOES / SHOES_A_SECOND)
@pytest.mark.parametrize("name", RULE_SETS)
def test_every_net_is_the_rule_books(name: str) -> None:
    """Each shoe gives the same round in both, to the last card."""
    rules = rule_set(name)
    chance = np.random.default_rng(22)
    for start in range(0, SHOES, CHUNK):
        shoes = random_shoes(rules.decks, min(CHUNK, SHOES - start), chance)
        found = list(islice(differences(rules, shoes), 5))

        assert not found, told(found)


@pytest.mark.slow
@OPTIONS
def test_house_options_reach_the_kernel(name: str, options: dict[str, Any]) -> None:
    """An option that changes the rule book changes the kernel in the same way."""
    rules = rule_set(name, options)
    shoes = random_shoes(rules.decks, OPTION_SHOES, np.random.default_rng(23))
    found = list(islice(differences(rules, shoes), 5))

    assert not found, told(found)


@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "wager_minor"), SHOES_OF_FEW_RANKS)
@TABLES
def test_the_wildest_play_ends_with_the_same_nets(
    name: str,
    options: dict[str, Any],
    ranks: str,
    wager_minor: int,
    *,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any letter anywhere, shoes of few ranks, odd wagers: what is hardly reached."""
    rules = rule_set(name, options)
    chance = np.random.default_rng(24)
    table = wild_table(chance)
    monkeypatch.setattr(strategy, "strategy_for", lambda _: table)
    shoes = poor_shoes(ranks, WILD_SHOES, chance)
    found = differences(rules, shoes, table=table, wager_minor=wager_minor)
    found = list(islice(found, 5))

    assert not found, told(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{}, {"natural_in_round_one": "first_circle"}], ids=str
)
def test_the_third_circle_may_stay_empty(options: dict[str, Any]) -> None:
    """With two circles the dealer plays two rounds."""
    rules = rule_set(MA, options)
    shoes = random_shoes(rules.decks, OPTION_SHOES, np.random.default_rng(25))
    found = list(islice(differences(rules, shoes, circles=2), 5))

    assert not found, told(found)
