"""Each player's money in a round: balances, transfers, and calls to the operator."""

from collections.abc import Iterable

import msgspec

from contracts import wallet_calls as c
from contracts.base import tag_of
from contracts.catalog import encode
from contracts.identities import player_account
from services.archive.rebuild import Step, balances_before, tells_balance
from services.archive.round_book import gain_minor, transfers_in
from services.gateway.desk.replay import Attempt, Call, Movement, Purse

_MOVING = (c.CallKind.DEBIT, c.CallKind.CREDIT, c.CallKind.ROLLBACK)


def purses_of(steps: tuple[Step, ...]) -> tuple[Purse, ...]:
    """Return what a round moved for each player, in the order of the round."""
    before = balances_before(steps)
    return tuple(_purse(player, minor, steps) for player, minor in before.items())


def _purse(player: str, before_minor: int, steps: tuple[Step, ...]) -> Purse:
    own = [
        step
        for step in steps
        if step.record.service == "wallet" and step.event.player == player
    ]
    if balances := _operators(own):
        before_minor, after_minor = balances
        is_operators = True
    else:
        is_operators = False
        after_minor = _ours(own, before_minor)
    return Purse(
        player,
        before_minor,
        after_minor,
        after_minor - before_minor,
        is_operators,
        tuple(move for step in own for move in _movements(step)),
        tuple(_calls(own)),
    )


def _ours(own: list[Step], before_minor: int) -> int:
    return next(
        (
            step.event.balance_minor
            for step in reversed(own)
            if tells_balance(step.event)
        ),
        before_minor,
    )


def _operators(own: list[Step]) -> tuple[int, int] | None:
    """Return the player's balances at the operator, where he keeps the money."""
    ended = [
        step.event
        for step in own
        if isinstance(step.event, c.CallEnded)
        and step.event.outcome is c.CallOutcome.DONE
        and step.event.call.kind in _MOVING
    ]
    if not ended:
        return None
    first = ended[0]
    way = 1 if first.call.kind is c.CallKind.DEBIT else -1
    before_minor = first.operator_balance_minor + way * first.call.amount_minor
    return before_minor, ended[-1].operator_balance_minor


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
