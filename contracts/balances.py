"""What a player has, told from the events of his wallet.

Where an operator keeps the money, it is what the operator said last: what our books
hold of it in between is not what the player has.
"""

from typing import Any, NamedTuple

from contracts import wallet as w
from contracts import wallet_calls as c

TELLING = (
    w.Deposited
    | w.Withdrawn
    | w.FundsReserved
    | w.FundsRefused
    | w.ReservationCancelled
    | w.PayoutsPosted
    | w.CorrectionPosted
)


class Balance(NamedTuple):
    """So much, and whether an operator keeps it."""

    minor: int = 0
    is_operators: bool = False


def balance_after(balance: Balance, event: Any) -> Balance:
    """Take in an event of a wallet; one that tells no balance leaves it as it is."""
    match event:
        case c.CallEnded():
            is_done = event.outcome is c.CallOutcome.DONE
            minor = event.operator_balance_minor if is_done else balance.minor
            return Balance(minor, is_operators=True)
        case c.CallOwed() | c.CallFailed() | c.CallAlarmed() | c.CallHurried():
            return balance._replace(is_operators=True)
        case _ if isinstance(event, TELLING) and not balance.is_operators:
            return Balance(event.balance_minor)
    return balance
