"""Decisions of a wallet whose money an operator keeps: which calls are owed, and why.

Our books hold a player's money only between a debit and its end: a debit moves it from
the bank to the player's account, a confirmed credit or rollback moves it back.
"""

from typing import Any

from contracts.identities import is_currency, is_player_id, transaction_id
from contracts.round_events import FundsRequested, WagersPlaced
from contracts.wallet import (
    CorrectionRefused,
    FundsRefused,
    FundsReserved,
    PayoutsPosted,
    ReservationCancelled,
    WalletReason,
)
from contracts.wallet_calls import (
    CallAlarmed,
    CallEnded,
    CallFailed,
    CallHurried,
    CallKind,
    CallOutcome,
    CallOwed,
    CallReason,
    OpenSession,
    OperatorCall,
    RecordCall,
    RefreshBalance,
    RetryCall,
)
from runtime.service import Context, Decided, Effect, Owed, Rejected
from services.wallet import corrections, transfers
from services.wallet.retries import UNTIL_DONE, is_alarming, is_given_up, retry_at
from services.wallet.state import OperatorSide, OwedCall, Wallet, funds_of
from services.wallet.transfers import Accounts

_NEAREST = {str(reason): reason for reason in WalletReason}
"""Our own word for what an operator says, where there is the same one."""


def resume(state: Wallet) -> Owed:
    """Owe the first call: the others come after it, in order."""
    side = state.operator
    if side is None:
        return Owed(0)
    effects = tuple(
        Effect(f"{owed.call.id}:{owed.attempts + 1}", owed.due_at, owed)
        for owed in side.calls[:1]
    )
    return Owed(side.ended, effects=effects)


def debit(
    message: WagersPlaced | FundsRequested, state: Wallet, side: OperatorSide
) -> Decided:
    """Ask the operator for a stake; without a session there is nobody to ask."""
    if any(_is_debit_of(owed, message.reservation) for owed in side.calls):
        return ()
    replaces, reason = "", "bet"
    if isinstance(message, WagersPlaced):
        replaces = message.replaces
    else:
        reason = message.action
    call = OperatorCall(
        id=transaction_id(side.session, message.reservation, CallKind.DEBIT),
        kind=CallKind.DEBIT,
        amount_minor=message.amount_minor,
        session=side.session,
        reservation=message.reservation,
        replaces=replaces,
        reason=reason,
        box=message.box,
    )
    if not side.session:
        return (_refused(state, message.round_id, call, CallReason.NO_SESSION),)
    return (_owed(state, message.round_id, call),)


def _is_debit_of(owed: OwedCall, reservation: str) -> bool:
    call = owed.call
    return call.kind is CallKind.DEBIT and call.reservation == reservation


def _refused(
    state: Wallet, round_id: str, call: OperatorCall, why: str
) -> FundsRefused:
    """Refuse a stake for the operator's reason, as it was given."""
    return FundsRefused(
        round_id=round_id,
        reservation=call.reservation,
        player=state.player,
        currency=state.currency,
        amount_minor=call.amount_minor,
        balance_minor=state.balance_minor,
        reason=_NEAREST.get(why, WalletReason.NOT_AUTHORIZED),
        operator_reason=str(why),
    )


def _no(state: Wallet, owed: OwedCall, why: str) -> FundsRefused | CorrectionRefused:
    if order := corrections.order_of(owed):
        reason = _NEAREST.get(why, WalletReason.NOT_AUTHORIZED)
        return corrections.refused(order, state, reason, why)
    return _refused(state, owed.round_id, owed.call, why)


def after_cancel(state: Wallet, event: ReservationCancelled) -> Decided:
    """Take back the debit of a cancelled stake, whatever has become of it (H1)."""
    if state.operator is None:
        return (event,)
    rollback = _rollback(state, event.round_id, event.reservation)
    return (event,) if rollback is None else (event, rollback)


def _rollback(state: Wallet, round_id: str, reservation: str) -> CallOwed | None:
    side = state.operator
    assert side is not None, "only an operator takes back"
    pending = next((o for o in side.calls if _is_debit_of(o, reservation)), None)
    if pending is not None:
        return _owed(state, round_id, taking_back(pending.call, is_booked=False))
    funds = funds_of(state, round_id)
    if reservation not in funds.held:
        return None
    debited = OperatorCall(
        id=funds.debits[reservation],
        kind=CallKind.DEBIT,
        amount_minor=funds.held[reservation],
        session=side.session,
        reservation=reservation,
    )
    return _owed(state, round_id, taking_back(debited, is_booked=True))


def taking_back(call: OperatorCall, *, is_booked: bool) -> OperatorCall:
    return OperatorCall(
        id=transaction_id(call.id, CallKind.ROLLBACK),
        kind=CallKind.ROLLBACK,
        amount_minor=call.amount_minor,
        session=call.session,
        reservation=call.reservation,
        reference=call.id,
        reason="cancelled" if is_booked else "uncertain",
        is_booked=is_booked,
    )


def after_posting(
    state: Wallet, event: PayoutsPosted, *, left_minor: int, over: bool
) -> Decided:
    """Owe what comes back to the player, and the round's end once he is out of it."""
    side = state.operator
    if side is None:
        return (event,)
    events: list[Any] = [event]
    gained_minor = event.balance_minor - state.balance_minor
    names = (side.session, event.round_id, state.player)
    if gained_minor:
        call = OperatorCall(
            id=transaction_id(*names, str(event.part), CallKind.CREDIT),
            kind=CallKind.CREDIT,
            amount_minor=gained_minor,
            session=side.session,
            reason="payout",
            part=event.part,
            is_booked=True,
        )
        events.append(_owed(state, event.round_id, call))
    is_out = over or left_minor == 0
    if is_out and not funds_of(state, event.round_id).is_closed:
        close = OperatorCall(
            id=transaction_id(*names, CallKind.CLOSE),
            kind=CallKind.CLOSE,
            session=side.session,
        )
        events.append(_owed(state, event.round_id, close))
    return tuple(events)


def _owed(state: Wallet, round_id: str, call: OperatorCall) -> CallOwed:
    return CallOwed(round_id, state.player, state.currency, call)


def open_session(command: OpenSession, state: Wallet, context: Context) -> Decided:
    """Let the operator say who has come; his the money is from now on."""
    if reason := _stranger(command, context):
        return Rejected(reason)
    has_money = state.balance_minor or any(r.in_play_minor for r in state.rounds)
    if state.operator is None and has_money:
        return Rejected(CallReason.WALLET_IN_USE)
    call = OperatorCall(
        id=transaction_id(state.player, context.cause_id, CallKind.AUTHENTICATE),
        kind=CallKind.AUTHENTICATE,
    )
    owed = CallOwed("", state.player, state.currency, call, command.token)
    return (owed,)


def refresh_balance(
    command: RefreshBalance, state: Wallet, context: Context
) -> Decided:
    if reason := _stranger(command, context):
        return Rejected(reason)
    if state.operator is None:
        return Rejected(CallReason.NO_OPERATOR_WALLET)
    call = OperatorCall(
        id=transaction_id(state.player, context.cause_id, CallKind.BALANCE),
        kind=CallKind.BALANCE,
        session=state.operator.session,
    )
    return (_owed(state, "", call),)


def _stranger(
    command: OpenSession | RefreshBalance | RetryCall, context: Context
) -> WalletReason | None:
    if context.actor.kind not in ("platform", "support"):
        return WalletReason.NOT_AUTHORIZED
    if not is_player_id(command.player):
        return WalletReason.UNKNOWN_PLAYER
    if not is_currency(command.currency):
        return WalletReason.UNKNOWN_CURRENCY
    return None


def record(command: RecordCall, state: Wallet, context: Context) -> Decided:
    """Take in how an attempt ended; only that of the first call can be meant."""
    if context.actor.kind != "platform":
        return Rejected(WalletReason.NOT_AUTHORIZED)
    first = state.operator.calls[:1] if state.operator else ()
    for owed in first:
        if (owed.call.id, owed.attempts + 1) == (command.call, command.attempt):
            return _recorded(command, state, owed, context)
    return Rejected(CallReason.CALL_NOT_OWED)


def _recorded(
    command: RecordCall, state: Wallet, owed: OwedCall, context: Context
) -> Decided:
    kind = owed.call.kind
    match command.outcome:
        case CallOutcome.DONE:
            return _done(command, state, owed)
        case CallOutcome.REFUSED if kind not in UNTIL_DONE:
            return _given_up(command, state, owed)
        case CallOutcome.UNCERTAIN if is_given_up(kind, command.attempt):
            return _given_up(command, state, owed)
    return _failed(command, state, owed, context)


def _failed(
    command: RecordCall, state: Wallet, owed: OwedCall, context: Context
) -> Decided:
    failed = CallFailed(
        round_id=owed.round_id,
        player=state.player,
        currency=state.currency,
        call=command.call,
        attempt=command.attempt,
        reason=command.reason,
        retry_at=retry_at(context.now, command.call, command.attempt, owed.since),
    )
    if not is_alarming(owed, command.outcome, context.now):
        return (failed,)
    alarmed = CallAlarmed(
        round_id=owed.round_id,
        player=state.player,
        currency=state.currency,
        call=owed.call,
        attempts=command.attempt,
        outcome=command.outcome,
        reason=command.reason,
        failing_since=owed.since or context.now,
    )
    return (failed, alarmed)


def hurry(command: RetryCall, state: Wallet, context: Context) -> Decided:
    """Make the next attempt of a call now; only the first one can wait for it."""
    if reason := _stranger(command, context):
        return Rejected(reason)
    if state.operator is None:
        return Rejected(CallReason.NO_OPERATOR_WALLET)
    for owed in state.operator.calls[:1]:
        if owed.call.id == command.call and owed.attempts:
            names = (owed.round_id, state.player, state.currency)
            return (CallHurried(*names, command.call, owed.attempts),)
    return Rejected(CallReason.CALL_NOT_OWED)


def _ended(
    command: RecordCall, state: Wallet, owed: OwedCall, **more: Any
) -> CallEnded:
    return CallEnded(
        round_id=owed.round_id,
        player=state.player,
        currency=state.currency,
        call=owed.call,
        attempts=command.attempt,
        outcome=command.outcome,
        reason=command.reason,
        operator_balance_minor=command.operator_balance_minor,
        operator_transaction=command.operator_transaction,
        session=command.session,
        **{"balance_minor": state.balance_minor, **more},
    )


def _done(command: RecordCall, state: Wallet, owed: OwedCall) -> Decided:
    call, own = owed.call, Accounts(state)
    if call.kind is CallKind.DEBIT:
        return _debited(command, state, owed)
    if not call.is_booked:
        return (_ended(command, state, owed),)
    name = f"operator:{call.id}"
    back = transfers.transfer(name, own.player, own.bank, call.amount_minor)
    left_minor = state.balance_minor - call.amount_minor
    assert left_minor >= 0, f"{own.player} would be {left_minor}"
    return (_ended(command, state, owed, transfer=back, balance_minor=left_minor),)


def _debited(command: RecordCall, state: Wallet, owed: OwedCall) -> Decided:
    """The stake has come: into our books, and at once into play (C-59)."""
    call, own = owed.call, Accounts(state, owed.round_id)
    funds = funds_of(state, owed.round_id)
    ended = _come(command, state, owed)
    if order := corrections.order_of(owed):
        return (ended, corrections.posted(order, state, state.balance_minor))
    returned = transfers.replaced(own, funds, call.replaces)
    rollback = None
    if returned is not None:
        rollback = _rollback(state, owed.round_id, call.replaces)
    stake = transfers.stake_in(own, call.reservation, call.amount_minor)
    back_minor = returned.amount_minor if returned else 0
    reserved = FundsReserved(
        round_id=owed.round_id,
        reservation=call.reservation,
        player=state.player,
        currency=state.currency,
        transfer=stake,
        balance_minor=state.balance_minor + back_minor,
        returned=returned,
    )
    return (ended, reserved) if rollback is None else (ended, reserved, rollback)


def _come(command: RecordCall, state: Wallet, owed: OwedCall) -> CallEnded:
    """Move what the operator has taken from his player into our books."""
    call, own = owed.call, Accounts(state)
    name = f"operator:{call.id}"
    come = transfers.transfer(name, own.bank, own.player, call.amount_minor)
    held_minor = state.balance_minor + call.amount_minor
    return _ended(command, state, owed, transfer=come, balance_minor=held_minor)


def _given_up(command: RecordCall, state: Wallet, owed: OwedCall) -> Decided:
    """A stake is refused; unless it surely never took effect, it is taken back."""
    ended = _ended(command, state, owed)
    call = owed.call
    if call.kind is not CallKind.DEBIT:
        return (ended,)
    is_certain = command.outcome is CallOutcome.REFUSED
    why = command.reason if is_certain else CallReason.OPERATOR_UNCERTAIN
    no = _no(state, owed, why)
    if is_certain and not owed.attempts and not command.was_tried:
        return (ended, no)
    back = taking_back(call, is_booked=False)
    return (ended, no, _owed(state, owed.round_id, back))
