"""Of two reasons against an answer or a switch the first is given: C-64."""

import pytest

from blackjack import machine
from blackjack.rule_sets import rule_set
from tests.rules.played import play
from tests.rules.reason_pairs import excluded, pair, unaccounted
from tests.rules.step_houses import (
    ACE_UP,
    LS_SEVEN_UP,
    LV_ACE_UP,
    LV_OVER,
    ON_ACE_UP,
    ON_TWO,
    OVER,
    PLAIN,
    SEVEN_UP,
    Situation,
    reason_of_the_last,
)

FIRST = ("unknown_action", "no_such_hand", "round_over")
ANSWERS = (
    *FIRST,
    "insurance_not_offered",
    "insurance_closed",
    "insurance_answered",
    "even_money_not_allowed",
    "not_a_natural",
    "invalid_amount",
    "insurance_amount_fixed",
    "amount_above_maximum",
    "insufficient_funds",
)
SWITCHES = (
    *FIRST,
    "switch_not_allowed",
    "switch_back_not_allowed",
    "not_your_turn",
    "switch_closed",
    "switch_used",
    "not_switched",
    "insufficient_funds",
)
DECLINED = "1.1 decline; 1.2 decline; "
STOOD = "1.1 stand; 1.2 stand; "

ANSWERED: dict[str, Situation] = {
    "unknown_action no_such_hand": ("NY", PLAIN, "9.9 jump"),
    "unknown_action round_over": ("NY", OVER, "1.1 jump"),
    "no_such_hand round_over": ("NY", OVER, "1.3 insure"),
    "no_such_hand insurance_not_offered": ("NY", SEVEN_UP, "1.3 insure"),
    "no_such_hand insurance_closed": ("NY", ACE_UP, "1 keep; 1.3 insure"),
    "no_such_hand insurance_answered": (
        "ON two boxes",
        ON_TWO,
        "1 decline; 1.1 insure",
    ),
    "no_such_hand even_money_not_allowed": ("NY", ACE_UP, "1.3 even_money"),
    "no_such_hand invalid_amount": ("NY", ACE_UP, "1.3 insure 0"),
    "no_such_hand insurance_amount_fixed": ("ON", ON_ACE_UP, "1.1 insure 5"),
    "no_such_hand amount_above_maximum": ("ON", ON_ACE_UP, "1.1 insure 5000"),
    "no_such_hand insufficient_funds": ("NY broke", ACE_UP, "1.3 insure 500"),
    "round_over insurance_not_offered": ("PR", "Th 9c Kd 6h 8c Ac", "1.1 insure"),
    "round_over insurance_closed": ("NY", OVER, DECLINED + "1.1 insure"),
    "round_over insurance_answered": ("NY", OVER, DECLINED + "1.2 insure"),
    "round_over even_money_not_allowed": ("NY", OVER, DECLINED + "1.1 even_money"),
    "round_over not_a_natural": ("LV", "Th Kc 6d Ad", "1.1 decline; 1.1 even_money"),
    "round_over invalid_amount": ("NY", OVER, DECLINED + "1.1 insure 0"),
    "round_over insurance_amount_fixed": (
        "ON",
        ON_ACE_UP,
        "1 decline; " + STOOD + "1 insure 5",
    ),
    "round_over amount_above_maximum": ("NY", OVER, DECLINED + "1.1 insure 501"),
    "round_over insufficient_funds": ("NY broke", OVER, DECLINED + "1.1 insure"),
    "insurance_not_offered even_money_not_allowed": ("NY", SEVEN_UP, "1.1 even_money"),
    "insurance_not_offered not_a_natural": ("LV", "Th 9c 6d 7d", "1.1 even_money"),
    "insurance_not_offered invalid_amount": ("NY", SEVEN_UP, "1.1 insure 0"),
    "insurance_not_offered insurance_amount_fixed": ("ON", SEVEN_UP, "1 insure 5"),
    "insurance_not_offered amount_above_maximum": ("NY", SEVEN_UP, "1.1 insure 501"),
    "insurance_not_offered insufficient_funds": ("NY broke", SEVEN_UP, "1.1 insure"),
    "insurance_closed insurance_answered": ("NY", ACE_UP, DECLINED + "1.1 insure"),
    "insurance_closed even_money_not_allowed": ("NY", ACE_UP, "1 keep; 1.1 even_money"),
    "insurance_closed not_a_natural": (
        "LV",
        LV_ACE_UP,
        "1.1 decline; 1.1 even_money",
    ),
    "insurance_closed invalid_amount": ("NY", ACE_UP, "1 keep; 1.1 insure 0"),
    "insurance_closed insurance_amount_fixed": (
        "ON",
        ON_ACE_UP,
        "1.1 stand; 1 insure 5",
    ),
    "insurance_closed amount_above_maximum": ("NY", ACE_UP, "1 keep; 1.1 insure 501"),
    "insurance_closed insufficient_funds": ("NY broke", ACE_UP, "1 keep; 1.1 insure"),
    "insurance_answered even_money_not_allowed": (
        "NY",
        ACE_UP,
        "1.1 decline; 1.1 even_money",
    ),
    "insurance_answered not_a_natural": (
        "LV two boxes",
        "Th 9h 9c 6d 8d Ad",
        "1.1 decline; 1.1 even_money",
    ),
    "insurance_answered invalid_amount": ("NY", ACE_UP, "1.1 decline; 1.1 insure 0"),
    "insurance_answered insurance_amount_fixed": (
        "ON two boxes",
        ON_TWO,
        "1 decline; 1 insure 5",
    ),
    "insurance_answered amount_above_maximum": (
        "NY",
        ACE_UP,
        "1.1 insure 1; 1.1 insure 501",
    ),
    "insurance_answered insufficient_funds": (
        "NY broke",
        ACE_UP,
        "1.1 decline; 1.1 insure",
    ),
    "even_money_not_allowed not_a_natural": ("NY", ACE_UP, "1.1 even_money"),
    "invalid_amount insurance_amount_fixed": ("ON", ON_ACE_UP, "1 insure 0"),
    "insurance_amount_fixed amount_above_maximum": ("ON", ON_ACE_UP, "1 insure 1001"),
    "insurance_amount_fixed insufficient_funds": ("ON broke", ON_ACE_UP, "1 insure 9"),
    "amount_above_maximum insufficient_funds": ("NY broke", ACE_UP, "1.1 insure 501"),
}
ASKED_DIRECTLY = ("invalid_amount amount_above_maximum",)
"""An amount that is no integer can be too high as well; no script can say it."""
NO_ANSWER = excluded(
    {
        "an unknown action is no answer": "unknown_action: insurance_not_offered "
        "insurance_closed insurance_answered even_money_not_allowed not_a_natural "
        "invalid_amount insurance_amount_fixed amount_above_maximum "
        "insufficient_funds",
        "a hand that is not there has no cards": "no_such_hand: not_a_natural",
        "what was not offered was neither closed nor answered": (
            "insurance_not_offered: insurance_closed insurance_answered"
        ),
        "even money has no amount and costs nothing": (
            "even_money_not_allowed: invalid_amount insurance_amount_fixed "
            "amount_above_maximum insufficient_funds; not_a_natural: invalid_amount "
            "insurance_amount_fixed amount_above_maximum insufficient_funds"
        ),
        "what is no amount exceeds no balance": "invalid_amount: insufficient_funds",
    }
)

SWITCHED: dict[str, Situation] = {
    "unknown_action no_such_hand": ("NY", PLAIN, "9 jump"),
    "unknown_action round_over": ("NY", OVER, "1 jump"),
    "no_such_hand round_over": ("NY", OVER, "9 switch"),
    "no_such_hand switch_not_allowed": ("LV", "Th 9c 6d 7d", "1.1 switch"),
    "no_such_hand switch_back_not_allowed": ("PR", PLAIN, "1.1 switch_back"),
    "no_such_hand not_your_turn": ("LS", LS_SEVEN_UP, "2.1 switch"),
    "no_such_hand switch_closed": ("NY", PLAIN, "1 keep; 1.1 switch"),
    "no_such_hand switch_used": ("NY", PLAIN, "1 switch; 1.1 switch"),
    "no_such_hand not_switched": ("NY", PLAIN, "1.1 switch_back"),
    "round_over switch_not_allowed": ("LV", LV_OVER, "1 switch"),
    "round_over switch_back_not_allowed": ("PR", OVER, "1 switch_back"),
    "round_over not_your_turn": ("LS", "Th 9c 5d 4h Ac 6h 8c 2d 3h Kd", "2 switch"),
    "round_over switch_closed": ("NY", PLAIN, STOOD + "1 switch"),
    "round_over switch_used": ("NY", PLAIN, "1 switch; " + STOOD + "1 switch"),
    "round_over not_switched": ("NY", PLAIN, STOOD + "1 switch_back"),
    "switch_not_allowed switch_back_not_allowed": (
        "MA",
        "Th 7c 6d 9h",
        "1 switch_back",
    ),
    "switch_not_allowed not_switched": ("LV", "Th 9c 6d 7d", "1 switch_back"),
    "switch_back_not_allowed switch_closed": ("PR", PLAIN, "1 keep; 1 switch_back"),
    "switch_back_not_allowed not_switched": ("PR", PLAIN, "1 switch_back"),
    "not_your_turn switch_closed": (
        "LS",
        "Th 9c Ah 7c 5s 6h 5c Kh 8c Ad",
        "2.1 even_money; " + DECLINED + "2.2 decline; 2 switch",
    ),
    "not_your_turn not_switched": ("LS", LS_SEVEN_UP, "2 switch_back"),
    "switch_closed switch_used": ("NY", PLAIN, "1 switch; 1 keep; 1 switch"),
    "switch_closed not_switched": ("NY", PLAIN + " 2c", "1.1 hit; 1 switch_back"),
}
NO_SWITCH = excluded(
    {
        "an unknown action is no switch": "unknown_action: switch_not_allowed "
        "switch_back_not_allowed not_your_turn switch_closed switch_used not_switched",
        "a switch costs nothing": "unknown_action: insufficient_funds; "
        "no_such_hand: insufficient_funds; round_over: insufficient_funds; "
        "switch_not_allowed: insufficient_funds; "
        "switch_back_not_allowed: insufficient_funds; "
        "not_your_turn: insufficient_funds; switch_closed: insufficient_funds; "
        "switch_used: insufficient_funds; not_switched: insufficient_funds",
        "without a switch there is no window to wait for, to close or to use": (
            "switch_not_allowed: not_your_turn switch_closed switch_used"
        ),
        "where the window waits for the turn a switch can be returned": (
            "switch_back_not_allowed: not_your_turn"
        ),
        "a return is not a second switch": (
            "switch_back_not_allowed: switch_used; switch_used: not_switched"
        ),
        "before its turn a box has not switched": "not_your_turn: switch_used",
    }
)


@pytest.mark.parametrize("reasons", ANSWERED)
def test_c_64_the_earlier_of_two_reasons_against_an_answer(reasons: str) -> None:
    """Both names apply to the last step, and the first is given."""
    assert reason_of_the_last(ANSWERED[reasons]) == pair(reasons)[0]


@pytest.mark.parametrize("reasons", SWITCHED)
def test_c_64_the_earlier_of_two_reasons_against_a_switch(reasons: str) -> None:
    """Both names apply to the last step, and the first is given."""
    assert reason_of_the_last(SWITCHED[reasons]) == pair(reasons)[0]


def test_c_64_an_insurance_of_no_integer_is_no_amount_before_it_is_too_high() -> None:
    """501.5 where at most 500 may be insured."""
    bets = (machine.Bet(1, (1000, 1000)),)
    game = machine.open_round(rule_set("ny-switch-6d"), bets)
    game = machine.deal(game, ("Th", "9c", "Ad", "6h", "8c", None))
    reason = machine.refusal(game, "1.1", "insure", 501.5)  # type: ignore[arg-type]
    assert reason == "invalid_amount"


@pytest.mark.parametrize(("up", "closed"), [("Ad", True), ("7d", False)])
def test_c_64_a_split_hand_was_covered_by_its_starting_hands_offer(
    up: str,
    closed: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """After the split the offer is closed for its hands; without one it never was."""
    reason = "insurance_closed" if closed else "insurance_not_offered"
    refused = (f"1.1.1 insure !{reason}", f"1.1.2 even_money !{reason}")
    before = ("1.1 decline", "1.2 decline") if closed else ()
    play(f"8h 9c {up} 8s 7c 9d 3c", *before, "1.1 split", *refused)


def test_c_64_every_pair_about_answers_and_switches_is_tried_or_cannot_be() -> None:
    """No two reasons of a group are left out."""
    tried = (*map(pair, ANSWERED), *map(pair, ASKED_DIRECTLY))
    assert unaccounted(ANSWERS, tried, NO_ANSWER) == []
    assert unaccounted(SWITCHES, map(pair, SWITCHED), NO_SWITCH) == []
