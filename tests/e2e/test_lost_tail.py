"""A log that lost its end, over real Kafka and PostgreSQL: noticed, and mended (H3)."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from contracts.identities import partition_of, wallet_stream
from contracts.topics import PARTITIONS, TOPICS
from push22.remote import RemoteCasino
from tests.e2e.distributed import ALL, ARCHIVE, NAMES, Casino
from tests.e2e.marks import CASINO
from tests.e2e.players import play

pytestmark = [*CASINO, pytest.mark.timeout(600)]

READ_WALLET = ("table-orchestrator", "desk")
"""Services that read the wallet's log."""

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
    again = ("log", "recover", "wallet", "--dsn", casino.dsn)
    assert casino.run(*again) == "nothing is missing\n"
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


async def test_law_1_a_kafka_that_lost_everything_is_filled_again(
    casino: Casino,
) -> None:
    """A fresh archive has all records from Kafka alone; readers drop repeats."""
    await play(casino, ["t9"], 2)
    await stop(casino)
    await again(casino, [topic.name for topic in TOPICS])
    filled = casino.run("topics", "refill", "--dsn", casino.dsn)
    assert filled.count("records sent") == len(NAMES)

    shutil.rmtree(casino.archive)
    casino.start(ARCHIVE)
    await asyncio.to_thread(casino.wait, ARCHIVE)
    await asyncio.to_thread(casino.stop, ARCHIVE)
    assert "MATCH: all" in casino.run("verify", "--all", "--data", casino.archive)
    copied = casino.run("mirror", "--dsn", casino.dsn, "--data", casino.archive)
    assert copied.count(": 0 new records") == len(NAMES), copied

    await asyncio.to_thread(casino.start_all)
    assert len(await play(casino, ["t7"], 2)) == 2


async def test_h3_what_is_lost_for_good_is_gone_on_without(
    casino: Casino, tmp_path: Path
) -> None:
    """A new incarnation: readers halt, are told to go on, and all is right again."""
    door = await RemoteCasino.open(casino.settings)
    # The last record of each partition is one that nobody else acts on.
    players = [f"local.p{number}" for number in range(80)]
    for player in players:
        await door.deposit(player, "EUR", 100)
    ends = {
        partition_of(wallet_stream(player, "EUR"), PARTITIONS) for player in players
    }
    assert ends == set(range(PARTITIONS))
    await door.close()
    await stop(casino)
    await casino.lose_tail("wallet")
    decided = ("--by", "the boss", "--why", "no backup", "--dsn", casino.dsn)
    said = casino.run("log", "new-incarnation", "wallet", *decided)
    assert "goes on as" in said
    wallet = "push22.wallet.events.v1"
    await again(casino, [wallet])
    casino.run("topics", "refill", "--service", "wallet", "--dsn", casino.dsn)

    for name in NAMES:
        casino.start(name)
    # Who reads the wallet's log halts as soon as it hears of it, ready or not.
    await asyncio.to_thread(casino.wait, "wallet")
    door = await RemoteCasino.open(casino.settings)
    for number in range(80):
        await door.deposit(f"local.q{number}", "EUR", 100)
    await door.close()
    await go_on(casino, decided)
    assert len(await play(casino, ["t8"], 2)) == 2
    await asyncio.sleep(1)
    data = str(tmp_path)
    casino.run("mirror", "--dsn", casino.dsn, "--data", data)
    assert "MATCH: all" in casino.run("verify", "--all", "--data", data)


async def go_on(casino: Casino, decided: Sequence[str]) -> None:
    """Tell all who read the wallet's log to go on, once they have halted."""
    for name in READ_WALLET:
        await until(lambda name=name: another_log(casino, name))
        await asyncio.to_thread(casino.stop, name)
        words = (name, "--of", "wallet", *decided)
        assert casino.run("log", "accept", *words).count("goes on after") == 8
    await asyncio.to_thread(start, casino, READ_WALLET)


def another_log(casino: Casino, name: str) -> bool:
    """Tell whether a service has halted at the wallet's log, and says why."""
    is_ready = casino.status(name, "ready") == 200
    return not is_ready and "wallet is another log now" in casino.said(name)


def start(casino: Casino, names: Sequence[str]) -> None:
    for name in names:
        casino.start(name)
    for name in names:
        casino.wait(name)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds, for half a minute at most."""
    async with asyncio.timeout(30):
        while not await asyncio.to_thread(holds):
            await asyncio.sleep(0.1)


async def again(casino: Casino, names: list[str]) -> None:
    """Delete topics and make them again, empty."""
    admin = AIOKafkaAdminClient(**casino.settings.client())
    await admin.start()
    await admin.delete_topics(names)
    async with asyncio.timeout(30):
        while set(names) & set(await admin.list_topics()):
            await asyncio.sleep(0.2)
    await admin.close()
    casino.run("topics")
