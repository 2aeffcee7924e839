"""The first reason that applies is given, in the order of C-63 and C-64.

Each case breaks two rules at once (its name says which); the earlier reason is given.
"""

from typing import Any

import msgspec
import pytest

from blackjack import machine
from blackjack.bets import Bet, BetContext, bet_refusal
from blackjack.reasons import BetReason, StepReason
from blackjack.rule_sets import Limits, rule_set
from blackjack.script import read_script
from tests.rules.played import LATE, NY, play, reasons, script_text
from tests.rules.pure_table import PureTable

FINE = (1000, 1000)
FAULTS: dict[str, dict[str, Any]] = {
    "betting_closed": {"closed": True},
    "no_such_box": {"box": 6},
    "box_taken": {"holders": {1: "bob"}},
    "too_many_boxes": {"holders": {4: "ann", 5: "ann"}, "most": 2},
    "entry_barred": {"barred": True},
    "unknown_wager": {"sides": {"bet_the_set": 100}},
    "no_main_wager": {"wagers": (), "sides": {"super_match": 100}},
    "invalid_amount": {"wagers": (0, 0)},
    "wrong_wager_count": {"wagers": (1000,)},
    "wagers_not_equal": {"wagers": (1000, 1001)},
    "below_minimum": {"wagers": (999, 999)},
    "above_maximum": {"wagers": (500001, 500001)},
    "side_below_minimum": {"sides": {"super_match": 99}},
    "side_above_maximum": {"sides": {"super_match": 500001}},
}
"""Every reason that a New York bet can have, but for funds (`insufficient_funds`)."""


def refused(
    *,
    box: int = 1,
    wagers: tuple[Any, ...] = FINE,
    sides: dict[str, Any] | None = None,
    most: int = 5,
    **context: Any,
) -> BetReason | None:
    rules = rule_set(NY, {"boxes_per_player": most})
    facts = BetContext(player="ann", **context)
    return bet_refusal(rules, Limits(), Bet(box, wagers, sides or {}), facts)


@pytest.mark.parametrize("reason", FAULTS)
def test_c_63_each_reason_by_itself(reason: str) -> None:
    """One fault, one reason."""
    assert refused(**FAULTS[reason]) == reason


def test_c_63_a_good_bet_is_accepted() -> None:
    """Without a fault there is no reason."""
    assert refused() is None


PAIRS: dict[str, dict[str, Any]] = {
    "box_taken too_many_boxes": {"holders": {1: "bob", 4: "ann"}, "most": 1},
    "unknown_wager no_main_wager": {"wagers": (), "sides": {"bet_the_set": 100}},
    "unknown_wager invalid_amount": {"sides": {"bet_the_set": 0}},
    "no_main_wager invalid_amount": {"wagers": (), "sides": {"super_match": 0}},
    "invalid_amount wrong_wager_count": {"wagers": (0,)},
    "invalid_amount wagers_not_equal": {"wagers": (0, 1000)},
    "wrong_wager_count wagers_not_equal": {"wagers": (1000, 1001, 1002)},
    "wrong_wager_count below_minimum": {"wagers": (999,)},
    "wagers_not_equal below_minimum": {"wagers": (999, 1000)},
    "wagers_not_equal above_maximum": {"wagers": (500001, 500002)},
    "below_minimum minimum_only": {"wagers": (999, 999), "minimum_only": True},
    "above_maximum minimum_only": {"wagers": (500001,) * 2, "minimum_only": True},
    "above_maximum side_below_minimum": {
        "wagers": (500001, 500001),
        "sides": {"super_match": 99},
    },
    "minimum_only side_below_minimum": {
        "wagers": (1001, 1001),
        "minimum_only": True,
        "sides": {"super_match": 99},
    },
    "minimum_only side_above_maximum": {
        "wagers": (1001, 1001),
        "minimum_only": True,
        "sides": {"super_match": 500001},
    },
}


@pytest.mark.parametrize("pair", PAIRS)
def test_c_63_the_earlier_of_two_reasons_about_a_bet(pair: str) -> None:
    """Both of its names apply; the first is given."""
    assert refused(**PAIRS[pair]) == pair.split(maxsplit=1)[0]


@pytest.mark.parametrize("place", range(len(FAULTS) - 1))
def test_c_63_an_earlier_fault_hides_every_later_one(place: int) -> None:
    """Faults that do not touch the same fact are put together."""
    names = [*FAULTS]
    for later in names[place + 1 :]:
        first, second = FAULTS[names[place]], FAULTS[later]
        if not first.keys() & second.keys():
            assert refused(**{**second, **first}) == names[place], later


@pytest.mark.parametrize("amount", [0, -5, 1000.0, "1000", True, None])
def test_c_63_an_amount_is_an_integer_of_at_least_one(amount: object) -> None:
    """Of a main wager and of a side wager alike."""
    assert refused(wagers=(amount, amount)) == "invalid_amount"
    assert refused(sides={"super_match": amount}) == "invalid_amount"


def test_c_63_funds_come_last() -> None:
    """A bet that is above the maximum and above the balance is above the maximum."""
    boxes = ("wager = 500001\nbalance = 5", "wager = 1000\nbalance = 1999")
    table = play("", boxes=boxes)
    assert table.refused_bets == {"1": "above_maximum", "2": "insufficient_funds"}


ROUND = "Th 9c 8h 7c 7d 6h 8c 5h 6c 9d"
NATURAL = "Ah 9c 7d Th 8c Td"
EIGHTS = "8h 9c 7d 8s 7c Td 3c 2c 2d"
FOUR = "8h 9c 7d 8s 7c Td 8c 8d 8h 2c"
SPLIT_4 = ("1.1 split", "1.1.1 split", "1.1.1.1 split")
ACE_UP = "Th 9c Ad 6h 8c 9d"
OVER = "Th 9c Kd 6h 8c Ad"
POOR = ("wager = 1000\nbalance = 2000",)
STEPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "unknown_action no_such_hand": (ROUND, ("9.9 jump",)),
    "unknown_action round_over": (OVER, ("1.1 jump",)),
    "no_such_hand round_over": (OVER, ("1.3 hit",)),
    "no_such_hand insurance_not_offered": (NATURAL, ("1.3 insure",)),
    "no_such_hand switch_closed": (NATURAL, ("1 keep", "1.1 switch")),
    "no_such_hand hand_closed": (EIGHTS, ("1.1 split", "1.1 hit")),
    "no_such_hand not_your_turn": (ROUND, ("1 hit",)),
    "round_over insurance_not_offered": (
        OVER,
        ("1.1 decline", "1.2 decline", "1.1 insure"),
    ),
    "round_over not_switched": (OVER, ("1 switch_back",)),
    "round_over hand_closed": (OVER, ("1.1 hit",)),
    "insurance_not_offered invalid_amount": (ROUND, ("1.1 insure 0",)),
    "insurance_not_offered even_money_not_allowed": (ROUND, ("1.1 even_money",)),
    "insurance_closed insurance_answered": (
        ACE_UP,
        ("1.1 decline", "1.2 decline", "1.1 insure"),
    ),
    "insurance_closed invalid_amount": (ACE_UP, ("1 keep", "1.1 insure 0")),
    "insurance_closed even_money_not_allowed": (ACE_UP, ("1 keep", "1.1 even_money")),
    "insurance_answered even_money_not_allowed": (
        ACE_UP,
        ("1.1 decline", "1.1 even_money"),
    ),
    "insurance_answered invalid_amount": (ACE_UP, ("1.1 decline", "1.1 insure 0")),
    "insurance_answered amount_above_maximum": (
        ACE_UP,
        ("1.1 insure 1", "1.1 insure 501"),
    ),
    "even_money_not_allowed not_a_natural": (ACE_UP, ("1.1 even_money",)),
    "invalid_amount": (ACE_UP, ("1.1 insure -501",)),
    "amount_above_maximum": (ACE_UP, ("1.1 insure 501",)),
    "switch_closed switch_used": (ROUND, ("1 switch", "1 keep", "1 switch")),
    "switch_closed not_switched": (
        ROUND + " 2c",
        ("1.1 hit", "1 switch_back"),
    ),
    "switch_used": (ROUND, ("1 switch", "1 switch_back", "1 switch")),
    "not_switched": (ROUND, ("1 switch_back",)),
    "hand_closed not_your_turn": (ROUND, ("1.1 stand", "1.1 hit")),
    "hand_closed not_on_a_natural": (NATURAL, ("1 keep", "1.1 hit")),
    "hand_closed not_first_two_cards": (
        ROUND + " 5c",
        ("1.1 hit", "1.1 double"),
    ),
    "not_on_a_natural not_your_turn": (NATURAL, ("1.1 hit",)),
    "not_on_a_natural total_is_21": (NATURAL, ("1.1 hit",)),
    "not_on_a_natural not_a_pair": (NATURAL, ("1.1 split",)),
    "not_on_a_natural amount_above_maximum": (NATURAL, ("1.1 double 9999",)),
    "not_your_turn not_a_pair": (ROUND, ("1.2 split",)),
    "not_your_turn invalid_amount": (ROUND, ("1.2 double 0",)),
    "not_your_turn surrender_after_split": (EIGHTS, ("1.1 split", "1.1.2 surrender")),
    "not_your_turn not_first_two_cards": (EIGHTS, ("1.1 split", "1.1.2 double")),
    "surrender_after_split not_first_two_cards": (
        EIGHTS,
        ("1.1 split", "1.1.1 hit", "1.1.1 surrender"),
    ),
    "not_first_two_cards not_a_pair": (ROUND + " 2c", ("1.1 hit", "1.1 split")),
    "not_first_two_cards split_limit": (
        FOUR + " 2s",
        (*SPLIT_4, "1.1.1.1.1 hit", "1.1.1.1.1 split"),
    ),
    "not_first_two_cards invalid_amount": (ROUND + " 2c", ("1.1 hit", "1.1 double 0")),
    "not_first_two_cards amount_above_maximum": (
        ROUND + " 2c",
        ("1.1 hit", "1.1 double 1001"),
    ),
    "not_a_pair split_limit": (
        "8h 9c 7d 8s 7c Td 8c 8d 9h 2c",
        (*SPLIT_4, "1.1.1.1.1 split"),
    ),
}
"""Both reasons of a name apply to the last step; those that can meet in New York."""
TWO = ("wager = 1000", "wager = 1000")


@pytest.mark.parametrize("pair", STEPS)
def test_c_64_the_earlier_of_two_reasons_about_a_step(pair: str) -> None:
    """Everything before the last step is accepted; the last one gets the first name."""
    cards, (*before, last) = STEPS[pair]
    boxes = TWO if cards.startswith(ROUND) else TWO[:1]
    table = play(cards, *before, f"{last} !", boxes=boxes)
    assert reasons(table) == [pair.split(maxsplit=1)[0]]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("1.1 split", "not_a_pair"),
        ("1.1 double 0", "invalid_amount"),
        ("1.1 double 1001", "amount_above_maximum"),
        ("1.2 double", "not_your_turn"),
        ("1.1 double", "insufficient_funds"),
    ],
)
def test_c_64_funds_are_looked_at_last(step: str, reason: str) -> None:
    """Nothing is left on the balance in any of them."""
    table = play("6h 9c 7d 5h 8c Td", f"{step} !", boxes=POOR)
    assert reasons(table) == [reason]


def test_c_64_insurance_needs_its_amount() -> None:
    """With 100 left an insurance of 101 is refused and one of 100 accepted."""
    box = ("wager = 1000\nbalance = 2100",)
    steps = ("1.1 insure 101 !insufficient_funds", "1.1 insure 100")
    assert play(ACE_UP, *steps, boxes=box).balances == {"p1": 0}


@pytest.mark.parametrize("pair", STEPS)
def test_c_64_a_refused_step_changes_nothing(pair: str) -> None:
    """Round, money, cards and lines are those without the refused step."""
    cards, (*before, last) = STEPS[pair]
    boxes = TWO if cards.startswith(ROUND) else TWO[:1]
    without = read_script(script_text(cards, *before, boxes=boxes))
    refused = read_script(script_text(cards, *before, f"{last} !", boxes=boxes))
    tables = PureTable(without), PureTable(refused)
    for table in tables:
        table.play()
    one, other = tables
    assert msgspec.json.encode(one.game) == msgspec.json.encode(other.game)
    assert (one.balances, one.lines) == (other.balances, other.lines)
    assert one.cards == other.cards


def test_c_64_an_amount_is_an_integer() -> None:
    """A machine asked directly refuses what no script can say."""
    game = play("6h 9c 7d 5h 8c Td").game
    for amount in (0, -1, 2.5, True, "5"):
        reason = machine.refusal(game, "1.1", "double", amount)
        assert reason == "invalid_amount"


def test_c_64_what_is_offered_is_accepted_and_nothing_else() -> None:
    """Every action on every target: offered or refused with a reason."""
    game = play(EIGHTS, options=LATE).game
    offered = {
        (offer.target, option.action)
        for offer in machine.offers(game)
        for option in offer.options
    }
    answers = ("insure", "decline", "even_money")
    switches = ("switch", "switch_back", "keep")
    plays = ("hit", "stand", "double", "split", "surrender")
    for target in ("1", "1.1", "1.2"):
        for action in (*answers, *switches, *plays):
            accepted = machine.refusal(game, target, action) is None
            assert accepted == ((target, action) in offered), (target, action)


BETS = """
betting_closed no_such_box box_taken table_full too_many_boxes boxes_not_adjacent
entry_barred unknown_wager no_main_wager invalid_amount wrong_wager_count
wagers_not_equal below_minimum above_maximum minimum_only side_below_minimum
side_above_maximum insufficient_funds
"""
GROUPS = """
unknown_action no_such_hand round_over insurance_not_offered insurance_closed \
insurance_answered even_money_not_allowed not_a_natural invalid_amount \
insurance_amount_fixed amount_above_maximum insufficient_funds
unknown_action no_such_hand round_over switch_not_allowed switch_back_not_allowed \
not_your_turn switch_closed switch_used not_switched insufficient_funds
unknown_action no_such_hand round_over hand_closed surrender_not_allowed \
not_on_a_natural not_your_turn surrender_after_split split_ace not_first_two_cards \
total_is_21 not_a_pair split_limit invalid_amount amount_above_maximum \
double_for_less_not_allowed insufficient_funds
"""


def test_c_63_reasons_stand_in_the_order_of_the_reference() -> None:
    """All eighteen."""
    assert list(BetReason) == BETS.split()


@pytest.mark.parametrize("group", GROUPS.strip().split("\n"))
def test_c_64_each_group_keeps_its_order(group: str) -> None:
    """Answers, switches and plays: one list holds the order of all three."""
    named = group.split()
    assert [reason for reason in StepReason if reason in named] == named
