"""What a wallet owes an operator who keeps the players' money, and what came of it.

A call is owed by the wallet's state, named by our transaction id, made at the edge and
recorded by a command of the wallet's own. docs/operator-wallet.md has the protocol.
"""

from enum import StrEnum

from contracts.base import Command, Event, Value
from contracts.desk import Proposed
from contracts.envelope import Micros
from contracts.wallet import Transfer


class CallKind(StrEnum):
    AUTHENTICATE = "authenticate"
    BALANCE = "balance"
    DEBIT = "debit"
    CREDIT = "credit"
    ROLLBACK = "rollback"
    CLOSE = "close"


class CallOutcome(StrEnum):
    """How a call stands after an attempt.

    `uncertain`: nobody here can tell whether it has taken effect.
    """

    DONE = "done"
    REFUSED = "refused"
    UNCERTAIN = "uncertain"


class CallReason(StrEnum):
    """Why a command or a stake is refused in an operator's wallet, in this order."""

    OPERATOR_WALLET = "operator_wallet"
    WALLET_IN_USE = "wallet_in_use"
    NO_OPERATOR_WALLET = "no_operator_wallet"
    NO_SESSION = "no_session"
    CALL_NOT_OWED = "call_not_owed"
    OPERATOR_UNCERTAIN = "operator_uncertain"


class OperatorCall(Value, frozen=True):
    """One call. `id` is our transaction id: the same fact always has the same one.

    `reference` is the debit that a rollback takes back, `reason` what the money is
    for, and `is_booked` says that our books hold the amount for the operator.
    """

    id: str
    kind: CallKind
    amount_minor: int = 0
    session: str = ""
    reservation: str = ""
    replaces: str = ""
    reference: str = ""
    reason: str = ""
    box: int = 0
    part: int = 0
    is_booked: bool = False


class OpenSession(Command, frozen=True, tag="wallet.open_session.v1"):
    """A player has come from his operator: the wallet is the operator's from now on.

    `token` is of use once: the operator exchanges it for a session.
    """

    player: str
    currency: str
    token: str


class RefreshBalance(Command, frozen=True, tag="wallet.refresh_balance.v1"):
    """Ask the operator what the player has now."""

    player: str
    currency: str


class RecordCall(Command, frozen=True, tag="wallet.record_call.v1"):
    """An attempt of an owed call, as the wallet's own runner saw it end.

    `was_tried`: an earlier process may have made the same attempt and told nobody.
    Taken from nobody but the runner: on a topic it is not decoded.
    """

    player: str
    currency: str
    call: str
    attempt: int
    outcome: CallOutcome
    reason: str = ""
    operator_balance_minor: int = 0
    operator_transaction: str = ""
    session: str = ""
    was_tried: bool = False


class RetryCall(Command, frozen=True, tag="wallet.retry_call.v1"):
    """Make an owed call again now, for somebody has found and mended the cause."""

    player: str
    currency: str
    call: str


class CallOwed(Event, frozen=True, tag="wallet.call_owed.v1"):
    """The operator is to be called, until the call has ended.

    `token` is given to `authenticate` only. A rollback takes the place of its debit.
    `order`: the case that ordered a correction.
    """

    round_id: str
    player: str
    currency: str
    call: OperatorCall
    token: str = ""
    order: Proposed | None = None


class CallFailed(Event, frozen=True, tag="wallet.call_failed.v1"):
    """An attempt without a certain end; the next one is due at `retry_at`."""

    round_id: str
    player: str
    currency: str
    call: str
    attempt: int
    reason: str
    retry_at: Micros


class CallAlarmed(Event, frozen=True, tag="wallet.call_alarmed.v1"):
    """A call that must not be given up needs a person: said once for a call.

    `outcome` is `refused` where the operator has said no for good, and `uncertain`
    where nothing certain came of any attempt since `failing_since`.
    """

    round_id: str
    player: str
    currency: str
    call: OperatorCall
    attempts: int
    outcome: CallOutcome
    reason: str
    failing_since: Micros


class CallHurried(Event, frozen=True, tag="wallet.call_hurried.v1"):
    """Somebody asked for the next attempt now; the envelope says who."""

    round_id: str
    player: str
    currency: str
    call: str
    attempts: int


class CallEnded(Event, frozen=True, tag="wallet.call_ended.v1"):
    """The call needs no further attempt.

    `transfer` is what it moved in our books, between the bank and the player's
    account, and `balance_minor` is what we hold of the player's after it. The player's
    own balance is the operator's to tell: `operator_balance_minor`.
    """

    round_id: str
    player: str
    currency: str
    call: OperatorCall
    attempts: int
    outcome: CallOutcome
    balance_minor: int
    reason: str = ""
    operator_balance_minor: int = 0
    operator_transaction: str = ""
    session: str = ""
    transfer: Transfer | None = None
