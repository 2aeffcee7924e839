"""What an operator answers is read strictly: all else leaves the call uncertain."""

from typing import Any

import msgspec
import pytest

from contracts import operator_wallet as ow
from contracts.wallet_calls import CallKind, CallOutcome, OperatorCall, RecordCall
from push22.operator.client import Misunderstood, decode_answer, told_by
from services.wallet.state import OwedCall

DEBIT = OwedCall(OperatorCall("d1", CallKind.DEBIT, 1000, "s-1"), "round-t1-1")
ENTRY = OwedCall(OperatorCall("d1", CallKind.AUTHENTICATE))
RECORD = RecordCall("acme.alice", "EUR", "d1", 1, CallOutcome.UNCERTAIN)
DEEP: list[Any] = []
for _ in range(100):
    DEEP = [DEEP]
GOOD: dict[str, Any] = {
    "status": "ok",
    "transaction_id": "d1",
    "currency": "EUR",
    "balance_minor": 9000,
    "wallet_transaction_id": "w-1",
}


def told(code: int = 200, owed: OwedCall = DEBIT, **changed: Any) -> RecordCall:
    body = {name: x for name, x in {**GOOD, **changed}.items() if x is not None}
    return told_by(owed, RECORD, (code, msgspec.json.encode(body)))


def test_a_good_answer_is_taken() -> None:
    """With the balance, and the operator's own id."""
    found = told(field_of_tomorrow=1)

    assert found.outcome is CallOutcome.DONE
    assert found.operator_balance_minor == 9000
    assert found.operator_transaction == "w-1"


def test_a_reason_is_taken_as_it_is() -> None:
    """Of a refusal only status and transaction are needed."""
    found = told(422, status="limit_reached", currency=None, balance_minor=None)

    assert found.outcome is CallOutcome.REFUSED
    assert found.reason == "limit_reached"


@pytest.mark.parametrize(
    ("code", "changed", "reason"),
    [
        (200, {"balance_minor": 90.5}, "malformed"),
        (200, {"balance_minor": 9000.0}, "malformed"),
        (200, {"balance_minor": "9000"}, "malformed"),
        (200, {"balance_minor": -1}, "malformed"),
        (200, {"balance_minor": 2**53}, "malformed"),
        (200, {"balance_minor": None}, "no_balance"),
        (200, {"currency": "USD"}, "other_currency"),
        (200, {"currency": None}, "other_currency"),
        (200, {"transaction_id": "d2"}, "other_transaction"),
        (200, {"transaction_id": None}, "malformed"),
        (200, {"status": "fine"}, "unknown_status"),
        (200, {"status": "limit_reached"}, "code_and_status_differ"),
        (409, {}, "code_and_status_differ"),
        (401, {"status": "bad_signature"}, "bad_signature"),
        (400, {"status": "bad_request"}, "bad_request"),
        (200, {"deep": DEEP}, "malformed"),
    ],
)
def test_what_is_not_understood_leaves_all_open(
    code: int, changed: dict[str, Any], reason: str
) -> None:
    """No answer is guessed at; also what was not heard says nothing of the debit."""
    with pytest.raises(Misunderstood, match=reason):
        told(code, **changed)


@pytest.mark.parametrize("body", [b"", b"[]", b"<html>", b"\xff", b"[" * 50_000])
def test_bytes_that_are_no_answer_are_malformed(body: bytes) -> None:
    """However they are broken."""
    with pytest.raises(Misunderstood, match=r"malformed|too_long"):
        decode_answer(body)


def test_a_session_is_needed_where_one_was_asked_for() -> None:
    """And taken from nowhere else."""
    with pytest.raises(Misunderstood, match="no_session"):
        told(owed=ENTRY)
    assert told(owed=ENTRY, session_id="s-2").session == "s-2"
    assert told(session_id="s-2").session == ""


def test_every_status_has_one_code() -> None:
    """Done is 200, everything else is not."""
    codes = {status: ow.code_of(status) for status in ow.Status}

    assert [status for status, code in codes.items() if code == 200] == [ow.Status.OK]
    assert {
        status for status, code in codes.items() if code in (400, 401)
    } >= ow.UNHEARD
