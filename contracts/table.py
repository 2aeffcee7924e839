"""What may be asked of a table, and why it may be refused.

One command per decision of the game; `round_id` and the box's or hand's label name
what it is for. Rule-book reasons keep the rule book's words (C-63, C-64).
"""

from enum import StrEnum

from contracts.base import Command, Value


class TableReason(StrEnum):
    """Reasons of the table itself, in order of precedence.

    They come before the rule book's own (`blackjack.reasons`).
    """

    COMMAND_ID_REUSED = "command_id_reused"
    COMMAND_EXPIRED = "command_expired"
    SET_ASIDE = "set_aside"
    NOT_AUTHORIZED = "not_authorized"
    INVALID_NAME = "invalid_name"
    UNKNOWN_TABLE = "unknown_table"
    TABLE_EXISTS = "table_exists"
    TABLE_CLOSED = "table_closed"
    UNKNOWN_RULE_SET = "unknown_rule_set"
    INVALID_OPTIONS = "invalid_options"
    INVALID_LIMITS = "invalid_limits"
    INVALID_TIMINGS = "invalid_timings"
    NO_PLAYER_MAXIMUM = "no_player_maximum"
    NO_RETURN_RULE = "no_return_rule"
    SEAT_GIVEN_UP = "seat_given_up"
    UNKNOWN_ROUND = "unknown_round"
    ROUND_OVER = "round_over"
    NOT_YOUR_BOX = "not_your_box"
    VERSION_CONFLICT = "version_conflict"
    BETTING_OPEN = "betting_open"
    NO_BET = "no_bet"
    BET_PENDING = "bet_pending"
    FUNDS_PENDING = "funds_pending"
    PAYOUT_PENDING = "payout_pending"
    SEED_NOT_AWAITED = "seed_not_awaited"
    SEED_DOES_NOT_MATCH = "seed_does_not_match"
    INVALID_SEED_HASH = "invalid_seed_hash"
    NO_BURNED_CARD = "no_burned_card"
    REASON_MISSING = "reason_missing"


class TableLimits(Value, frozen=True):
    """Posted limits, minor units (rule-set reference, Limits)."""

    min_minor: int = 1000
    max_minor: int = 500000
    side_min_minor: int = 100


class Timings(Value, frozen=True):
    """How long the table waits, milliseconds.

    `min_cycle_ms`: a round's first card comes no earlier after that of the round
    before, however soon all are ready (RTS 14G); 0 where nobody asks for that.
    """

    betting_ms: int = 20000
    seed_ms: int = 5000
    insurance_ms: int = 15000
    decision_ms: int = 30000
    funds_ms: int = 10000
    min_cycle_ms: int = 0


class OpenTable(Command, frozen=True, tag="table.open_table.v1"):
    table: str
    rule_set: str
    currency: str
    options: dict[str, str | bool | int | float | list[str]] = {}
    limits: TableLimits = TableLimits()
    timings: Timings = Timings()


class CloseTable(Command, frozen=True, tag="table.close_table.v1"):
    """Take no new rounds; the round in play is finished."""

    table: str
    reason: str


class ChangeLimits(Command, frozen=True, tag="table.change_limits.v1"):
    """New posted limits, from the next round on."""

    table: str
    limits: TableLimits


class ChangeDealer(Command, frozen=True, tag="table.change_dealer.v1"):
    """A new dealer takes over before the next round (burns a card: NY-5)."""

    table: str
    dealer: str


class SetPlayerMaximum(Command, frozen=True, tag="table.set_player_maximum.v1"):
    """Another maximum for one player (LV-8), from the next round on.

    It replaces the table's, whichever is higher; 0 takes it back.
    """

    table: str
    player: str
    max_minor: int


class ReserveSeat(Command, frozen=True, tag="table.reserve_seat.v1"):
    """The house agrees to keep a leaving player's seat until the return (MA-5)."""

    table: str
    player: str


class PlaceBet(Command, frozen=True, tag="table.place_bet.v1"):
    """Bet on a box, or replace one's bet there, until the first card (C-10).

    `wagers_minor` is one amount per main wager. `seed_hash`, SHA-256 of a seed the
    player keeps for now, takes part in the cut of a new shoe (H12).
    """

    round_id: str
    box: int
    wagers_minor: tuple[int, ...] = ()
    side_wagers_minor: dict[str, int] = {}
    seed_hash: bytes = b""


class WithdrawBet(Command, frozen=True, tag="table.withdraw_bet.v1"):
    round_id: str
    box: int


class StartDealing(Command, frozen=True, tag="table.start_dealing.v1"):
    """The player is ready; betting closes when every player with a bet is."""

    round_id: str


class OpenSeed(Command, frozen=True, tag="table.open_seed.v1"):
    round_id: str
    box: int
    seed: bytes


class ShowBurnedCard(Command, frozen=True, tag="table.show_burned_card.v1"):
    round_id: str


class VoidRound(Command, frozen=True, tag="table.void_round.v1"):
    """Support ends a round that cannot be finished; stakes go back (H2)."""

    round_id: str
    reason: str


class HandCommand(Command, frozen=True):
    """A decision: `target` is a box (`1`) or a hand (`1.1`).

    With `expected_version`, the stream version the player saw, a decision made on
    an outdated view is refused instead of guessed at.
    """

    round_id: str
    target: str
    expected_version: int | None = None


class AmountCommand(HandCommand, frozen=True):
    """A decision with money: no amount means the most allowed."""

    amount_minor: int | None = None


class InsureHand(AmountCommand, frozen=True, tag="table.insure_hand.v1"):
    pass


class DeclineInsurance(HandCommand, frozen=True, tag="table.decline_insurance.v1"):
    pass


class TakeEvenMoney(HandCommand, frozen=True, tag="table.take_even_money.v1"):
    pass


class SwitchCards(HandCommand, frozen=True, tag="table.switch_cards.v1"):
    pass


class ReturnCards(HandCommand, frozen=True, tag="table.return_cards.v1"):
    pass


class KeepCards(HandCommand, frozen=True, tag="table.keep_cards.v1"):
    pass


class Hit(HandCommand, frozen=True, tag="table.hit.v1"):
    pass


class Stand(HandCommand, frozen=True, tag="table.stand.v1"):
    pass


class DoubleDown(AmountCommand, frozen=True, tag="table.double_down.v1"):
    pass


class SplitHand(HandCommand, frozen=True, tag="table.split_hand.v1"):
    pass


class SurrenderHand(HandCommand, frozen=True, tag="table.surrender_hand.v1"):
    pass


ACTIONS: dict[type[HandCommand], str] = {
    InsureHand: "insure",
    DeclineInsurance: "decline",
    TakeEvenMoney: "even_money",
    SwitchCards: "switch",
    ReturnCards: "switch_back",
    KeepCards: "keep",
    Hit: "hit",
    Stand: "stand",
    DoubleDown: "double",
    SplitHand: "split",
    SurrenderHand: "surrender",
}
"""Each decision's command and its word in the rule book and in round scripts."""

COMMAND_FOR: dict[str, type[HandCommand]] = {
    action: command for command, action in ACTIONS.items()
}
