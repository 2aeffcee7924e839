"""Samples of what a wallet owes an operator, and of what came of it."""

from contracts import wallet_calls as c
from contracts.desk import Proposed
from contracts.identities import transaction_id
from contracts.wallet import Transfer
from tests.contracts.sample_commands import ROUND

ALICE = "acme.alice"
EUR = "EUR"
SESSION = "s-91"
BET = "round-t1-7:bet:2"
NOON = 1_764_504_000_000_000
DEBIT_ID = transaction_id(SESSION, BET, "debit")

CALL = c.OperatorCall(
    id=DEBIT_ID,
    kind=c.CallKind.DEBIT,
    amount_minor=2100,
    session=SESSION,
    reservation=BET,
    replaces="round-t1-7:bet:1",
    reference="an-earlier-debit",
    reason="bet",
    box=1,
    part=2,
    is_booked=True,
)
LEAST = c.OperatorCall("a", c.CallKind.BALANCE)

FULL = (
    c.CallOwed(
        ROUND,
        ALICE,
        EUR,
        CALL,
        token="of-use-once",
        order=Proposed("t1-7-ab12", 1),
    ),
    c.CallFailed(ROUND, ALICE, EUR, DEBIT_ID, 1, "timeout", NOON),
    c.CallAlarmed(
        round_id=ROUND,
        player=ALICE,
        currency=EUR,
        call=CALL,
        attempts=1,
        outcome=c.CallOutcome.REFUSED,
        reason="round_closed",
        failing_since=NOON,
    ),
    c.CallHurried(ROUND, ALICE, EUR, DEBIT_ID, 1),
    c.CallEnded(
        round_id=ROUND,
        player=ALICE,
        currency=EUR,
        call=CALL,
        attempts=2,
        outcome=c.CallOutcome.DONE,
        balance_minor=2100,
        reason="limit_reached",
        operator_balance_minor=97_900,
        operator_transaction="w-17",
        session=SESSION,
        transfer=Transfer(
            f"operator:{DEBIT_ID}", "bank:acme:EUR", "player:acme.alice:EUR", 2100
        ),
    ),
)

MINIMAL = (
    c.CallOwed("", ALICE, EUR, LEAST),
    c.CallEnded("", ALICE, EUR, LEAST, 1, c.CallOutcome.DONE, 0),
)

COMMANDS = (
    c.OpenSession(ALICE, EUR, "of-use-once"),
    c.RefreshBalance(ALICE, EUR),
    c.RetryCall(ALICE, EUR, DEBIT_ID),
    c.RecordCall(
        player=ALICE,
        currency=EUR,
        call=DEBIT_ID,
        attempt=1,
        outcome=c.CallOutcome.DONE,
        reason="ok",
        operator_balance_minor=97_900,
        operator_transaction="w-17",
        session=SESSION,
        was_tried=True,
    ),
)

MINIMAL_COMMANDS = (c.RecordCall(ALICE, EUR, DEBIT_ID, 1, c.CallOutcome.UNCERTAIN),)
