"""What a wallet is after each of its events. Nothing is decided here."""

from typing import Any, assert_never

from msgspec.structs import replace

from contracts.identities import correction_id, in_play_account, operator_of
from contracts.wallet import (
    CorrectionPosted,
    CorrectionRefused,
    Deposited,
    FundsRefused,
    FundsReserved,
    PayoutsPosted,
    ReservationCancelled,
    Transfer,
    WalletCommandRefused,
    Withdrawn,
)
from contracts.wallet_calls import (
    CallAlarmed,
    CallEnded,
    CallFailed,
    CallHurried,
    CallKind,
    CallOutcome,
    CallOwed,
)
from services.wallet.state import (
    CASH_TRANSFERS_KEPT,
    CORRECTIONS_KEPT,
    ROUNDS_KEPT,
    OperatorSide,
    OwedCall,
    RoundFunds,
    Wallet,
    funds_of,
)
from services.wallet.transfers import net_minor, released_by

WalletEvent = (
    Deposited
    | Withdrawn
    | FundsReserved
    | FundsRefused
    | ReservationCancelled
    | PayoutsPosted
    | CorrectionPosted
    | CorrectionRefused
    | CallOwed
    | CallFailed
    | CallAlarmed
    | CallHurried
    | CallEnded
    | WalletCommandRefused
)


def evolve(state: Wallet, event: WalletEvent) -> Wallet:
    match event:
        case Deposited() | Withdrawn():
            return _book_cash(state, event.transfer.id, event.balance_minor)
        case FundsReserved():
            return _touch(state, _hold(state, event), event.balance_minor)
        case FundsRefused():
            return _touch(state, _refuse(state, event), event.balance_minor)
        case ReservationCancelled():
            return _touch(state, _cancel(state, event), event.balance_minor)
        case PayoutsPosted():
            return _touch(state, _settle(state, event), event.balance_minor)
        case CorrectionPosted() | CorrectionRefused():
            return _correct(state, event)
        case CallOwed():
            return _owe(state, event)
        case CallFailed():
            return _wait(state, event)
        case CallAlarmed():
            return _changed(state, event.call.id, is_alarmed=True)
        case CallHurried():
            return _changed(state, event.call, due_at=0)
        case CallEnded():
            return _end(state, event)
        case WalletCommandRefused():
            return state
        case _:
            assert_never(event)


def _book_cash(state: Wallet, transfer_id: str, balance_minor: int) -> Wallet:
    kept = (*state.cash_transfers, transfer_id)[-CASH_TRANSFERS_KEPT:]
    return replace(state, cash_transfers=kept, balance_minor=balance_minor)


def _correct(state: Wallet, event: CorrectionPosted | CorrectionRefused) -> Wallet:
    name = correction_id(event.case, event.proposal)
    kept = (*state.corrections, name)[-CORRECTIONS_KEPT:]
    return replace(state, corrections=kept, balance_minor=event.balance_minor)


def _hold(state: Wallet, event: FundsReserved) -> RoundFunds:
    funds = funds_of(state, event.round_id)
    held = {**funds.held, event.reservation: event.transfer.amount_minor}
    in_play_minor = funds.in_play_minor + event.transfer.amount_minor
    funds = replace(funds, held=held, in_play_minor=in_play_minor)
    return _release(funds, event.returned) if event.returned else funds


def _refuse(state: Wallet, event: FundsRefused) -> RoundFunds:
    funds = funds_of(state, event.round_id)
    tombstones = tuple(t for t in funds.tombstones if t != event.reservation)
    ended = (*funds.ended, event.reservation)
    return replace(funds, tombstones=tombstones, ended=ended)


def _cancel(state: Wallet, event: ReservationCancelled) -> RoundFunds:
    funds = funds_of(state, event.round_id)
    if event.transfer is not None:
        return _release(funds, event.transfer)
    return replace(funds, tombstones=(*funds.tombstones, event.reservation))


def _release(funds: RoundFunds, transfer: Transfer) -> RoundFunds:
    reservation = released_by(transfer)
    return replace(
        funds,
        held={name: held for name, held in funds.held.items() if name != reservation},
        ended=(*funds.ended, reservation),
        in_play_minor=funds.in_play_minor - transfer.amount_minor,
    )


def _settle(state: Wallet, event: PayoutsPosted) -> RoundFunds:
    funds = funds_of(state, event.round_id)
    operator = operator_of(state.player)
    in_play = in_play_account(event.round_id, operator, state.currency)
    return replace(
        funds,
        parts=(*funds.parts, event.part),
        in_play_minor=funds.in_play_minor + net_minor(in_play, event.transfers),
    )


def _owe(state: Wallet, event: CallOwed) -> Wallet:
    """Take up a call; a rollback takes the place of a debit that is still owed."""
    side = state.operator or OperatorSide()
    others = tuple(o for o in side.calls if o.call.id != event.call.reference)
    owed = OwedCall(event.call, event.round_id, event.token, order=event.order)
    state = replace(state, operator=replace(side, calls=(*others, owed)))
    if event.call.kind is not CallKind.CLOSE:
        return state
    funds = replace(funds_of(state, event.round_id), is_closed=True)
    return _touch(state, funds, state.balance_minor)


def _wait(state: Wallet, event: CallFailed) -> Wallet:
    known = state.operator.calls if state.operator else ()
    since = next((o.since for o in known if o.call.id == event.call), 0)
    return _changed(
        state,
        event.call,
        attempts=event.attempt,
        due_at=event.retry_at,
        since=since or event.retry_at,
    )


def _changed(state: Wallet, call: str, **changes: Any) -> Wallet:
    side = state.operator or OperatorSide()
    calls = tuple(
        replace(owed, **changes) if owed.call.id == call else owed
        for owed in side.calls
    )
    return replace(state, operator=replace(side, calls=calls))


def _end(state: Wallet, event: CallEnded) -> Wallet:
    side = state.operator or OperatorSide()
    call, is_done = event.call, event.outcome is CallOutcome.DONE
    is_stake = call.kind is CallKind.DEBIT and not _is_ordered(side, call.id)
    side = replace(
        side,
        calls=tuple(o for o in side.calls if o.call.id != call.id),
        ended=side.ended + 1,
        balance_minor=event.operator_balance_minor if is_done else side.balance_minor,
        session=event.session or side.session,
    )
    state = replace(state, operator=side, balance_minor=event.balance_minor)
    if not (is_done and is_stake):
        return state
    funds = funds_of(state, event.round_id)
    debits = {**funds.debits, call.reservation: call.id}
    return _touch(state, replace(funds, debits=debits), state.balance_minor)


def _is_ordered(side: OperatorSide, call: str) -> bool:
    """Tell a correction's debit: no round holds it."""
    return any(owed.order and owed.call.id == call for owed in side.calls)


def _touch(state: Wallet, funds: RoundFunds, balance_minor: int) -> Wallet:
    others = (r for r in state.rounds if r.round_id != funds.round_id)
    rounds = _bounded((*others, _tidied(funds)))
    return replace(state, rounds=rounds, balance_minor=balance_minor)


def _tidied(funds: RoundFunds) -> RoundFunds:
    """Without money in play every held reservation has found its end."""
    if funds.in_play_minor or not funds.held:
        return funds
    return replace(funds, held={}, ended=(*funds.ended, *funds.held))


def _bounded(rounds: tuple[RoundFunds, ...]) -> tuple[RoundFunds, ...]:
    """Forget the round that has been idle longest, never one with money in play."""
    if len(rounds) <= ROUNDS_KEPT:
        return rounds
    idle = next((funds for funds in rounds if not funds.in_play_minor), None)
    return tuple(funds for funds in rounds if funds is not idle)
