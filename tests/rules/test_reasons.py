"""What refusing is: one reason, the amounts, funds last, and nothing changed.

Which of two reasons is given has its own files: `test_*_reason*.py`.
"""

from typing import Any

import msgspec
import pytest

from blackjack import machine
from blackjack.reasons import BetReason, StepReason
from tests.rules.played import LATE, NY, bet_reason, play, reasons
from tests.rules.pure_table import PureTable
from tests.rules.step_houses import HOUSES, Situation
from tests.rules.test_answer_and_switch_reasons import ANSWERED, SWITCHED
from tests.rules.test_play_reason_pairs import PLAYED

FINE = (1000, 1000)
ACE_UP = "Th 9c Ad 6h 8c 9d"
EIGHTS = "8h 9c 7d 8s 7c Td 3c 2c 2d"
POOR = ("wager = 1000\nbalance = 2000",)
REFUSED = [*ANSWERED.values(), *SWITCHED.values(), *PLAYED.values()]


def test_c_63_a_good_bet_is_accepted() -> None:
    """Without a fault there is no reason."""
    assert bet_reason(NY, *FINE) is None


@pytest.mark.parametrize("amount", [0, -5, 1000.0, "1000", True, None])
def test_c_63_an_amount_is_an_integer_of_at_least_one(amount: object) -> None:
    """Of a main wager and of a side wager alike."""
    sides: dict[str, Any] = {"super_match": amount}
    wagers: tuple[Any, ...] = (amount, amount)
    assert bet_reason(NY, *wagers) == "invalid_amount"
    assert bet_reason(NY, *FINE, sides=sides) == "invalid_amount"


def test_c_63_funds_come_last() -> None:
    """A bet that is above the maximum and above the balance is above the maximum."""
    boxes = ("wager = 500001\nbalance = 5", "wager = 1000\nbalance = 1999")
    table = play("", boxes=boxes)
    assert table.refused_bets == {"1": "above_maximum", "2": "insufficient_funds"}


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


@pytest.mark.parametrize("situation", REFUSED)
def test_c_64_a_refused_step_changes_nothing(situation: Situation) -> None:
    """Round, money, cards and lines are those without the refused step."""
    one, other = without_and_with(situation)
    assert msgspec.json.encode(one.game) == msgspec.json.encode(other.game)
    assert (one.balances, one.lines) == (other.balances, other.lines)
    assert one.cards == other.cards


def without_and_with(situation: Situation) -> tuple[PureTable, PureTable]:
    """Play a situation without its last, refused step and with it."""
    house, cards, text = situation
    rules, boxes = HOUSES[house]
    *before, last = (step.strip() for step in text.split(";"))
    one = play(cards, *before, rules=rules, boxes=boxes)
    return one, play(cards, *before, f"{last} !", rules=rules, boxes=boxes)


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
