"""A server under which a commit could be lost, or that fails, is never written to."""

import asyncio
from pathlib import Path

import asyncpg
import pytest
from log_backends import draft
from postgres_cluster import SKIP, Cluster, execute
from postgres_place import Place, check_chain

from runtime.log import Batch, LogUnavailable, NotDurable, ReadOnlyLog
from runtime.postgres_database import check_durable
from tests import postgres
from tests.postgres import Unavailable


async def test_what_the_server_lacks_is_named(place: Place) -> None:
    """A full disk is no reason to set a stream aside: the log is not there."""
    await place.execute("""
        CREATE FUNCTION fill_up() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'no space left on device' USING ERRCODE = 'disk_full'; END $$
    """)
    await place.execute("""
        CREATE TRIGGER full_disk BEFORE INSERT ON records
        FOR EACH STATEMENT EXECUTE FUNCTION fill_up()
    """)
    async with place.log() as log:
        with pytest.raises(LogUnavailable, match="push22_toy: no space left"):
            await log.append(Batch(1, [draft("a-1", 1)]))
        assert await check_chain(log) == []


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
async def test_a_server_that_may_lose_commits_is_refused(
    place: Place, setting: str
) -> None:
    """Such a log would say `committed` and mean `perhaps`."""
    await execute(place.admin, f"ALTER SYSTEM SET {setting} = off")
    try:
        await execute(place.admin, "SELECT pg_reload_conf()")
        with pytest.raises(NotDurable, match=f"{setting} off"):
            await _open_until_refused(place)
    finally:
        await execute(place.admin, f"ALTER SYSTEM RESET {setting}")
        await execute(place.admin, "SELECT pg_reload_conf()")
    async with asyncio.timeout(10):
        while await execute(place.admin, f"SHOW {setting}") != [("on",)]:
            await asyncio.sleep(0.01)


async def _open_until_refused(place: Place) -> None:
    """The server reads its settings again some time after it was told to."""
    async with asyncio.timeout(10):
        while True:
            async with place.log():
                await asyncio.sleep(0.01)


async def test_a_session_commits_in_earnest_whatever_is_set(place: Place) -> None:
    """`synchronous_commit` is set for each connection, and looked at."""
    sql = f"ALTER DATABASE {place.database} SET synchronous_commit = off"
    await place.execute(sql)
    async with place.log() as log:
        assert await log.database.fetch("SHOW synchronous_commit") == [("on",)]

    connection = await asyncpg.connect(place.service)
    with pytest.raises(NotDurable, match="synchronous_commit off"):
        await check_durable(connection, "here")
    await connection.close()


async def test_a_database_to_read_only_is_refused(place: Place) -> None:
    """A standby is no log: it lags, and may never become one."""
    with pytest.raises(ReadOnlyLog, match="read-only"):
        async with place.log(f"{place.service}&default_transaction_read_only=on"):
            pass


async def test_a_log_that_became_another_is_not_written_to(place: Place) -> None:
    """After a restore with a new incarnation a running process must not go on."""
    async with place.log() as log:
        await place.execute("UPDATE log SET incarnation = 'another'")
        with pytest.raises(LogUnavailable, match="another log"):
            await log.append(Batch(1, [draft("a-1", 1)]))


def test_without_a_server_the_tests_fail_and_say_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An untested log must not look like a tested one."""
    monkeypatch.setattr(postgres, "_INSTALLED", Path("/none"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unavailable, match="PostgreSQL is not installed") as refused:
        Cluster.start()
    assert any(SKIP in note for note in refused.value.__notes__)
