"""The kit passes a wallet that keeps the protocol, and names each way to break it."""

import asyncio
from pathlib import Path

import httpx
import pytest

from push22.operator.cases import CASES
from push22.operator.conformance import Verdict, Wallet, judged
from push22.operator.mock_schema import BROKEN
from tests.operator.conftest import KEY_ID, PLAYER, SECRET, a_mock

CAUGHT_BY = {
    "repeats_debit": "debit_repeated",
    "repeats_credit": "credit_repeated",
    "takes_other_amount": "debit_other_amount",
    "rebuilds_answer": "debit_repeated",
    "rolls_back_twice": "rollback_repeated",
    "forgets_tombstone": "rollback_before_debit",
    "pays_rolled_back_round": "credit_after_rollback",
    "takes_debit_after_rollback": "debit_after_rollback",
    "refuses_unknown_rollback": "rollback_before_debit",
    "takes_any_currency": "wrong_currency",
    "takes_any_player": "unknown_player",
    "takes_overdraft": "insufficient_funds",
    "takes_any_session": "session_expired",
    "needs_session_for_credit": "credit_without_session",
    "takes_debit_after_close": "close",
    "refuses_credit_after_close": "void_after_close",
    "refuses_corrections": "corrected",
    "forgets_refusal": "refusal_repeated",
    "counts_in_floats": "authenticate",
    "takes_nothing_for_amount": "no_amount",
    "truncates_large_amounts": "large_amount",
    "takes_any_signature": "bad_signature",
    "takes_any_time": "stale_time",
    "takes_any_nonce": "replayed_nonce",
    "leaves_answers_unsigned": "authenticate",
    "answers_other_id": "debit",
    "races": "debit_concurrent",
    "takes_malformed": "malformed",
    "hides_transactions": "listed",
}


def judge(folder: Path, broken: str = "") -> dict[str, Verdict]:
    wallet = Wallet("http://mock", KEY_ID, SECRET, PLAYER, "EUR", f"token:{PLAYER}")
    with a_mock(folder, broken=broken) as mock:
        judging = judged(CASES, wallet, httpx.ASGITransport(mock))
        return {verdict.name: verdict for verdict in asyncio.run(judging)}


def test_a_wallet_that_keeps_the_protocol_passes_every_case(tmp_path: Path) -> None:
    """Also a second time, with what the first left behind."""
    for _ in range(2):
        verdicts = judge(tmp_path)

        assert {n: v.reason for n, v in verdicts.items() if not v.passed} == {}


def test_every_way_to_break_it_has_its_case() -> None:
    """No fault of the mock is without a case that must find it."""
    assert set(CAUGHT_BY) == BROKEN
    assert set(CAUGHT_BY.values()) <= {case.name for case in CASES}


@pytest.mark.parametrize("broken", sorted(CAUGHT_BY))
def test_a_broken_wallet_fails_the_case_of_its_fault(
    broken: str, tmp_path: Path
) -> None:
    """The verdict says what is wrong and shows what was said."""
    verdict = judge(tmp_path, broken)[CAUGHT_BY[broken]]

    assert not verdict.passed
    assert verdict.reason
    assert verdict.spoken
