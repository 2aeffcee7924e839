"""An approved correction: one transfer between house and player, or a reason why not.

Its id follows from case and proposal, so it is booked once. Where an operator keeps the
money, a correction to the player is booked and owed to him as a credit; one that takes
back is asked for as a debit, and booked when that has come.
"""

from typing import NamedTuple

from contracts.desk import ProposalApproved, Proposed
from contracts.identities import correction_id, transaction_id
from contracts.operator_wallet import CORRECTION
from contracts.wallet import (
    BALANCE_MINOR_MAX,
    CorrectionPosted,
    CorrectionRefused,
    WalletReason,
)
from contracts.wallet_calls import CallKind, CallOwed, CallReason, OperatorCall
from runtime.service import Decided
from services.wallet import transfers
from services.wallet.state import OperatorSide, OwedCall, Wallet
from services.wallet.transfers import Accounts


class Order(NamedTuple):
    """What was approved. `amount_minor` above 0 is paid to the player."""

    round_id: str
    case: str
    proposal: int
    amount_minor: int

    @property
    def name(self) -> str:
        return correction_id(self.case, self.proposal)


def correct(message: ProposalApproved, state: Wallet) -> Decided:
    """Book a correction, or refuse it whole; said again, it is quiet."""
    own = (state.player, state.currency)
    assert (message.player, message.currency) == own, f"not for {own}"
    assert message.amount_minor, "a correction of nothing"
    order = Order(
        message.round_id, message.case, message.proposal, message.amount_minor
    )
    if order.name in state.corrections or _is_asked(order, state):
        return ()
    after_minor = state.balance_minor + order.amount_minor
    if not _is_in_use(state):
        return (refused(order, state, WalletReason.UNKNOWN_PLAYER),)
    if after_minor > BALANCE_MINOR_MAX:
        return (refused(order, state, WalletReason.INVALID_AMOUNT),)
    if state.operator is not None:
        return _with_operator(order, state, state.operator)
    if after_minor < 0:
        return (refused(order, state, WalletReason.INSUFFICIENT_FUNDS),)
    return (posted(order, state, after_minor),)


def _is_asked(order: Order, state: Wallet) -> bool:
    calls = state.operator.calls if state.operator else ()
    return any(owed.order == Proposed(order.case, order.proposal) for owed in calls)


def _is_in_use(state: Wallet) -> bool:
    """Tell whether anything but corrections was ever booked here."""
    return bool(state.cash_transfers or state.rounds or state.operator)


def posted(order: Order, state: Wallet, balance_minor: int) -> CorrectionPosted:
    own = Accounts(state)
    is_paid = order.amount_minor > 0
    ways = (own.house, own.player) if is_paid else (own.player, own.house)
    return CorrectionPosted(
        round_id=order.round_id,
        case=order.case,
        proposal=order.proposal,
        player=state.player,
        currency=state.currency,
        transfer=transfers.transfer(order.name, *ways, abs(order.amount_minor)),
        balance_minor=balance_minor,
    )


def refused(
    order: Order, state: Wallet, reason: WalletReason, said: str = ""
) -> CorrectionRefused:
    """Refuse it; `said` is what the operator said who keeps the money."""
    return CorrectionRefused(
        round_id=order.round_id,
        case=order.case,
        proposal=order.proposal,
        player=state.player,
        currency=state.currency,
        amount_minor=order.amount_minor,
        balance_minor=state.balance_minor,
        reason=reason,
        operator_reason=str(said),
    )


def _with_operator(order: Order, state: Wallet, side: OperatorSide) -> Decided:
    """Owe it or ask for it, once the operator has said that he knows the player."""
    is_paid = order.amount_minor > 0
    if not side.session:
        why = CallReason.NO_SESSION
        return (refused(order, state, WalletReason.NOT_AUTHORIZED, why),)
    call = OperatorCall(
        id=transaction_id(state.player, state.currency, order.name),
        kind=CallKind.CREDIT if is_paid else CallKind.DEBIT,
        amount_minor=abs(order.amount_minor),
        session=side.session,
        reservation=order.name,
        reason=CORRECTION,
        is_booked=is_paid,
    )
    owed = CallOwed(
        order.round_id,
        state.player,
        state.currency,
        call,
        order=Proposed(order.case, order.proposal),
    )
    if not is_paid:
        return (owed,)
    return (posted(order, state, state.balance_minor + order.amount_minor), owed)


def order_of(owed: OwedCall) -> Order | None:
    """Return the correction that a debit is asked for."""
    if owed.order is None or owed.call.kind is not CallKind.DEBIT:
        return None
    return Order(
        owed.round_id, owed.order.case, owed.order.proposal, -owed.call.amount_minor
    )
