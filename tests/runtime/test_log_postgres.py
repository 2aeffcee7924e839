"""Several writers, lost connections and bad settings: what PostgreSQL adds."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from log_backends import draft
from postgres_cluster import Cluster
from postgres_place import Place, check_chain
from postgres_proxy import CommitCutter

from contracts.identities import partition_of
from runtime.log import (
    NO_HASH,
    AgendaItem,
    Batch,
    Conflict,
    LogUnavailable,
    Move,
    Position,
)
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate

PLACE = Position("other", 0, "x", 4, NO_HASH)


@pytest.fixture
def wide(cluster: Cluster, empty_database: str) -> Iterator[Place]:
    """A log of eight partitions."""
    place = Place(cluster, empty_database)
    asyncio.run(migrate(place.admin, ["toy"]))
    yield place


async def test_one_of_two_writers_of_a_stream_wins(place: Place) -> None:
    """The other one gets a conflict, and its offset is no hole in the partition."""
    async with place.log() as one, place.log() as two:
        for version in range(1, 21):
            outcomes = await asyncio.gather(
                one.append(Batch(1, [draft("a-1", version), draft("b-1", version)])),
                two.append(Batch(1, [draft("a-1", version), draft("c-1", version)])),
                return_exceptions=True,
            )
            lost = [item for item in outcomes if isinstance(item, Conflict)]
            won = [item for item in outcomes if isinstance(item, list)]
            assert (len(lost), len(won)) == (1, 1), outcomes
            loser = "c-1" if isinstance(outcomes[1], Conflict) else "b-1"
            spare = one if loser == "b-1" else two
            await spare.append(Batch(1, [draft(loser, version)]))

        assert len(await check_chain(one)) == 60


async def test_eight_writers_of_a_partition_take_turns(place: Place) -> None:
    """Offsets are gapless, and every reader sees them in the order of commits."""
    async with place.log(connections=8) as log:
        seen: list[int] = []
        done = asyncio.Event()

        async def write(stream: str) -> None:
            for version in range(1, 26):
                await log.append(Batch(1, [draft(stream, version)]))

        async def watch() -> None:
            while not done.is_set():
                found = await reader.read(0, len(seen), 1000)
                seen.extend(record.offset for record in found)

        async with place.log(connections=1) as reader:
            watching = asyncio.create_task(watch())
            await asyncio.gather(*[write(f"s-{n}") for n in range(8)])
            done.set()
            await watching

        # A later commit with a lower offset would have been passed by.
        assert seen == list(range(1, len(seen) + 1))
        assert len(seen) > 0
        assert len(await check_chain(log)) == 200


async def test_h8_a_batch_over_partitions_keeps_the_order_of_its_drafts(
    wide: Place,
) -> None:
    """Each record lies where its routing key says; each partition has its chain."""
    drafts = [draft(f"table-t{n}", 1) for n in range(20)]
    async with wide.log() as log:
        assert log.partitions == 8
        written = await log.append(Batch(1, drafts))

        assert [r.stream for r in written] == [d.stream for d in drafts]
        for record in written:
            assert record.partition == partition_of(record.stream, 8)
        chains = [await check_chain(log, part) for part in range(8)]
        assert sorted(r for part in chains for r in part) == sorted(written)


async def test_h8_writers_over_partitions_never_wait_for_each_other(
    wide: Place,
) -> None:
    """Heads are taken in ascending order, so that no two writers block each other."""
    orders = [list(range(20)), list(reversed(range(20)))]
    async with wide.log() as one, wide.log() as two:

        async def write(log: PostgresLog, name: str, order: list[int]) -> None:
            for version in range(1, 16):
                drafts = [draft(f"table-{name}{n}", version) for n in order]
                await log.append(Batch(1, drafts))

        await asyncio.gather(write(one, "a", orders[0]), write(two, "b", orders[1]))
        chains = [await check_chain(one, part) for part in range(8)]
        assert sum(map(len, chains)) == 600


async def test_h8_heads_are_taken_in_ascending_order(wide: Place) -> None:
    """A writer that waits for a head holds all lower ones it needs and no higher."""
    async with wide.log(connections=1) as log:
        holder = await asyncpg.connect(f"{wide.admin}&search_path=push22_toy")
        await holder.execute("BEGIN; SELECT FROM heads WHERE part = 4 FOR UPDATE")
        drafts = [draft(f"table-t{n}", 1) for n in range(40)]
        assert {partition_of(item.stream, 8) for item in drafts} == set(range(8))
        writing = asyncio.create_task(log.append(Batch(1, drafts)))
        await _waiting_backend(wide)

        free = "SELECT part FROM heads ORDER BY part FOR UPDATE SKIP LOCKED"
        assert await wide.execute(free) == [(5,), (6,), (7,)]
        await holder.close()
        assert len(await writing) == 40


async def test_who_lost_a_race_goes_on_from_where_the_stream_is(place: Place) -> None:
    """After a conflict nothing is remembered that others have moved."""
    async with place.log() as one, place.log() as two:
        await one.append(Batch(1, [draft("a-1", 1)]))
        await two.append(Batch(1, [draft("a-1", 2)]))
        with pytest.raises(Conflict):
            await one.append(Batch(1, [draft("a-1", 2)]))

        assert await one.stream_version("a-1") == 2
        await one.append(Batch(1, [draft("a-1", 3)]))
        for remembered in (2, 3):
            with pytest.raises(Conflict, match=f"a-1 is at {remembered}, not at 4"):
                await two.append(Batch(1, [draft("a-1", 5)]))


async def test_two_writers_that_move_one_position_conflict(place: Place) -> None:
    """Of two that read on from the same place one is rolled back whole."""
    async with place.log() as one, place.log() as two:
        await one.append(Batch(1, moves=[Move(PLACE, 0)]))
        to = PLACE._replace(offset=5)
        outcomes = await asyncio.gather(
            one.append(Batch(1, [draft("a-1", 1)], [Move(to, 4)])),
            two.append(Batch(1, [draft("b-1", 1)], [Move(to, 4)])),
            return_exceptions=True,
        )

        assert sum(isinstance(item, Conflict) for item in outcomes) == 1, outcomes
        assert len(await check_chain(one)) == 1


async def test_a_backend_killed_in_an_append_leaves_nothing(place: Place) -> None:
    """Its transaction is gone as a whole; the next append goes on without a hole."""
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", 1)]))
        batch = Batch(1, [draft("a-1", 2), draft("b-1", 1)], [Move(PLACE, 0)])
        await _while_blocked(place, log, batch, "pg_terminate_backend")

        assert len(await check_chain(log)) == 1
        assert await log.position("other", 0) is None
        await log.append(batch)
        assert len(await check_chain(log)) == 3


async def _while_blocked(place: Place, log: PostgresLog, batch: Batch, by: str) -> None:
    """Hold back an append after its records are written; end it by `by`."""
    async with _held_back(place, log, batch) as (pid, writing):
        await place.execute(f"SELECT {by}({pid})")
        with pytest.raises(LogUnavailable, match="push22_toy"):
            await writing


@asynccontextmanager
async def _held_back(
    place: Place, log: PostgresLog, batch: Batch
) -> AsyncIterator[tuple[int, asyncio.Task[Any]]]:
    """Let an append write its records and wait for a lock; yield its backend's pid."""
    holder = await asyncpg.connect(f"{place.admin}&search_path=push22_toy")
    try:
        await holder.execute("BEGIN; LOCK TABLE positions IN ACCESS EXCLUSIVE MODE")
        writing = asyncio.create_task(log.append(batch))
        yield await _waiting_backend(place), writing
    finally:
        # Without a word: the server may be gone by now.
        holder.terminate()


async def _waiting_backend(place: Place) -> int:
    """Return the process id of the toy's session that waits for a lock."""
    sql = """
        SELECT pid FROM pg_stat_activity
        WHERE application_name = 'push22_toy' AND wait_event_type = 'Lock'
    """
    async with asyncio.timeout(10):
        while not (waiting := await place.execute(sql)):
            await asyncio.sleep(0.01)
    pid = waiting[0][0]
    assert isinstance(pid, int)
    return pid


async def test_a_backend_killed_the_hard_way_leaves_nothing(place: Place) -> None:
    """The server recovers from its log; what was not committed never was."""
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", 1)]))
        batch = Batch(1, [draft("a-1", 2)], [Move(PLACE, 0)])
        await _killed_the_hard_way(place, log, batch)

        async with asyncio.timeout(30):
            while not await _is_written(log, batch):
                await asyncio.sleep(0.05)
        assert len(await check_chain(log)) == 2


async def _killed_the_hard_way(place: Place, log: PostgresLog, batch: Batch) -> None:
    """Kill an append's backend; with it the server ends every other session."""
    async with _held_back(place, log, batch) as (pid, writing):
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(LogUnavailable):
            await writing


async def _is_written(log: PostgresLog, batch: Batch) -> bool:
    """Try once, as a host does after an outage."""
    try:
        await log.append(batch)
    except LogUnavailable:
        return False
    return True


async def test_a_cancelled_statement_leaves_nothing(place: Place) -> None:
    """An administrator's cancel, like a timeout, rolls the append back."""
    async with place.log() as log:
        batch = Batch(1, [draft("a-1", 1)], [Move(PLACE, 0)])
        await _while_blocked(place, log, batch, "pg_cancel_backend")
        await log.append(batch)
        assert len(await check_chain(log)) == 1


async def test_a_held_head_is_waited_for_only_so_long(place: Place) -> None:
    """A paused process that holds a head does not stop the others for ever."""
    async with place.log(timeout_ms=200) as log:
        holder = await asyncpg.connect(f"{place.admin}&search_path=push22_toy")
        async with holder.transaction():
            await holder.execute("SELECT FROM heads FOR UPDATE")
            with pytest.raises(LogUnavailable, match="timeout"):
                await log.append(Batch(1, [draft("a-1", 1)]))
        await holder.close()
        await log.append(Batch(1, [draft("a-1", 1)]))


async def test_a_paused_writer_is_thrown_out_by_the_server(place: Place) -> None:
    """Who holds a head and sends nothing loses its session, and so the head."""
    async with place.log(timeout_ms=200) as paused, place.log() as log:
        with pytest.raises(LogUnavailable):
            async with paused.database.transaction() as connection:
                await connection.execute("SELECT FROM heads FOR UPDATE")
                await log.append(Batch(1, [draft("a-1", 1)]))
                await connection.execute("UPDATE heads SET next_offset = 99")
        assert len(await check_chain(log)) == 1


@pytest.mark.parametrize("reaches_server", [True, False])
async def test_a_commit_without_reply_is_decided_by_versions(
    cluster: Cluster, place: Place, *, reaches_server: bool
) -> None:
    """Whether it was committed shows at the next try: a conflict, or success."""
    async with (
        CommitCutter(cluster.folder, reaches_server=reaches_server) as cutter,
        place.log(cutter.dsn(place.service), connections=1) as log,
    ):
        batch = Batch(1, [draft("a-1", 1)], [Move(PLACE, 0)])
        cutter.armed = True
        with pytest.raises(LogUnavailable):
            await log.append(batch)
        assert not cutter.armed, "the commit was cut off"

        if reaches_server:
            with pytest.raises(Conflict):
                await log.append(batch)
        else:
            await log.append(batch)
        assert len(await check_chain(log)) == 1
        assert await log.position("other", 0) == PLACE
        assert log.database.sessions == 2


async def test_a_cancelled_append_is_whole_or_nothing(place: Place) -> None:
    """Whenever its task is cancelled: the log goes on, and is in itself right."""
    async with place.log() as log:
        for step in range(40):
            batch = Batch(1, [draft(f"a-{step}", 1), draft(f"b-{step}", 1)])
            writing = asyncio.create_task(log.append(batch))
            for _ in range(step):
                await asyncio.sleep(0)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

        streams = {record.stream for record in await check_chain(log)}
        assert {s.replace("a-", "b-") for s in streams} <= streams
        await log.append(Batch(1, [draft("c-1", 1)]))


async def test_consistent_reads_see_one_moment(place: Place) -> None:
    """What is committed in between is not half seen."""
    item = AgendaItem("a-1", 1, "k", 5)
    async with place.log() as log, log.read_consistent() as then:
        assert await then.read(0, 0, 10) == []
        await log.append(Batch(1, [draft("a-1", 1)], agenda={"a-1": (item,)}))

        assert await then.agenda() == []
        assert await then.head(0) == (0, NO_HASH)
        assert await log.agenda() == [item]
