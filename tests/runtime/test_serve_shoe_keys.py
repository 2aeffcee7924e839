"""`push22 serve shoe` does not start where its keys don't open the shoes in use."""

import asyncio
import base64
import json
from typing import Any

import pytest
from postgres_cluster import Cluster

from contracts import catalog
from contracts.base import tag_of
from contracts.shoe import ShoeCommitted, ShoeRetired
from push22.__main__ import run
from push22.casino import PLATFORM, SERVICES
from push22.shoes_in_use import check_opens
from runtime.ambient import KeyMissing, KeyRing
from runtime.log import Batch, Draft
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate

Told = pytest.CaptureFixture[str]
NOW = 1_700_000_000_000_000
OLD, NEW = (bytes([number]) * 32 for number in (1, 2))


def ring(**keys: bytes) -> str:
    found = {name: base64.b64encode(key).decode() for name, key in keys.items()}
    return json.dumps({"active": next(iter(found)), "keys": found})


def committed(shoe: str, key_id: str, key: bytes) -> Draft:
    sealed = KeyRing(key_id, {key_id: key}).seal(b"the cards", shoe)
    table = shoe.split("-")[1]
    return drafted(shoe, 1, ShoeCommitted(
        shoe, table, 6, 0, "fisher-yates", bytes(32), bytes(32), sealed, key_id
    ))  # fmt: skip


def drafted(shoe: str, version: int, event: Any) -> Draft:
    data = catalog.encode(event)
    return Draft(shoe, version, tag_of(event), data, "c", "c", PLATFORM)


@pytest.fixture
def dsn(cluster: Cluster, empty_database: str) -> str:
    """Two tables' shoes: of the first one two are retired, under a key long gone."""
    found = cluster.dsn(empty_database)
    asyncio.run(migrate(found, [service.name for service in SERVICES]))
    retired = [
        draft
        for shoe in ("shoe-t1-1", "shoe-t1-2")
        for draft in (
            committed(shoe, "k0", bytes(32)),
            drafted(shoe, 2, ShoeRetired(shoe, "", bytes(32), bytes(512))),
        )
    ]
    used = [committed("shoe-t1-3", "k1", OLD), committed("shoe-t2-1", "k2", NEW)]
    asyncio.run(_append(found, [*retired, *used]))
    return found


async def _append(dsn: str, drafts: list[Draft]) -> None:
    log = await PostgresLog.open(dsn, "shoe", connections=1)
    await log.append(Batch(NOW, drafts))
    await log.close()


async def _check(dsn: str, keys: dict[str, bytes], *lost: str) -> None:
    log = await PostgresLog.open(dsn, "shoe", connections=1)
    try:
        await check_opens(log, KeyRing("k2", keys, frozenset(lost)))
    finally:
        await log.close()


def test_each_tables_shoe_in_use_is_asked(dsn: str) -> None:
    """Both keys are needed, that of retired shoes is not."""
    asyncio.run(_check(dsn, {"k1": OLD, "k2": NEW}))
    with pytest.raises(KeyMissing, match="shoe-t1-3 is in use, and key 'k1' is not"):
        asyncio.run(_check(dsn, {"k2": NEW}))
    with pytest.raises(KeyMissing, match="shoe-t2-1 is in use, and key 'k2' does not"):
        asyncio.run(_check(dsn, {"k1": OLD, "k2": bytes(32)}))
    asyncio.run(_check(dsn, {"k2": NEW}, "k1"))


def test_the_service_ends_itself_and_says_what_to_do(
    dsn: str, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it reads a single request: no round learns of it by a card it misses."""

    async def well(*_: object) -> None:
        return None

    for name in ("check_reach", "check_tail"):
        monkeypatch.setattr(f"push22.commands.serve.{name}", well)
    monkeypatch.setenv("PUSH22_KAFKA", "127.0.0.1:1")
    monkeypatch.setenv("PUSH22_TOKEN", "t")
    monkeypatch.setenv("PUSH22_SEAL_KEYS", ring(k2=NEW))
    assert run(["serve", "shoe", "--dsn", dsn, "--port", "0"]) == 1
    told = capsys.readouterr().err
    assert "serve shoe: shoe-t1-3 is in use, and key 'k1' is not in the key" in told
    assert "bring its sealing keys back" in told
