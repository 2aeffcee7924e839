"""Each player's money in a round: balances, transfers, and calls to the operator.

What cases put right of it afterwards stands apart.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from contracts import wallet_calls as c
from contracts.base import tag_of
from contracts.catalog import encode
from contracts.identities import correction_id, player_account
from contracts.operator_wallet import CORRECTION
from services.archive.put_right import Correction, corrections_of
from services.archive.rebuild import Step
from services.archive.round_book import gain_minor, is_correcting, transfers_in
from services.archive.round_money import RoundMoney, is_own, money_of
from services.gateway.desk.replay import Attempt, Call, Movement, Purse, PutRight

Named = dict[str, str]
"""The name of a correction by the id of a call to the operator that is for it."""


def purses_of(steps: tuple[Step, ...]) -> tuple[Purse, ...]:
    """Return what a round moved for each player, in the order of the round.

    What cases put right is none of it: `put_right_of` has that.
    """
    money = money_of(steps)
    named = (step.event.player for step in steps if is_own(step.event))
    return tuple(_purse(name, money[name], steps) for name in dict.fromkeys(named))


def _purse(player: str, money: RoundMoney, steps: tuple[Step, ...]) -> Purse:
    named = _correcting_calls(steps)
    own = [
        step for step in _of_wallet(steps, player) if not _is_correcting(step, named)
    ]
    return Purse(
        player,
        *money,
        tuple(move for step in own for move in _movements(step)),
        tuple(_calls(own)),
    )


def put_right_of(steps: tuple[Step, ...]) -> tuple[PutRight, ...]:
    """Return what cases put right of a round, and the operator's calls for it."""
    named = _correcting_calls(steps)
    return tuple(
        PutRight(*item, tuple(_calls(_for(item, steps, named))))
        for item in corrections_of(steps)
    )


def _for(item: Correction, steps: tuple[Step, ...], named: Named) -> list[Step]:
    name = correction_id(item.case, item.proposal)
    own = _of_wallet(steps, item.player)
    return [step for step in own if named.get(_call_of(step.event)) == name]


def _correcting_calls(steps: tuple[Step, ...]) -> Named:
    """Return the correction of each call to an operator that is for one."""
    calls = (getattr(step.event, "call", None) for step in steps)
    found = (call for call in calls if isinstance(call, c.OperatorCall))
    return {call.id: call.reservation for call in found if call.reason == CORRECTION}


def _is_correcting(step: Step, named: Named) -> bool:
    return is_correcting(step.event) or _call_of(step.event) in named


def _call_of(event: Any) -> str:
    """Return the id of the call that an event is about; empty if there is none."""
    call = getattr(event, "call", "")
    return call.id if isinstance(call, c.OperatorCall) else str(call)


def _of_wallet(steps: tuple[Step, ...], player: str) -> list[Step]:
    wallets = (step for step in steps if step.record.service == "wallet")
    return [step for step in wallets if step.event.player == player]


def _movements(step: Step) -> Iterable[Movement]:
    event = step.event
    what = tag_of(event).split(".")[1]
    moves = transfers_in(event)
    if not moves:
        return
    account = player_account(event.player, event.currency)
    balance = event.balance_minor - sum(gain_minor(move, account) for move in moves)
    for move in moves:
        balance += gain_minor(move, account)
        yield Movement(
            step.sequence,
            move.id,
            what,
            move.debit,
            move.credit,
            move.amount_minor,
            balance,
        )


def _calls(steps: list[Step]) -> Iterable[Call]:
    """Gather each call's attempts; one that has not ended is `owed`."""
    calls: dict[str, Call] = {}
    for step in steps:
        match step.event:
            case c.CallOwed() as event:
                calls[event.call.id] = _started(step, event.call)
            case c.CallFailed() as event:
                _attempted(
                    calls, event.call, _attempt(step, event.attempt, "uncertain")
                )
            case c.CallEnded() as event:
                calls.setdefault(event.call.id, _started(step, event.call))
                ended = _attempt(step, event.attempts, str(event.outcome))
                _attempted(calls, event.call.id, ended)
                calls[event.call.id] = msgspec.structs.replace(
                    calls[event.call.id],
                    outcome=str(event.outcome),
                    operator_transaction=event.operator_transaction,
                    operator_balance_minor=event.operator_balance_minor,
                )
    return calls.values()


def _started(step: Step, call: c.OperatorCall) -> Call:
    kind = str(call.kind)
    return Call(step.sequence, call.id, kind, call.amount_minor, "owed", "", 0, ())


def _attempt(step: Step, number: int, outcome: str) -> Attempt:
    record = step.record
    raw = msgspec.Raw(encode(record))
    reason = step.event.reason
    return Attempt(step.sequence, record.recorded_at, number, outcome, reason, raw)


def _attempted(calls: dict[str, Call], name: str, attempt: Attempt) -> None:
    call = calls.get(name)
    if call is not None:
        attempts = (*call.attempts, attempt)
        calls[name] = msgspec.structs.replace(call, attempts=attempts)
