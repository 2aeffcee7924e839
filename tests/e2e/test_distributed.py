"""The casino over real Kafka and PostgreSQL, a process per service."""

import asyncio
from itertools import product

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions

from contracts import table as t
from contracts.identities import partition_of
from contracts.topics import PARTITIONS
from contracts.wallet import Deposit
from push22.casino import PLATFORM
from push22.remote import RemoteCasino
from runtime.topics_admin import make_topics
from tests.e2e.distributed import ALL, ARCHIVE, NAMES, Casino
from tests.e2e.marks import CASINO
from tests.e2e.players import play
from tests.e2e.topics import delete_records

pytestmark = [*CASINO, pytest.mark.timeout(600)]
"""One after another at one casino: the last one judges what all have left."""


COMMANDS_AND_EVENTS = ("push22.table.commands.v1", "push22.table.events.v1")
GARBAGE = (b"", b"\xff\xfe", b"{}", b"null", b"[" * 100_000, None)


async def test_rounds_are_played_paid_and_closed(casino: Casino) -> None:
    """The whole way over Kafka, at several tables at once."""
    closed = await play(casino, ["a1", "a2", "a3"], 3)

    assert len(closed) == len(set(closed)) == 9
    assert all(casino.status(name, "live") == 200 for name in ALL)


async def test_a_player_comes_back_to_a_table(casino: Casino) -> None:
    """The table is there, and a round of it is open: it is gone on with."""
    words = ("play", "--auto", "--rounds", "1", "--kafka", casino.kafka.bootstrap)
    first = await asyncio.to_thread(casino.run, *words)
    second = await asyncio.to_thread(casino.run, *words)

    assert first.startswith("round-ny_switch_6d-1 balance ")
    assert second.startswith("round-ny_switch_6d-2 balance ")


@pytest.mark.parametrize("victim", NAMES)
async def test_a_killed_service_goes_on_where_its_log_stands(
    casino: Casino, victim: str
) -> None:
    """Kill -9 in mid-round; the rounds that were open end (law 3)."""

    async def kill() -> None:
        for _ in range(2):
            await asyncio.sleep(0.7)
            await asyncio.to_thread(casino.kill, victim)
            casino.start(victim)

    number = NAMES.index(victim)
    tables = [f"killed{number}a", f"killed{number}b"]
    closed, _ = await asyncio.gather(play(casino, tables, 3), kill())

    assert len(closed) == len(set(closed)) == 6
    await asyncio.to_thread(casino.wait, victim)


async def test_h4_a_repeated_command_appends_nothing(casino: Casino) -> None:
    """The same bytes twice on the topic: one deposit."""
    door = await RemoteCasino.open(casino.settings)
    try:
        await door.deposit("local.h4", "EUR", 500)
        seen: list[int] = []
        door.host.subscribe(
            lambda d: (
                seen.append(d.event.balance_minor)
                if d.record.stream == "wallet-local.h4.EUR"
                else None
            )
        )
        body = door.envelope(Deposit("local.h4", "EUR", 500), PLATFORM, "h4-once")
        await door.host.submit(body)
        part = partition_of("wallet-local.h4.EUR", PARTITIONS)
        await (await door.host._sender._connected()).send_and_wait(
            "push22.wallet.commands.v1", body, partition=part
        )
        await door.deposit("local.h4", "EUR", 1)

        assert seen == [1000, 1001]
    finally:
        await door.close()


async def test_what_nobody_can_read_blocks_nobody(casino: Casino) -> None:
    """Garbage on command and event topics: bad bytes, headers, keys, tombstones."""
    door = await RemoteCasino.open(casino.settings)
    try:
        for topic, part, value in product(COMMANDS_AND_EVENTS, range(8), GARBAGE):
            headers = [("ce_id", b"\xff"), ("x", b""), ("x", b"2")]
            await (await door.host._sender._connected()).send_and_wait(
                topic, value, key=b"k", partition=part, headers=headers
            )
    finally:
        await door.close()

    assert len(await play(casino, ["poison"], 2)) == 2


async def test_h5_what_left_the_topic_is_pulled_from_its_log(casino: Casino) -> None:
    """Records deleted before a reader saw them come from the source's service."""
    await asyncio.to_thread(casino.stop, "settlement")
    door = await RemoteCasino.open(casino.settings)
    try:
        opened = t.OpenTable("gap", "ny-switch-6d", "EUR")
        await door.host.submit(door.envelope(opened, PLATFORM))
        await asyncio.sleep(1)
        await delete_records(casino, "push22.table.events.v1")
    finally:
        await door.close()
    casino.start("settlement")
    await asyncio.to_thread(casino.wait, "settlement")

    part = partition_of("table-gap", PARTITIONS)
    behind = (f"behind{number}" for number in range(1000))
    table = next(n for n in behind if partition_of(f"table-{n}", PARTITIONS) == part)
    assert len(await play(casino, [table], 2)) == 2


async def test_two_instances_of_a_service_share_the_work(casino: Casino) -> None:
    """Rebalanced in mid-round, and back again: nothing twice, nothing skipped."""

    async def come_and_go() -> None:
        await asyncio.sleep(0.5)
        second = await asyncio.to_thread(casino.start_second, "table-orchestrator")
        await asyncio.sleep(3)
        await asyncio.to_thread(casino.end_second, second)

    tables = ["two1", "two2", "two3", "two4"]
    closed, _ = await asyncio.gather(play(casino, tables, 4), come_and_go())

    assert len(closed) == len(set(closed)) == 16


async def test_a_service_stops_in_time_and_loses_nothing(casino: Casino) -> None:
    """SIGTERM ends each within 15 s; started again, they go on."""
    for name in ALL:
        took = await asyncio.to_thread(casino.stop, name)
        assert took < 15, f"{name} took {took:.1f} s"
    await asyncio.to_thread(casino.start_all)

    assert len(await play(casino, ["after"], 1)) == 1


async def test_h3_a_log_that_lost_its_end_is_not_gone_on_with(casino: Casino) -> None:
    """An older copy of the database: Kafka knows more, so nothing is appended."""
    await asyncio.to_thread(casino.stop, "wallet")
    undo = await casino.lose_tail("wallet")
    try:
        casino.start("wallet")
        said = await asyncio.to_thread(casino.refused, "wallet")
        assert "Kafka has it up to" in said
    finally:
        await undo()
    casino.start("wallet")
    await asyncio.to_thread(casino.wait, "wallet")


async def test_a_topic_with_another_number_of_partitions_is_refused(
    casino: Casino,
) -> None:
    """Its records would be looked for in other partitions than they are in (H8)."""
    admin = AIOKafkaAdminClient(**casino.settings.client())
    await admin.start()
    await admin.create_partitions({"push22.checkpoints.v1": NewPartitions(2)})
    await admin.close()

    told = await make_topics(casino.settings, replicas=1)
    (found,) = (x.line for x in told if x.is_unsafe)
    assert found.startswith("push22.checkpoints.v1: UNSAFE: partitions is 2, wanted 1:")


async def test_everything_is_accounted_for_and_made_again(
    casino: Casino, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """After all that: every log copied, verified and audited."""
    data = str(tmp_path_factory.mktemp("mirror"))
    casino.run("mirror", "--dsn", casino.dsn, "--data", data)

    await asyncio.to_thread(casino.wait, ARCHIVE)
    for copy in (data, casino.archive):
        assert "MATCH: all" in casino.run("verify", "--all", "--data", copy)
        assert "every cent is accounted for" in casino.run("audit", "--data", copy)
