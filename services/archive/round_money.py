"""What a round itself did to each player's balance.

A wallet has one balance for all that a player does. Between the first and the last
movement of a round may lie a deposit, another round, or what a case put right: the net
is what the round's own movements came to, and `other_minor` is all the rest.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from contracts import wallet as w
from contracts import wallet_calls as c
from services.archive.rebuild import Step
from services.archive.round_book import is_correcting, players_gain_minor, transfers_in

_OWN = (w.FundsReserved, w.FundsRefused, w.ReservationCancelled, w.PayoutsPosted)
_MOVING = (c.CallKind.DEBIT, c.CallKind.CREDIT, c.CallKind.ROLLBACK)


class RoundMoney(NamedTuple):
    """A player's balance, in minor units: before + net + other - owed is after.

    `is_operators`: an operator keeps the money, and the balances are what he told, or
    `None` where he told none. `owed_minor` is what of the net was not with him yet.
    """

    before_minor: int | None
    net_minor: int
    other_minor: int
    owed_minor: int
    after_minor: int | None
    is_operators: bool


def money_of(steps: Iterable[Step]) -> dict[str, RoundMoney]:
    """Return what the round did for each player with whose wallet it had to do."""
    own = [step for step in steps if is_own(step.event)]
    own.sort(key=lambda step: (step.event.player, step.record.version))
    players = groupby(own, lambda step: str(step.event.player))
    return {name: _money([step.event for step in found]) for name, found in players}


def is_own(event: Any) -> bool:
    """Tell the round's own movements, and calls for them, from corrections."""
    if isinstance(event, c.CallOwed | c.CallEnded):
        return event.call.kind in _MOVING and not is_correcting(event)
    return isinstance(event, _OWN)


def _money(own: list[Any]) -> RoundMoney:
    if any(isinstance(event, c.CallOwed | c.CallEnded) for event in own):
        return _at_operator(own)
    moving = [event for event in own if transfers_in(event)] or own
    first, last = moving[0], moving[-1]
    before_minor = first.balance_minor - players_gain_minor(first)
    net_minor = _net_minor(own)
    other_minor = last.balance_minor - before_minor - net_minor
    return RoundMoney(
        before_minor, net_minor, other_minor, 0, last.balance_minor, False
    )


def _at_operator(own: list[Any]) -> RoundMoney:
    """Take the operator's word for balances: what we hold for him only passes."""
    net_minor = _net_minor(own)
    done = [
        event
        for event in own
        if isinstance(event, c.CallEnded) and event.outcome is c.CallOutcome.DONE
    ]
    called_minor = sum(_called_minor(event.call) for event in done)
    owed_minor = net_minor - called_minor
    if not done:
        return RoundMoney(None, net_minor, 0, owed_minor, None, True)
    first, after_minor = done[0], done[-1].operator_balance_minor
    before_minor = first.operator_balance_minor - _called_minor(first.call)
    other_minor = after_minor - before_minor - called_minor
    return RoundMoney(
        before_minor, net_minor, other_minor, owed_minor, after_minor, True
    )


def _net_minor(own: list[Any]) -> int:
    return sum(players_gain_minor(event) for event in own if isinstance(event, _OWN))


def _called_minor(call: c.OperatorCall) -> int:
    """Return what a call did at the operator.

    A debit that nobody is sure of, and its rollback, come to nothing.
    """
    if call.kind is c.CallKind.DEBIT:
        return -call.amount_minor
    return call.amount_minor if call.is_booked else 0
