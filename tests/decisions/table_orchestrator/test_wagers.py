"""The main wagers of a box, judged by the table before the first card."""

from typing import Any

import pytest

from blackjack.rule_sets import RULE_SETS, default_limits
from contracts import table as t
from contracts import table_events as te
from runtime.service import Rejected
from tests.decisions.table_orchestrator.felt import ALICE, ROUND, Felt
from tests.decisions.table_orchestrator.house import House
from tests.spec import player

BOXES = {
    "ny-switch-6d": 5,
    "ny-switch-8d": 5,
    "ny-multiple-action": 6,
    "pr-switch-6d": 5,
    "pr-switch-8d": 5,
    "lv-8d": 7,
    "lv-6d": 7,
    "lv-6d-high-limit": 7,
    "lv-2d-pitch": 6,
    "lv-2d": 6,
    "lv-1d": 6,
    "lv-switch": 5,
    "online-switch": 3,
}
DECKS = {
    "ny-switch-6d": 6,
    "ny-switch-8d": 8,
    "ny-multiple-action": 8,
    "pr-switch-6d": 6,
    "pr-switch-8d": 8,
    "lv-8d": 8,
    "lv-6d": 6,
    "lv-6d-high-limit": 6,
    "lv-2d-pitch": 2,
    "lv-2d": 2,
    "lv-1d": 1,
    "lv-switch": 6,
    "online-switch": 8,
}


def bet(felt: Felt, *wagers: int, box: int = 1) -> str:
    """Bet and return why not; nothing where the bet is taken."""
    decided: Any = felt.tell(t.PlaceBet(ROUND, box, wagers), player(ALICE))
    return str(decided.reason) if isinstance(decided, Rejected) else ""


@pytest.mark.parametrize("rule_set", BOXES)
def test_the_last_box_of_the_table_is_there_and_no_further_one(rule_set: str) -> None:
    """NY-3, MA-1, PR-3, LV-4, LS-2, ON-2: table C, row boxes at the table."""
    felt = Felt(rule_set_id=rule_set)
    wagers = (1000,) * RULE_SETS[rule_set].wagers_max
    last = BOXES[rule_set]

    assert bet(felt, *wagers, box=last + 1) == "no_such_box"
    assert bet(felt, *wagers, box=last) == ""


@pytest.mark.parametrize("rule_set", DECKS)
def test_the_table_asks_for_a_shoe_of_so_many_decks(rule_set: str) -> None:
    """NY-1, MA-3, PR-1, LV-1, LS-1, ON-1: table C, row decks."""
    requested = House(rule_set).open().last(te.ShoeRequested)

    assert requested.decks == DECKS[rule_set]


@pytest.mark.parametrize(
    ("rule_set", "decks"), [("ny-multiple-action", 6), ("lv-switch", 8)]
)
def test_the_option_changes_the_decks(rule_set: str, decks: int) -> None:
    """MA-3, LS-1: the other usual shoe, its cut card at three quarters."""
    requested = House(rule_set).open(decks=decks).last(te.ShoeRequested)

    assert (requested.decks, requested.cut_card_at) == (decks, decks * 39)


def test_ma_2_two_or_three_circles_within_the_limits_each() -> None:
    """MA-2: they may differ; circle 3 may be left out, circle 2 may not."""
    felt = Felt(rule_set_id="ny-multiple-action")

    assert bet(felt, 1000) == "wrong_wager_count"
    assert bet(felt, 1000, 1000, 1000, 1000) == "wrong_wager_count"
    assert bet(felt, 1000, 999) == "below_minimum"
    assert bet(felt, 1000, 2000, 500_001) == "above_maximum"
    assert bet(felt, 1000, 2000, 500_000) == ""
    assert bet(felt, 3000, 1000) == ""


@pytest.mark.parametrize("rule_set", ["ny-switch-8d", "pr-switch-6d", "lv-switch"])
def test_switch_takes_two_equal_wagers(rule_set: str) -> None:
    """NY-2, PR-2, LS-3: checked before the first card."""
    felt = Felt(rule_set_id=rule_set)

    assert bet(felt, 1000) == "wrong_wager_count"
    assert bet(felt, 1000, 1001) == "wagers_not_equal"
    assert bet(felt, 1000, 1000) == ""


def test_on_3_from_one_to_two_hundred_whatever_is_posted() -> None:
    """ON-3: every whole minor unit between 100 and 20000."""
    felt = Felt(rule_set_id="online-switch", limits=t.TableLimits(1, 10**6))

    assert bet(felt, 99, 99) == "below_minimum"
    assert bet(felt, 20_001, 20_001) == "above_maximum"
    assert bet(felt, 101, 101) == ""
    assert bet(felt, 20_000, 20_000) == ""


def test_published_bounds_replace_the_default_limits() -> None:
    """ON-3, LS-4, section A: 100 to 20000 online, up to 250000 on the Strip."""
    own = {name: default_limits(rules) for name, rules in RULE_SETS.items()}
    usual = (1000, 500_000, 100)
    different = {
        name: (x.min_minor, x.max_minor, x.side_min_minor)
        for name, x in own.items()
        if (x.min_minor, x.max_minor, x.side_min_minor) != usual
    }

    assert different == {
        "lv-switch": (1000, 250_000, 100),
        "online-switch": (100, 20_000, 100),
    }


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_rule_sets_own_limits_open_a_table(rule_set: str) -> None:
    """What the command line posts is accepted, and its minimum is a bet."""
    own = default_limits(RULE_SETS[rule_set])
    limits = t.TableLimits(own.min_minor, own.max_minor, own.side_min_minor)
    House(rule_set, limits).open()

    felt = Felt(rule_set_id=rule_set, limits=limits)
    count = RULE_SETS[rule_set].wagers_max
    assert bet(felt, *(own.min_minor - 1,) * count) == "below_minimum"
    assert bet(felt, *(own.min_minor,) * count) == ""
