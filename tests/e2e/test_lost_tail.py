"""A log that lost its end, over real Kafka and PostgreSQL: noticed, and mended (H3)."""

import asyncio

import pytest

from push22.remote import RemoteCasino
from tests.e2e.distributed import ALL, Casino
from tests.e2e.players import play

pytestmark = [
    pytest.mark.slow,
    pytest.mark.e2e,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("lost_tail"),
]

COUNT = "SELECT sum(next_offset - 1)::bigint FROM heads"
RECORDS = """
    SELECT string_agg(encode(hash || sha256(body), 'hex'), ' ' ORDER BY part, "offset")
    FROM records
"""


async def test_h3_an_older_database_behind_a_running_service_is_not_written_to(
    casino: Casino,
) -> None:
    """The database is put back while it runs: after the reconnect it ends itself."""
    await play(casino, ["t1"], 2)
    undo = await casino.lose_tail("wallet")
    before = await casino.ask("wallet", COUNT)
    try:
        await casino.disconnect("wallet")
        door = await RemoteCasino.open(casino.settings)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(door.deposit("local.t1", "EUR", 5), 5)
        await door.close()
        said = await asyncio.to_thread(casino.refused, "wallet")

        assert "Kafka has it up to" in said.splitlines()[-1]
        assert await casino.ask("wallet", COUNT) == before
    finally:
        await undo()
    casino.start("wallet")
    await asyncio.to_thread(casino.wait, "wallet")
    assert len(await play(casino, ["t4"], 1)) == 1


async def test_h3_a_reconnect_to_the_same_database_is_gone_on_from(
    casino: Casino,
) -> None:
    """Every session of every service ends in mid-round: it goes on by itself."""

    async def disconnect() -> None:
        for name in ("wallet", "table-orchestrator", "shoe", "settlement"):
            await asyncio.sleep(0.5)
            await casino.disconnect(name)

    closed, _ = await asyncio.gather(play(casino, ["t2", "t3"], 3), disconnect())

    assert len(closed) == len(set(closed)) == 6


async def test_h3_lost_records_are_taken_back_from_kafka(casino: Casino) -> None:
    """Shown first, then taken byte for byte; twice changes nothing; it plays on."""
    await play(casino, ["t5"], 1)
    await stop(casino)
    before = await casino.ask("wallet", RECORDS)
    undo = await casino.lose_tail("wallet")
    lost = await casino.ask("wallet", RECORDS)
    assert lost != before

    shown = casino.run("log", "recover", "wallet", "--dsn", casino.dsn)
    assert "records found" in shown
    assert await casino.ask("wallet", RECORDS) == lost
    taken = casino.run("log", "recover", "wallet", "--dsn", casino.dsn, "--take")
    assert "records taken back" in taken
    assert await casino.ask("wallet", RECORDS) == before
    assert casino.run("log", "recover", "wallet", "--dsn", casino.dsn) == ""
    await undo()
    await asyncio.to_thread(casino.start_all)
    assert len(await play(casino, ["t6"], 1)) == 1


async def test_h3_lost_records_are_taken_back_from_the_archive(casino: Casino) -> None:
    """Kafka has lost its memory too: the archive's file has all that was read."""
    await stop(casino)
    before = await casino.ask("shoe", RECORDS)
    undo = await casino.lose_tail("shoe")
    words = ("--dsn", casino.dsn, "--data", casino.archive, "--take")
    del casino.environment["PUSH22_KAFKA"]
    taken = casino.run("log", "recover", "shoe", *words)
    casino.environment["PUSH22_KAFKA"] = casino.kafka.bootstrap

    assert "records taken back" in taken
    assert await casino.ask("shoe", RECORDS) == before
    await undo()
    await asyncio.to_thread(casino.start_all)


async def stop(casino: Casino) -> None:
    """Stop all services when everything has been handled and archived."""
    for name in ALL:
        await asyncio.to_thread(casino.wait, name)
    for name in ALL:
        await asyncio.to_thread(casino.stop, name)
