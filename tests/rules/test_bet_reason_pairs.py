"""Of two reasons against a bet the first is given: every pair of C-63."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from blackjack.bets import Bet, BetContext, bet_refusal
from blackjack.reasons import BetReason
from blackjack.rule_sets import Limits, rule_set
from tests.rules.reason_pairs import Pair, excluded, pair, unaccounted

Facts = dict[str, Any]
NY, MA, LV, ON = "ny-switch-6d", "ny-multiple-action", "lv-6d", "online-switch"
PR = "pr-switch-6d"
MOST_2 = {"boxes_per_player": 2}
WAGERS: dict[str, tuple[Any, ...]] = {
    NY: (1000, 1000),
    MA: (1000, 1000, 1000),
    LV: (1000,),
    ON: (1000, 1000),
    PR: (1000, 1000),
}

ANYWHERE: dict[str, Facts] = {
    "betting_closed": {"closed": True},
    "entry_barred": {"barred": True},
    "box_taken": {"holders": {1: "bob"}},
}
SWITCH: dict[str, Facts] = {
    "unknown_wager": {"sides": {"bet_the_set": 100}},
    "no_main_wager": {"wagers": (), "sides": {"super_match": 100}},
    "invalid_amount": {"wagers": (0, 0)},
    "wrong_wager_count": {"wagers": (1000,)},
    "wagers_not_equal": {"wagers": (1000, 1001)},
    "below_minimum": {"wagers": (99, 99)},
    "above_maximum": {"wagers": (500001, 500001)},
    "minimum_only": {"wagers": (1001, 1001), "minimum_only": True},
    "side_below_minimum": {"sides": {"super_match": 99}},
    "side_above_maximum": {"sides": {"super_match": 500001}},
}
FAULTS: dict[str, dict[str, Facts]] = {
    NY: {
        **ANYWHERE,
        **SWITCH,
        "no_such_box": {"box": 6},
        "too_many_boxes": {"holders": {4: "ann", 5: "ann"}, "options": MOST_2},
    },
    ON: {
        **SWITCH,
        "betting_closed": {"closed": True},
        "entry_barred": {"barred": True},
        "no_such_box": {"box": 4},
        "table_full": {"holders": {2: "bob"}},
    },
    LV: {
        **ANYWHERE,
        "no_such_box": {"box": 8},
        "boxes_not_adjacent": {"holders": {3: "ann"}},
        "unknown_wager": {"sides": {"super_match": 100}},
        "no_main_wager": {"wagers": (), "sides": {"bet_the_set": 100}},
        "invalid_amount": {"wagers": (-1,)},
        "wrong_wager_count": {"wagers": (1000, 1000)},
        "below_minimum": {"wagers": (999,)},
        "above_maximum": {"wagers": (500001,)},
        "minimum_only": {"wagers": (1001,), "minimum_only": True},
        "side_below_minimum": {"sides": {"bet_the_set": 99}},
        "side_above_maximum": {"sides": {"bet_the_set": 10001}},
    },
}
"""What breaks a good bet, by rule set; faults of different facts go together."""

TOGETHER: dict[str, tuple[str, Facts]] = {
    "box_taken table_full": (ON, {"holders": {1: "bob"}}),
    "box_taken too_many_boxes": (
        NY,
        {"holders": {1: "bob", 4: "ann", 5: "ann"}, "options": MOST_2},
    ),
    "box_taken boxes_not_adjacent": (LV, {"holders": {1: "bob", 3: "ann"}}),
    "too_many_boxes boxes_not_adjacent": (
        LV,
        {"holders": {3: "ann", 4: "ann", 5: "ann"}},
    ),
    "unknown_wager no_main_wager": (NY, {"wagers": (), "sides": {"bet_the_set": 1}}),
    "unknown_wager side_below_minimum": (
        NY,
        {"sides": {"bet_the_set": 100, "super_match": 99}},
    ),
    "unknown_wager side_above_maximum": (
        NY,
        {"sides": {"bet_the_set": 100, "super_match": 500001}},
    ),
    "no_main_wager invalid_amount": (NY, {"wagers": (), "sides": {"super_match": 0}}),
    "no_main_wager wrong_wager_count": (
        NY,
        {"wagers": (), "sides": {"super_match": 100}},
    ),
    "no_main_wager side_below_minimum": (
        NY,
        {"wagers": (), "sides": {"super_match": 99}},
    ),
    "no_main_wager side_above_maximum": (
        NY,
        {"wagers": (), "sides": {"super_match": 500001}},
    ),
    "invalid_amount wrong_wager_count": (NY, {"wagers": (0,)}),
    "invalid_amount wagers_not_equal": (NY, {"wagers": (0, 1000)}),
    "invalid_amount below_minimum": (NY, {"wagers": (-5, -5)}),
    "invalid_amount above_maximum": (MA, {"wagers": (0, 500001)}),
    "invalid_amount minimum_only": (
        MA,
        {"wagers": (0, 1001), "minimum_only": True},
    ),
    "wrong_wager_count wagers_not_equal": (NY, {"wagers": (1000, 1001, 1002)}),
    "wrong_wager_count below_minimum": (NY, {"wagers": (999,)}),
    "wrong_wager_count above_maximum": (NY, {"wagers": (500001,)}),
    "wrong_wager_count minimum_only": (
        MA,
        {"wagers": (1001,), "minimum_only": True},
    ),
    "wagers_not_equal below_minimum": (NY, {"wagers": (999, 1000)}),
    "wagers_not_equal above_maximum": (NY, {"wagers": (500001, 500002)}),
    "wagers_not_equal minimum_only": (
        NY,
        {"wagers": (1001, 1002), "minimum_only": True},
    ),
    "below_minimum above_maximum": (MA, {"wagers": (999, 500001)}),
    "below_minimum minimum_only": (
        MA,
        {"wagers": (999, 1001), "minimum_only": True},
    ),
    "above_maximum minimum_only": (
        MA,
        {"wagers": (1000, 500001), "minimum_only": True},
    ),
    # A posted minimum of 40 leaves Puerto Rico's side wager no amount at all (PR-6).
    "side_below_minimum side_above_maximum": (
        PR,
        {"limits": Limits(40, 500000, 100), "sides": {"super_match": 60}},
    ),
}
"""Pairs that meet in one fact of the bet."""

CANNOT = excluded(
    {
        "a box that is not there is nobody's": "no_such_box: box_taken",
        "at a full table another player holds all there is": (
            "table_full: too_many_boxes"
        ),
        "the table for one player asks for no neighbouring boxes": (
            "table_full: boxes_not_adjacent"
        ),
        "without main wagers none is unequal, too low or too high": (
            "no_main_wager: wagers_not_equal below_minimum above_maximum minimum_only"
        ),
        "where boxes must be neighbours a box has one wager": (
            "boxes_not_adjacent: wagers_not_equal"
        ),
    }
)
FUNDS = "insufficient_funds"
JUDGED = [str(reason) for reason in BetReason if reason != FUNDS]


def refused(name: str, facts: Facts) -> BetReason | None:
    known: Facts = {"box": 1, "wagers": WAGERS[name], "sides": {}, **facts}
    rules = rule_set(name, known.pop("options", None))
    limits = known.pop("limits", Limits())
    if name == ON:
        limits = Limits(100, 20000, 100)
    bet = Bet(known.pop("box"), known.pop("wagers"), known.pop("sides"))
    return bet_refusal(rules, limits, bet, BetContext(player="ann", **known))


def merged() -> Iterator[tuple[str, Pair, Facts]]:
    """Put faults of different facts together, in every rule set that has both."""
    for name, faults in FAULTS.items():
        known = [reason for reason in JUDGED if reason in faults]
        for reasons in combinations(known, 2):
            one, other = (faults[reason] for reason in reasons)
            if not one.keys() & other.keys():
                yield name, reasons, {**one, **other}


MERGED = [item for item in merged() if item[1] not in CANNOT]


@pytest.mark.parametrize(
    ("name", "reason"), [(name, reason) for name in FAULTS for reason in FAULTS[name]]
)
def test_c_63_one_fault_one_reason(name: str, reason: str) -> None:
    """Every fault that the pairs are made of is one by itself."""
    assert refused(name, FAULTS[name][reason]) == reason


@pytest.mark.parametrize(
    ("name", "reasons", "facts"),
    MERGED,
    ids=[f"{name} {' '.join(reasons)}" for name, reasons, _ in MERGED],
)
def test_c_63_the_earlier_of_two_faults_is_given(
    name: str, reasons: Pair, facts: Facts
) -> None:
    """Both apply, each by a fact of its own."""
    assert refused(name, facts) == reasons[0]


@pytest.mark.parametrize("reasons", TOGETHER)
def test_c_63_the_earlier_of_two_reasons_in_one_fact_is_given(reasons: str) -> None:
    """Both apply to the same boxes, wagers or side wagers."""
    assert refused(*TOGETHER[reasons]) == pair(reasons)[0]


def test_c_63_every_pair_is_tried_or_cannot_be() -> None:
    """No two reasons are left out; funds come last, in the casino alone."""
    by_facts = {reasons for _, reasons, _ in MERGED}
    assert unaccounted(JUDGED, by_facts, map(pair, TOGETHER), CANNOT) == []
