"""Of two reasons against a play the first is given: C-64."""

import pytest

from blackjack import machine
from tests.rules.played import play
from tests.rules.reason_pairs import excluded, pair, unaccounted
from tests.rules.step_houses import (
    EIGHTS,
    LATER_BOX,
    LATER_BOX_OF_EIGHTS,
    LV_ACES,
    NATURAL,
    OVER,
    PLAIN,
    SPLIT_ONCE,
    SWITCHED_21,
    THREE_CARDS,
    Situation,
    reason_of_the_last,
)

PLAYS = (
    "unknown_action",
    "no_such_hand",
    "round_over",
    "hand_closed",
    "surrender_not_allowed",
    "not_on_a_natural",
    "not_your_turn",
    "surrender_after_split",
    "split_ace",
    "not_first_two_cards",
    "total_is_21",
    "not_a_pair",
    "split_limit",
    "invalid_amount",
    "amount_above_maximum",
    "double_for_less_not_allowed",
    "insufficient_funds",
)
STOOD = "1.1 stand; 1.2 stand; "
SPLIT_STOOD = "1.1 split; 1.1.1 stand; "
BACK = "1 switch; 1.1 stand; 1.2 stand; "

PLAYED: dict[str, Situation] = {
    "unknown_action no_such_hand": ("NY", PLAIN, "9.9 jump"),
    "unknown_action round_over": ("NY", OVER, "1.1 jump"),
    "no_such_hand round_over": ("NY", OVER, "1.3 hit"),
    "no_such_hand surrender_not_allowed": ("PR", PLAIN, "1.3 surrender"),
    "no_such_hand not_your_turn": ("NY", PLAIN, "1.3 hit"),
    "no_such_hand invalid_amount": ("NY", PLAIN, "1.3 double 0"),
    "no_such_hand insufficient_funds": ("NY broke", PLAIN, "1.3 double 500"),
    "round_over hand_closed": ("NY", PLAIN, STOOD + "1.1 hit"),
    "round_over surrender_not_allowed": ("PR", PLAIN, STOOD + "1.1 surrender"),
    "round_over not_on_a_natural": ("NY", NATURAL, "1 keep; 1.2 stand; 1.1 hit"),
    "round_over surrender_after_split": (
        "NY",
        EIGHTS,
        SPLIT_STOOD + "1.1.2 stand; 1.2 stand; 1.1.1 surrender",
    ),
    "round_over not_first_two_cards": (
        "NY",
        THREE_CARDS,
        "1.1 hit; " + STOOD + "1.1 double",
    ),
    "round_over total_is_21": ("NY", SWITCHED_21, BACK + "1.1 hit"),
    "round_over not_a_pair": ("NY", PLAIN, STOOD + "1.1 split"),
    "round_over split_limit": (
        "MA",
        SPLIT_ONCE + " Kd Kh",
        SPLIT_STOOD + "1.1.2 stand; 1.1.1 split",
    ),
    "round_over invalid_amount": ("NY", PLAIN, STOOD + "1.1 double 0"),
    "round_over amount_above_maximum": ("NY", PLAIN, STOOD + "1.1 double 1001"),
    "round_over double_for_less_not_allowed": ("PR", PLAIN, STOOD + "1.1 double 999"),
    "round_over insufficient_funds": ("NY broke", PLAIN, STOOD + "1.1 double"),
    "hand_closed surrender_not_allowed": ("PR", PLAIN, "1.1 stand; 1.1 surrender"),
    "hand_closed not_on_a_natural": ("NY", NATURAL, "1 keep; 1.1 hit"),
    "hand_closed not_your_turn": ("NY", PLAIN, "1.1 stand; 1.1 hit"),
    "hand_closed surrender_after_split": (
        "NY",
        EIGHTS,
        SPLIT_STOOD + "1.1.1 surrender",
    ),
    "hand_closed not_first_two_cards": (
        "NY",
        THREE_CARDS,
        "1.1 hit; 1.1 stand; 1.1 double",
    ),
    "hand_closed total_is_21": ("NY", SWITCHED_21, "1 switch; 1.1 stand; 1.1 hit"),
    "hand_closed not_a_pair": ("NY", PLAIN, "1.1 stand; 1.1 split"),
    "hand_closed split_limit": ("MA", SPLIT_ONCE, SPLIT_STOOD + "1.1.1 split"),
    "hand_closed invalid_amount": ("NY", PLAIN, "1.1 stand; 1.1 double 0"),
    "hand_closed amount_above_maximum": ("NY", PLAIN, "1.1 stand; 1.1 double 1001"),
    "hand_closed double_for_less_not_allowed": (
        "PR",
        PLAIN,
        "1.1 stand; 1.1 double 999",
    ),
    "hand_closed insufficient_funds": ("NY broke", PLAIN, "1.1 stand; 1.1 double"),
    "surrender_not_allowed not_on_a_natural": ("PR", NATURAL, "1.1 surrender"),
    "surrender_not_allowed not_your_turn": ("PR", PLAIN, "1.2 surrender"),
    "surrender_not_allowed surrender_after_split": (
        "PR",
        EIGHTS,
        "1.1 split; 1.1.1 surrender",
    ),
    "surrender_not_allowed not_first_two_cards": (
        "PR",
        THREE_CARDS,
        "1.1 hit; 1.1 surrender",
    ),
    "not_on_a_natural not_your_turn": ("NY", NATURAL, "1.1 stand"),
    "not_on_a_natural total_is_21": ("NY", NATURAL, "1.1 hit"),
    "not_on_a_natural not_a_pair": ("NY", NATURAL, "1.1 split"),
    "not_on_a_natural invalid_amount": ("NY", NATURAL, "1.1 double 0"),
    "not_on_a_natural amount_above_maximum": ("NY", NATURAL, "1.1 double 1001"),
    "not_on_a_natural double_for_less_not_allowed": ("PR", NATURAL, "1.1 double 999"),
    "not_on_a_natural insufficient_funds": ("NY broke", NATURAL, "1.1 double"),
    "not_your_turn surrender_after_split": ("NY", EIGHTS, "1.1 split; 1.1.2 surrender"),
    # A return in box 1 asks its hands again while box 2 has begun (NY-22).
    "not_your_turn not_first_two_cards": (
        "NY two boxes",
        LATER_BOX,
        BACK + "2.1 hit; 1 switch_back; 2.1 double",
    ),
    "not_your_turn total_is_21": (
        "NY",
        "6h Ac 7d Kh 9c Td",
        "1 switch; 1.2 hit",
    ),
    "not_your_turn not_a_pair": ("NY", PLAIN, "1.2 split"),
    "not_your_turn split_limit": (
        "NY two boxes",
        LATER_BOX_OF_EIGHTS,
        BACK + "2.1 split; 2.1.1 split; 2.1.1.1 split; 1 switch_back; 2.1.1.1.1 split",
    ),
    "not_your_turn invalid_amount": ("NY", PLAIN, "1.2 double 0"),
    "not_your_turn amount_above_maximum": ("NY", PLAIN, "1.2 double 1001"),
    "not_your_turn double_for_less_not_allowed": ("PR", PLAIN, "1.2 double 999"),
    "not_your_turn insufficient_funds": ("NY broke", PLAIN, "1.2 double"),
    "surrender_after_split not_first_two_cards": (
        "NY",
        EIGHTS,
        "1.1 split; 1.1.1 hit; 1.1.1 surrender",
    ),
    "split_ace invalid_amount": ("LV", LV_ACES, "1.1 split; 1.1.1 double 0"),
    "split_ace amount_above_maximum": ("LV", LV_ACES, "1.1 split; 1.1.1 double 1001"),
    "split_ace insufficient_funds": ("LV broke", LV_ACES, "1.1 split; 1.1.1 double"),
    "not_first_two_cards not_a_pair": ("NY", THREE_CARDS, "1.1 hit; 1.1 split"),
    "not_first_two_cards split_limit": (
        "MA",
        "8h 7c 8d Td 8s 2s",
        "1.1 split; 1.1.1 hit; 1.1.1 split",
    ),
    "not_first_two_cards invalid_amount": ("NY", THREE_CARDS, "1.1 hit; 1.1 double 0"),
    "not_first_two_cards amount_above_maximum": (
        "NY",
        THREE_CARDS,
        "1.1 hit; 1.1 double 1001",
    ),
    "not_first_two_cards double_for_less_not_allowed": (
        "PR",
        THREE_CARDS,
        "1.1 hit; 1.1 double 999",
    ),
    "not_first_two_cards insufficient_funds": (
        "NY broke",
        THREE_CARDS,
        "1.1 hit; 1.1 double",
    ),
    "not_a_pair split_limit": ("MA", "8h 7c 8d Td 9s", "1.1 split; 1.1.1 split"),
    "not_a_pair insufficient_funds": ("NY broke", PLAIN, "1.1 split"),
    "split_limit insufficient_funds": (
        "MA broke",
        SPLIT_ONCE,
        "1.1 split; 1.1.1 split",
    ),
    "invalid_amount double_for_less_not_allowed": ("PR", PLAIN, "1.1 double 0"),
    "amount_above_maximum insufficient_funds": ("NY broke", PLAIN, "1.1 double 1001"),
    "double_for_less_not_allowed insufficient_funds": (
        "PR broke",
        PLAIN,
        "1.1 double 999",
    ),
}
ASKED_DIRECTLY = ("invalid_amount amount_above_maximum",)
"""An amount that is no integer can be too high as well; no script can say it."""
NO_PLAY = excluded(
    {
        "an unknown action is no play": "unknown_action: hand_closed "
        "surrender_not_allowed not_on_a_natural not_your_turn surrender_after_split "
        "split_ace not_first_two_cards total_is_21 not_a_pair split_limit "
        "invalid_amount amount_above_maximum double_for_less_not_allowed "
        "insufficient_funds",
        "a hand that is not there has no cards, no wager and no end": (
            "no_such_hand: hand_closed not_on_a_natural surrender_after_split "
            "split_ace not_first_two_cards total_is_21 not_a_pair split_limit "
            "amount_above_maximum double_for_less_not_allowed"
        ),
        "when all is settled no other hand is due": "round_over: not_your_turn",
        "a split ace that is asked is neither over, finished nor another's turn": (
            "round_over: split_ace; hand_closed: split_ace; not_your_turn: split_ace"
        ),
        "a surrender is no hit, double or split and costs nothing": (
            "surrender_not_allowed: split_ace total_is_21 not_a_pair split_limit "
            "invalid_amount amount_above_maximum double_for_less_not_allowed "
            "insufficient_funds; surrender_after_split: split_ace total_is_21 "
            "not_a_pair split_limit invalid_amount amount_above_maximum "
            "double_for_less_not_allowed insufficient_funds"
        ),
        "a natural has two cards, was not split, and its hand is the only one": (
            "not_on_a_natural: surrender_after_split split_ace not_first_two_cards "
            "split_limit"
        ),
        "an asked split ace is soft 12 in two cards, and `split` is open to it": (
            "split_ace: not_first_two_cards total_is_21 not_a_pair split_limit"
        ),
        "where aces are split again doubling for less is allowed": (
            "split_ace: double_for_less_not_allowed"
        ),
        "a hit may be the third card and has no amount": (
            "not_first_two_cards: total_is_21; total_is_21: not_a_pair split_limit "
            "invalid_amount amount_above_maximum double_for_less_not_allowed "
            "insufficient_funds"
        ),
        "a split has no amount": "not_a_pair: invalid_amount amount_above_maximum "
        "double_for_less_not_allowed; split_limit: invalid_amount "
        "amount_above_maximum double_for_less_not_allowed",
        "what is no amount exceeds no balance": "invalid_amount: insufficient_funds",
        "more than the wager is not less than it": (
            "amount_above_maximum: double_for_less_not_allowed"
        ),
    }
)


@pytest.mark.parametrize("reasons", PLAYED)
def test_c_64_the_earlier_of_two_reasons_against_a_play(reasons: str) -> None:
    """Both names apply to the last step, and the first is given."""
    assert reason_of_the_last(PLAYED[reasons]) == pair(reasons)[0]


def test_c_64_a_double_of_no_integer_is_no_amount_before_it_is_too_high() -> None:
    """1000.5 on a wager of 1000."""
    game = play(PLAIN).game
    reason = machine.refusal(game, "1.1", "double", 1000.5)  # type: ignore[arg-type]
    assert reason == "invalid_amount"


def test_c_64_every_pair_about_plays_is_tried_or_cannot_be() -> None:
    """No two reasons of the group are left out."""
    tried = (*map(pair, PLAYED), *map(pair, ASKED_DIRECTLY))
    assert unaccounted(PLAYS, tried, NO_PLAY) == []
