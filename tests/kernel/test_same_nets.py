"""The kernel is the rule book: the same shoes, the same nets, under every rule set.

`PUSH22_SHOES` says how many shoes per rule set; `make kernel-check` deals a million.
"""

import os
from itertools import islice
from typing import Any

import pytest

from blackjack.rule_sets import RULE_SETS, rule_set
from tests.kernel.shoes import differences

SHOES = int(os.environ.get("PUSH22_SHOES", "20000"))
OPTION_SHOES = 2000
SHOES_A_SECOND = 1000
"""What a busy machine plays at least by the rule book."""

MA = "ny-multiple-action"
OPTIONS: list[tuple[str, dict[str, Any]]] = [
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


def told(found: list[str]) -> str:
    return "\n" + "\n".join(found)


@pytest.mark.slow
@pytest.mark.timeout(60 + SHOES / SHOES_A_SECOND)
@pytest.mark.parametrize("name", RULE_SETS)
def test_every_net_is_the_rule_books(name: str) -> None:
    """Each round of every shoe ends with the same net in both."""
    found = list(islice(differences(rule_set(name), SHOES, seed=22), 5))

    assert not found, told(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"), OPTIONS, ids=[f"{name}-{given}" for name, given in OPTIONS]
)
def test_house_options_reach_the_kernel(name: str, options: dict[str, Any]) -> None:
    """An option that changes the rule book changes the kernel in the same way."""
    rules = rule_set(name, options)
    found = list(islice(differences(rules, OPTION_SHOES, seed=23), 5))

    assert not found, told(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{}, {"natural_in_round_one": "first_circle"}], ids=str
)
def test_the_third_circle_may_stay_empty(options: dict[str, Any]) -> None:
    """With two circles the dealer plays two rounds."""
    found = differences(rule_set(MA, options), OPTION_SHOES, seed=24, circles=2)

    assert not list(islice(found, 5))
