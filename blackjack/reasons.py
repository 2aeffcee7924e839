"""Why a bet or a step is refused: the first reason that applies, in this order."""

from enum import StrEnum


class BetReason(StrEnum):
    """Reasons for refusing the bet on a box, in order of precedence (C-63)."""

    BETTING_CLOSED = "betting_closed"
    NO_SUCH_BOX = "no_such_box"
    BOX_TAKEN = "box_taken"
    TABLE_FULL = "table_full"
    TOO_MANY_BOXES = "too_many_boxes"
    BOXES_NOT_ADJACENT = "boxes_not_adjacent"
    ENTRY_BARRED = "entry_barred"
    UNKNOWN_WAGER = "unknown_wager"
    NO_MAIN_WAGER = "no_main_wager"
    INVALID_AMOUNT = "invalid_amount"
    WRONG_WAGER_COUNT = "wrong_wager_count"
    WAGERS_NOT_EQUAL = "wagers_not_equal"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    MINIMUM_ONLY = "minimum_only"
    SIDE_BELOW_MINIMUM = "side_below_minimum"
    SIDE_ABOVE_MAXIMUM = "side_above_maximum"
    INSUFFICIENT_FUNDS = "insufficient_funds"


class StepReason(StrEnum):
    """Reasons for refusing a step, in order of precedence (C-64).

    One order serves every group of the reference: no group puts two of them the
    other way round.
    """

    UNKNOWN_ACTION = "unknown_action"
    NO_SUCH_HAND = "no_such_hand"
    ROUND_OVER = "round_over"
    INSURANCE_NOT_OFFERED = "insurance_not_offered"
    INSURANCE_CLOSED = "insurance_closed"
    INSURANCE_ANSWERED = "insurance_answered"
    EVEN_MONEY_NOT_ALLOWED = "even_money_not_allowed"
    NOT_A_NATURAL = "not_a_natural"
    SWITCH_NOT_ALLOWED = "switch_not_allowed"
    SWITCH_BACK_NOT_ALLOWED = "switch_back_not_allowed"
    HAND_CLOSED = "hand_closed"
    SURRENDER_NOT_ALLOWED = "surrender_not_allowed"
    NOT_ON_A_NATURAL = "not_on_a_natural"
    NOT_YOUR_TURN = "not_your_turn"
    SWITCH_CLOSED = "switch_closed"
    SWITCH_USED = "switch_used"
    NOT_SWITCHED = "not_switched"
    SURRENDER_AFTER_SPLIT = "surrender_after_split"
    SPLIT_ACE = "split_ace"
    NOT_FIRST_TWO_CARDS = "not_first_two_cards"
    TOTAL_IS_21 = "total_is_21"
    NOT_A_PAIR = "not_a_pair"
    SPLIT_LIMIT = "split_limit"
    INVALID_AMOUNT = "invalid_amount"
    INSURANCE_AMOUNT_FIXED = "insurance_amount_fixed"
    AMOUNT_ABOVE_MAXIMUM = "amount_above_maximum"
    DOUBLE_FOR_LESS_NOT_ALLOWED = "double_for_less_not_allowed"
    INSUFFICIENT_FUNDS = "insufficient_funds"
