"""The wallet's commands, events and reasons.

Money moves only as transfers between named accounts, in integer minor units.
"""

from enum import StrEnum

from contracts.base import Command, Event, Value

BALANCE_MINOR_MAX = 2**53 - 1
"""The largest integer that every reader of JSON keeps exact."""


class WalletReason(StrEnum):
    """Why a wallet refuses, in order of precedence."""

    COMMAND_ID_REUSED = "command_id_reused"
    COMMAND_EXPIRED = "command_expired"
    SET_ASIDE = "set_aside"
    NOT_AUTHORIZED = "not_authorized"
    UNKNOWN_PLAYER = "unknown_player"
    UNKNOWN_CURRENCY = "unknown_currency"
    INVALID_AMOUNT = "invalid_amount"
    RESERVATION_CANCELLED = "reservation_cancelled"
    INSUFFICIENT_FUNDS = "insufficient_funds"


class CashReason(StrEnum):
    """Why a deposit or withdrawal is refused, before all other reasons."""

    ALREADY_DONE = "already_done"


class Transfer(Value, frozen=True):
    """`amount_minor` (> 0) moves from `debit` to `credit`.

    `id` is deterministic: the same fact always makes the same transfer.
    """

    id: str
    debit: str
    credit: str
    amount_minor: int


class Deposit(Command, frozen=True, tag="wallet.deposit.v1"):
    player: str
    currency: str
    amount_minor: int
    reference: str = ""


class Withdraw(Command, frozen=True, tag="wallet.withdraw.v1"):
    player: str
    currency: str
    amount_minor: int
    reference: str = ""


class Deposited(Event, frozen=True, tag="wallet.deposited.v1"):
    player: str
    currency: str
    transfer: Transfer
    balance_minor: int
    """The player's balance after the transfer."""
    reference: str = ""


class Withdrawn(Event, frozen=True, tag="wallet.withdrawn.v1"):
    player: str
    currency: str
    transfer: Transfer
    balance_minor: int
    reference: str = ""


class FundsReserved(Event, frozen=True, tag="wallet.funds_reserved.v1"):
    """The stake has left the balance and is in play (C-59).

    A replaced bet's stake came back in the same event (`returned`), so that a
    replacement is refused or done as a whole.
    """

    round_id: str
    reservation: str
    player: str
    currency: str
    transfer: Transfer
    balance_minor: int
    returned: Transfer | None = None


class FundsRefused(Event, frozen=True, tag="wallet.funds_refused.v1"):
    """The reservation was refused as a whole (C-60).

    `operator_reason` is what the operator said who keeps the player's money; `reason`
    is then the nearest of ours.
    """

    round_id: str
    reservation: str
    player: str
    currency: str
    amount_minor: int
    balance_minor: int
    reason: WalletReason
    operator_reason: str = ""


class ReservationCancelled(Event, frozen=True, tag="wallet.reservation_cancelled.v1"):
    """A cancelled reservation: returned if it was held, else a tombstone (H1)."""

    round_id: str
    reservation: str
    player: str
    currency: str
    balance_minor: int
    transfer: Transfer | None = None


class PayoutsPosted(Event, frozen=True, tag="wallet.payouts_posted.v1"):
    """One part of a round's settlement is booked for one player.

    Lost stakes go from in play to the house, returned ones back to the player,
    winnings come from the house.
    """

    round_id: str
    part: int
    player: str
    currency: str
    transfers: tuple[Transfer, ...]
    balance_minor: int


class CorrectionPosted(Event, frozen=True, tag="wallet.correction_posted.v1"):
    """An approved correction is booked: house to player, or player to house.

    The round it belongs to may have ended long ago: nothing of its own changes.
    """

    round_id: str
    case: str
    proposal: int
    player: str
    currency: str
    transfer: Transfer
    balance_minor: int


class CorrectionRefused(Event, frozen=True, tag="wallet.correction_refused.v1"):
    """An approved correction that moved nothing."""

    round_id: str
    case: str
    proposal: int
    player: str
    currency: str
    amount_minor: int
    balance_minor: int
    reason: WalletReason
    operator_reason: str = ""


class WalletCommandRefused(Event, frozen=True, tag="wallet.command_refused.v1"):
    command_id: str
    command: str
    reason: str
