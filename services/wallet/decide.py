"""What a wallet answers: each decision is a ladder of guards, then one event.

A balance never goes below zero, money leaves a round only once, and what a message
said before is not done again. What cannot be true stops the wallet by an assertion.
"""

from typing import assert_never

from contracts.desk import ProposalApproved
from contracts.identities import is_currency, is_player_id, wallet_stream
from contracts.round_events import (
    FundsDeclined,
    FundsRequested,
    WagersPlaced,
    WagersRefused,
    WagersWithdrawn,
)
from contracts.settlement import RoundVoidSettled, WagersSettled
from contracts.wallet import (
    BALANCE_MINOR_MAX,
    CashReason,
    Deposit,
    Deposited,
    FundsRefused,
    FundsReserved,
    PayoutsPosted,
    ReservationCancelled,
    Transfer,
    WalletReason,
    Withdraw,
    Withdrawn,
)
from contracts.wallet_calls import (
    CallReason,
    OpenSession,
    RecordCall,
    RefreshBalance,
    RetryCall,
)
from runtime.service import Context, Decided, Rejected
from services.wallet import calls, corrections, transfers
from services.wallet.state import RoundFunds, Wallet, funds_of
from services.wallet.transfers import Accounts, net_minor

Reserve = WagersPlaced | FundsRequested
Cancel = WagersWithdrawn | WagersRefused | FundsDeclined
Owned = Deposit | Withdraw | Reserve | Cancel
Message = (
    Owned
    | WagersSettled
    | RoundVoidSettled
    | ProposalApproved
    | OpenSession
    | RefreshBalance
    | RetryCall
    | RecordCall
)


def decide(message: Message, state: Wallet, context: Context) -> Decided:
    match message:
        case Deposit():
            return deposit(message, state, context)
        case Withdraw():
            return withdraw(message, state, context)
        case WagersPlaced() | FundsRequested():
            return reserve(message, state)
        case WagersWithdrawn() | WagersRefused() | FundsDeclined():
            return cancel(message, state)
        case WagersSettled():
            return post_payouts(message, state)
        case RoundVoidSettled():
            return post_refunds(message, state)
        case ProposalApproved():
            return corrections.correct(message, state)
        case OpenSession():
            return calls.open_session(message, state, context)
        case RefreshBalance():
            return calls.refresh_balance(message, state, context)
        case RetryCall():
            return calls.hurry(message, state, context)
        case RecordCall():
            return calls.record(message, state, context)
        case _:
            assert_never(message)


def deposit(command: Deposit, state: Wallet, context: Context) -> Decided:
    name = transfers.cash_id("deposit", context.actor, context.cause_id)
    if name in state.cash_transfers:
        return Rejected(CashReason.ALREADY_DONE)
    if reason := _cash_refusal(command, context):
        return Rejected(reason)
    if state.operator is not None:
        return Rejected(CallReason.OPERATOR_WALLET)
    balance_minor = state.balance_minor + command.amount_minor
    if balance_minor > BALANCE_MINOR_MAX:
        return Rejected(WalletReason.INVALID_AMOUNT)

    _assert_owner(command, state)
    own = Accounts(state)
    transfer = transfers.transfer(name, own.bank, own.player, command.amount_minor)
    return (
        Deposited(
            player=state.player,
            currency=state.currency,
            transfer=transfer,
            balance_minor=balance_minor,
            reference=command.reference,
        ),
    )


def withdraw(command: Withdraw, state: Wallet, context: Context) -> Decided:
    name = transfers.cash_id("withdraw", context.actor, context.cause_id)
    if name in state.cash_transfers:
        return Rejected(CashReason.ALREADY_DONE)
    if reason := _cash_refusal(command, context):
        return Rejected(reason)
    if state.operator is not None:
        return Rejected(CallReason.OPERATOR_WALLET)
    if command.amount_minor > state.balance_minor:
        return Rejected(WalletReason.INSUFFICIENT_FUNDS)

    _assert_owner(command, state)
    own = Accounts(state)
    transfer = transfers.transfer(name, own.player, own.bank, command.amount_minor)
    return (
        Withdrawn(
            player=state.player,
            currency=state.currency,
            transfer=transfer,
            balance_minor=state.balance_minor - command.amount_minor,
            reference=command.reference,
        ),
    )


def _cash_refusal(command: Deposit | Withdraw, context: Context) -> WalletReason | None:
    if context.actor.kind not in ("platform", "support"):
        return WalletReason.NOT_AUTHORIZED
    if not is_player_id(command.player):
        return WalletReason.UNKNOWN_PLAYER
    if not is_currency(command.currency):
        return WalletReason.UNKNOWN_CURRENCY
    if not 1 <= command.amount_minor <= BALANCE_MINOR_MAX:
        return WalletReason.INVALID_AMOUNT
    return None


def _assert_owner(message: Owned, state: Wallet) -> None:
    meant = wallet_stream(message.player, message.currency)
    assert meant == wallet_stream(state.player, state.currency), f"not for {meant}"


def reserve(message: Reserve, state: Wallet) -> Decided:
    """Put a stake in play, or refuse it as a whole (C-59, C-60)."""
    _assert_owner(message, state)
    funds = funds_of(state, message.round_id)
    if message.reservation in funds.held or message.reservation in funds.ended:
        return ()
    if message.reservation in funds.tombstones:
        return _refused(message, state, WalletReason.RESERVATION_CANCELLED)
    if state.operator is not None:
        return calls.debit(message, state, state.operator)
    own = Accounts(state, message.round_id)
    returned = _replaced(message, funds, own)
    free_minor = state.balance_minor + (returned.amount_minor if returned else 0)
    if message.amount_minor > free_minor:
        return _refused(message, state, WalletReason.INSUFFICIENT_FUNDS)

    transfer = transfers.stake_in(own, message.reservation, message.amount_minor)
    return (
        FundsReserved(
            round_id=message.round_id,
            reservation=message.reservation,
            player=state.player,
            currency=state.currency,
            transfer=transfer,
            balance_minor=free_minor - message.amount_minor,
            returned=returned,
        ),
    )


def _replaced(message: Reserve, funds: RoundFunds, own: Accounts) -> Transfer | None:
    """Give back the stake of the bet that this one takes the place of (C-10)."""
    if isinstance(message, FundsRequested):
        return None
    return transfers.replaced(own, funds, message.replaces)


def _refused(message: Reserve, state: Wallet, reason: WalletReason) -> Decided:
    return (
        FundsRefused(
            round_id=message.round_id,
            reservation=message.reservation,
            player=state.player,
            currency=state.currency,
            amount_minor=message.amount_minor,
            balance_minor=state.balance_minor,
            reason=reason,
        ),
    )


def cancel(message: Cancel, state: Wallet) -> Decided:
    """Return a reservation that is held; bar one that has not come yet (H1).

    One that the wallet refused, or that has ended otherwise, has nothing to return.
    """
    _assert_owner(message, state)
    funds = funds_of(state, message.round_id)
    if message.reservation in funds.ended or message.reservation in funds.tombstones:
        return ()
    held_minor = funds.held.get(message.reservation, 0)
    assert held_minor <= funds.in_play_minor, f"{message.reservation} is settled"

    own = Accounts(state, message.round_id)
    release = None
    if held_minor:
        release = transfers.stake_out(own, message.reservation, held_minor)
    event = ReservationCancelled(
        round_id=message.round_id,
        reservation=message.reservation,
        player=state.player,
        currency=state.currency,
        balance_minor=state.balance_minor + held_minor,
        transfer=release,
    )
    return calls.after_cancel(state, event)


def post_payouts(message: WagersSettled, state: Wallet) -> Decided:
    """Book this player's lines of one part of the settlement (C-56)."""
    own = Accounts(state, message.round_id)
    part = f"{message.round_id}:{message.part}"
    lines = (item for item in message.lines if item.player == state.player)
    moves = tuple(t for item in lines for t in transfers.payout(own, part, item))
    return _posted(message, state, moves, over=message.final)


def post_refunds(message: RoundVoidSettled, state: Wallet) -> Decided:
    """Book what a void gives back to this player, lost stakes included (H2)."""
    own = Accounts(state, message.round_id)
    part = f"{message.round_id}:{message.part}"
    refunds = (item for item in message.refunds if item.player == state.player)
    moves = tuple(t for item in refunds for t in transfers.refund(own, part, item))
    return _posted(message, state, moves, over=True)


def _posted(
    message: WagersSettled | RoundVoidSettled,
    state: Wallet,
    moves: tuple[Transfer, ...],
    *,
    over: bool,
) -> Decided:
    assert message.currency == state.currency, f"{message.currency} in another wallet"
    funds = funds_of(state, message.round_id)
    if message.part in funds.parts or not moves:
        return ()
    own = Accounts(state, message.round_id)
    left_minor = funds.in_play_minor + net_minor(own.in_play, moves)
    assert left_minor >= 0, f"{own.in_play} would be {left_minor}"
    if over:
        _assert_ended(funds, left_minor)

    gained_minor = net_minor(own.player, moves)
    assert gained_minor >= 0, "a settlement takes nothing from a balance"
    event = PayoutsPosted(
        round_id=message.round_id,
        part=message.part,
        player=state.player,
        currency=state.currency,
        transfers=moves,
        balance_minor=state.balance_minor + gained_minor,
    )
    return calls.after_posting(state, event, left_minor=left_minor, over=over)


def _assert_ended(funds: RoundFunds, left_minor: int) -> None:
    """Nothing stays in play after the end but reservations still to be cancelled.

    Settlement and table are two sources: the last payout may overtake the table's
    cancellation of a decision that was never confirmed (H1). It comes, and returns
    the whole reservation; so only sums of whole reservations may be left.
    """
    sums = {0}
    for amount_minor in funds.held.values():
        sums |= {total + amount_minor for total in sums}
        sums = {total for total in sums if total <= left_minor}
    assert left_minor in sums, f"{left_minor} of {funds.round_id} has no owner"
