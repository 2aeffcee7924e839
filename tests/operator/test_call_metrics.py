"""Calls that an operator had answered before are counted apart."""

from pathlib import Path

from contracts.wallet_calls import CallKind, CallOutcome, OperatorCall
from push22.operator.client import OperatorClient
from runtime.effects import Attempt
from services.wallet.state import OwedCall
from tests.measured import measured
from tests.operator.conftest import PLAYER, an_operator, settings_for

NAME = "push22_wallet_duplicates_total"


async def test_an_answer_given_before_is_counted(tmp_path: Path) -> None:
    """The second time only, by its kind; what the call comes to is the same."""
    call = OperatorCall("entry-1", CallKind.AUTHENTICATE)
    owed = OwedCall(call, token=f"token:{PLAYER}")
    attempt = Attempt(f"wallet-{PLAYER}.EUR", owed, False)
    before = measured(NAME, op="authenticate")
    with an_operator(tmp_path) as (_, url):
        client = OperatorClient(settings_for(url, timeout_ms=5000))
        first = await client.perform(attempt)
        assert measured(NAME, op="authenticate") == before
        again = await client.perform(attempt)
        await client.close()
    assert measured(NAME, op="authenticate") == before + 1
    assert first == again
    assert first.outcome is CallOutcome.DONE
