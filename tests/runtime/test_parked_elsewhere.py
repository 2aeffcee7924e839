"""`push22 parked --dsn`: what services set aside, in their logs in PostgreSQL (H9)."""

import asyncio
import base64
import json
from pathlib import Path

import msgspec
import pytest
from postgres_cluster import Cluster, execute

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import CommandEnvelope
from contracts.wallet import Deposit
from push22.__main__ import run
from push22.casino import PLATFORM, SERVICES
from runtime.log import Batch, Parked
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate

KEY = bytes(32)
WALLET = "wallet-local.a.EUR"
KEYS = json.dumps({"active": "k1", "keys": {"k1": base64.b64encode(KEY).decode()}})
NOW = 1_700_000_000_000_000

Told = pytest.CaptureFixture[str]


def deposit(name: str) -> bytes:
    """Return a command as it came, issued long enough ago to be refused as such."""
    message = Deposit("local.a", "EUR", 5)
    raw = catalog.encode(message)
    return catalog.encode(
        CommandEnvelope(name, tag_of(message), NOW, PLATFORM, msgspec.Raw(raw))
    )


@pytest.fixture
def dsn(cluster: Cluster, empty_database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A casino's database, in which the wallet has set two deposits aside."""
    monkeypatch.setenv("PUSH22_SEAL_KEYS", KEYS)
    found = cluster.dsn(empty_database)
    names = [service.name for service in SERVICES]
    asyncio.run(migrate(found, names))
    items = [
        Parked(WALLET, "command", "", reason, deposit(name), NOW)
        for name, reason in (("c1", "a fault"), ("c2", "behind"))
    ]
    asyncio.run(_append(found, items))
    return found


async def _append(dsn: str, items: list[Parked]) -> None:
    log = await PostgresLog.open(dsn, "wallet", connections=1)
    await log.append(Batch(NOW, parked=items))
    await log.close()


def listed(dsn: str, capsys: Told) -> list[str]:
    assert run(["parked", "--json", "--dsn", dsn]) == 0
    lines = capsys.readouterr().out.splitlines()
    return [json.loads(line)["reason"] for line in lines]


def test_a_retry_handles_a_stream_in_order(dsn: str, capsys: Told) -> None:
    """Both are decided, each once, and each has its answer."""
    assert listed(dsn, capsys) == ["a fault", "behind"]
    assert run(["parked", "retry", WALLET, "--dsn", dsn]) == 0
    assert f"{WALLET}: 2 went through" in capsys.readouterr().out

    assert listed(dsn, capsys) == []
    sql = "SELECT command_id FROM push22_wallet.answers ORDER BY 1"
    assert [row[0] for row in asyncio.run(execute(dsn, sql))] == ["c1", "c2"]


def test_what_is_discarded_keeps_who_and_why(
    dsn: str, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One input by its number, for which no key is needed; the other still waits."""
    monkeypatch.delenv("PUSH22_SEAL_KEYS")
    words = ["parked", "discard", "1", "--by", "sam", "--why", "a test"]
    assert run([*words, "--dsn", dsn]) == 0
    assert "1: discarded by sam: a test" in capsys.readouterr().out

    assert listed(dsn, capsys) == ["behind"]


def test_a_service_that_runs_is_left_alone(dsn: str, capsys: Told) -> None:
    """It learns what is aside at its start only."""

    async def beside() -> int:
        log = await PostgresLog.open(dsn, "wallet", connections=1)
        words = ["parked", "retry", WALLET, "--dsn", dsn]
        code = await asyncio.to_thread(run, words)
        await log.close()
        return code

    assert asyncio.run(beside()) == 1
    assert "stop all instances" in capsys.readouterr().err
    assert len(listed(dsn, capsys)) == 2


def test_the_environment_names_the_database(
    dsn: str, tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PUSH22_DSN is where to look, unless a directory is given."""
    monkeypatch.setenv("PUSH22_DSN", dsn)
    assert run(["parked"]) == 0
    assert "a fault" in capsys.readouterr().out

    assert run(["parked", "--data", str(tmp_path / "none")]) == 2
    assert "there is no such data directory" in capsys.readouterr().err
