"""Whatever goes wrong between us and an operator, both sides' books agree in the end.

`PUSH22_OPERATOR_ROUNDS` plays more rounds, `PUSH22_OPERATOR_SEED` other ones.
"""

import asyncio
import os
import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from contracts.operator_wallet import KnownTransaction
from push22.__main__ import run
from push22.operator.mock_faults import Rates
from push22.operator.mock_server import MockOperator
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import SqliteFile
from tests.operator.conftest import OPENING_MINOR, an_operator, settings_for
from tests.operator.evening import PLAYERS, Evening

ROUNDS = int(os.environ.get("PUSH22_OPERATOR_ROUNDS", "150"))
SEED = int(os.environ.get("PUSH22_OPERATOR_SEED", "1"))
CRASH_EVERY = 12
PER_THOUSAND = 12
STORMS = (0, PER_THOUSAND, PER_THOUSAND, 5 * PER_THOUSAND)
"""How often each kind of fault comes: quiet, usual, and more often than not."""
TIMEOUT_MS = 400


async def played(mock: MockOperator, evening: Evening) -> None:
    """Play all rounds; every few of them the casino dies at some moment."""
    chance = random.Random(SEED)
    await evening.open()
    await evening.begin()
    while evening.closed < ROUNDS:
        until = evening.closed + CRASH_EVERY
        while evening.closed < until:
            await evening.move()
        for _ in range(chance.randint(1, 40)):
            await evening.move()
        await evening.crash()
        mock.faults.rates = Rates.all(chance.choice(STORMS))
    await evening.quiet()
    # What comes after its sender gave up must have come before books are compared.
    await asyncio.sleep(2 * mock.faults.hang_ms / 1000)


def ended_calls(folder: Path) -> Counter[str]:
    """Count how the calls ended, by kind and outcome, from the wallet's log."""
    file = SqliteFile.open(folder / "push22.sqlite3")
    found: Counter[str] = Counter()
    try:
        records = asyncio.run(SqliteLog(file, "wallet").read(0, 0, 10_000_000))
    finally:
        file.close()
    for record in records:
        envelope = msgspec.json.decode(record.body)
        if record.type == "wallet.call_ended.v1":
            data = envelope["data"]
            found[f"{data['call']['kind']} {data['outcome']}"] += 1
        if record.type == "wallet.call_failed.v1":
            found[f"failed: {envelope['data']['reason']}"] += 1
    return found


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_both_books_agree_to_the_minor_unit_after_faults_and_crashes(
    folder: Path,
) -> None:
    """Every transaction stands on both sides, and nothing is left between them."""
    casino = folder / "casino"
    with an_operator(folder, seed=SEED, rates=Rates.all(PER_THOUSAND)) as (mock, url):
        mock.faults.hang_ms = 2 * TIMEOUT_MS
        evening = Evening(casino, settings_for(url, TIMEOUT_MS), SEED)
        asyncio.run(everything(mock, evening))
        known: list[KnownTransaction] = list(mock.books.statement())
        balances = mock.books.balances()
        seen = dict(mock.seen)

    for name in Rates.__struct_fields__:
        assert seen[f"fault:{name}"], f"no {name} in {ROUNDS} rounds"
    calls = ended_calls(casino)
    for found in ("debit uncertain", "debit refused", "rollback done", "credit done"):
        assert calls[found], found
    statement = folder / "acme.jsonl"
    statement.write_bytes(b"\n".join(map(msgspec.json.encode, known)))
    told = ["--data", str(casino)]
    assert run(["audit", *told, "--statement", str(statement)]) == 0
    assert run(["verify", "--all", *told]) == 0
    assert sum(balances.values()) == 0
    assert balances["cash:EUR"] == -len(PLAYERS) * OPENING_MINOR


async def everything(mock: MockOperator, evening: Evening) -> None:
    """Play, and compare what each wallet was told last with the operator's books."""
    await played(mock, evening)
    for name in PLAYERS:
        wallet = await evening.wallet(name)
        assert wallet.balance_minor == 0
        assert not any(funds.in_play_minor for funds in wallet.rounds[:-1])
    await evening.close()
