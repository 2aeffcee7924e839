"""The main game's edge is the published one, sampled and added up (G.6)."""

from functools import cache

import pytest

from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.strategy_table import strategy_for
from push22.certify.by_kernel import sample_by_kernel
from push22.certify.by_values import edge_by_values
from push22.certify.estimate import Estimate, estimate
from push22.certify.published import PUBLISHED, comparison_for
from push22.certify.reference_games import REFERENCE_GAMES

SEED = 22
ROUNDS = 20_000_000
LAS_VEGAS = [name for name in PUBLISHED if name in RULE_SETS]

pytestmark = pytest.mark.slow


@cache
def sampled(name: str) -> Estimate:
    rules = REFERENCE_GAMES.get(name) or rule_set(name)
    return estimate(sample_by_kernel(rules, ROUNDS, SEED).sample)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_edge_is_as_published(name: str) -> None:
    """G.6: the 95 % interval of 20,000,000 rounds reaches into the accepted range.

    What lies beyond the range by more than the sampling error fails here.
    """
    found = sampled(name)
    comparison = comparison_for(REFERENCE_GAMES.get(name) or rule_set(name))

    assert comparison is not None
    verdict = comparison.verdict(100 * found.low, 100 * found.high)
    assert verdict in ("inside", "open"), f"{100 * found.edge:.4f} %"


@pytest.mark.parametrize("name", LAS_VEGAS)
def test_the_values_add_up_to_the_published_edge(name: str) -> None:
    """G.6: without chance, so that the range itself decides; C-26 on the look."""
    rules = rule_set(name)
    found = edge_by_values(rules, strategy_for(rules))
    published = PUBLISHED[name]

    assert found is not None
    assert published.low <= 100 * found <= published.high, f"{100 * found:.4f} %"


@pytest.mark.parametrize("name", LAS_VEGAS)
def test_sample_and_values_agree(name: str) -> None:
    """The kernel's rounds lie about the solver's value: within four errors."""
    rules = rule_set(name)
    found = sampled(name)
    value = edge_by_values(rules, strategy_for(rules))

    assert value is not None
    assert abs(found.edge - value) < 4 / 1.96 * found.margin


def test_surrender_lowers_the_edge() -> None:
    """G.6: New York's game is the reference game with surrender; NY-29."""
    with_it, without = sampled("ny-switch-6d"), sampled("reference-6d")

    assert with_it.high < without.low


def test_a_natural_by_the_switch_lowers_the_edge_by_far() -> None:
    """G.6: the reference game's largest single change; ON-16."""
    with_it, without = (
        sampled("reference-6d-natural-by-switch"),
        sampled("reference-6d"),
    )

    assert without.edge - with_it.edge == pytest.approx(0.0041, abs=0.001)


@pytest.mark.parametrize("name", ["ny-switch-6d", "ny-multiple-action"])
def test_values_that_do_not_tell_tell_nothing(name: str) -> None:
    """Two hands in one box, or three dealer rounds: no sum of one hand's values."""
    rules = rule_set(name)

    assert edge_by_values(rules, strategy_for(rules)) is None
