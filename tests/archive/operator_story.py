"""A player's money at an operator: a stake, a win paid back, call by call."""

from typing import Any

from money_story import BET, ROUND

from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.wallet_calls import CallKind, CallOutcome, OperatorCall

WHO = "acme.alice"
MONEY = f"player:{WHO}:EUR"
BANK = "bank:acme:EUR"
HOUSE = "house:acme:EUR"
IN_PLAY = f"in_play:{ROUND}:acme:EUR"

DEBIT = OperatorCall("d1", CallKind.DEBIT, 1000, "s-1", BET)
CREDIT = OperatorCall("c1", CallKind.CREDIT, 2000, "s-1", part=1, is_booked=True)
CLOSE = OperatorCall("e1", CallKind.CLOSE, session="s-1")
NEVER = OperatorCall("d2", CallKind.DEBIT, 500, "s-1", f"{ROUND}:bet:9")
BACK = OperatorCall("r2", CallKind.ROLLBACK, 500, "s-1", reference="d2")


def owed(call: OperatorCall) -> c.CallOwed:
    return c.CallOwed(ROUND, WHO, "EUR", call)


def ended(
    call: OperatorCall,
    balance_minor: int,
    transfer: w.Transfer | None = None,
    outcome: CallOutcome = CallOutcome.DONE,
) -> c.CallEnded:
    return c.CallEnded(
        round_id=ROUND,
        player=WHO,
        currency="EUR",
        call=call,
        attempts=1,
        outcome=outcome,
        balance_minor=balance_minor,
        transfer=transfer,
    )


def come(amount_minor: int = 1000) -> w.Transfer:
    return w.Transfer("operator:d1", BANK, MONEY, amount_minor)


def gone(amount_minor: int = 2000) -> w.Transfer:
    return w.Transfer("operator:c1", MONEY, BANK, amount_minor)


def staked(amount_minor: int = 1000, balance_minor: int = 0) -> w.FundsReserved:
    stake = w.Transfer(f"{BET}:reserve", MONEY, IN_PLAY, amount_minor)
    return w.FundsReserved(ROUND, BET, WHO, "EUR", stake, balance_minor)


def paid(balance_minor: int = 2000) -> w.PayoutsPosted:
    moves = (
        w.Transfer(f"{ROUND}:1:1.1:release", IN_PLAY, MONEY, 1000),
        w.Transfer(f"{ROUND}:1:1.1:winnings", HOUSE, MONEY, 1000),
    )
    return w.PayoutsPosted(ROUND, 1, WHO, "EUR", moves, balance_minor)


STORY: dict[str, Any] = {
    "debit": owed(DEBIT),
    "debited": ended(DEBIT, 1000, come()),
    "staked": staked(),
    "never": owed(NEVER),
    "uncertain": ended(NEVER, 0, outcome=CallOutcome.UNCERTAIN),
    "back": owed(BACK),
    "rolled_back": ended(BACK, 0),
    "paid": paid(),
    "credit": owed(CREDIT),
    "credited": ended(CREDIT, 0, gone()),
    "close": owed(CLOSE),
    "closed": ended(CLOSE, 0),
}
"""In the order of the wallet's log."""


def story(*, without: str = "", **changed: Any) -> list[Any]:
    return [x for name, x in {**STORY, **changed}.items() if name != without]
