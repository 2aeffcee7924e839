"""A repeat whose answer is gone is refused on record, and stops no wallet (law 3)."""

import asyncio

import pytest

from contracts.wallet import Deposit, Withdraw
from push22.casino import PLATFORM, Casino
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from tests.builders import ALICE, ALICES_WALLET, EUR


@pytest.mark.parametrize("kind", [Deposit, Withdraw])
def test_law_3_cash_without_its_answer_is_already_done(
    kind: type[Deposit | Withdraw],
) -> None:
    """Laws 3 and 4, H4: the wallet still knows the transfer, and goes on."""
    asyncio.run(_repeated(kind))


async def _repeated(kind: type[Deposit | Withdraw]) -> None:
    keys = KeyRing.in_memory()
    casino = await Casino.in_memory(Ambient(ManualClock(), SeededEntropy(1), keys))
    await casino.deposit(ALICE, EUR, 900)
    body = casino.envelope(kind(ALICE, EUR, 100), PLATFORM, "c-1")
    assert (await casino.host.submit(body)).accepted
    before = await casino.host.state("wallet", ALICES_WALLET)
    casino.host.file.execute("DELETE FROM answers")

    answer = await casino.host.submit(body)
    assert (answer.accepted, answer.reason) == (False, "already_done")
    assert (answer.stream, answer.version) == (ALICES_WALLET, 3)
    assert await casino.host.state("wallet", ALICES_WALLET) == before
    assert casino.host.worker("wallet").aside == set()
    await casino.close()
