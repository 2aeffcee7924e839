"""Deadlines where several instances work at one log (H10)."""

import asyncio
from typing import Any

from postgres_place import Place
from toys import FAULTS, TOY, ambient, command

from contracts import catalog
from runtime import parked
from runtime.ambient import ManualClock
from runtime.commands import Submitted
from runtime.distributed import DistributedHost
from runtime.log import Batch, LogUnavailable, Record
from runtime.log_postgres import PostgresLog

ALL = frozenset(range(8))
NONE: frozenset[int] = frozenset()
EXPIRED, EXTENDED = "toy.expired.v1", "toy.extended.v1"


class Nobody:
    """A relay that sends nothing and a guard that trusts everybody."""

    def offer(self, records: list[Record]) -> None:
        pass

    async def check(self) -> None:
        pass


def host(log: PostgresLog, clock: ManualClock) -> DistributedHost:
    nobody: Any = Nobody()
    return DistributedHost(
        TOY, log, ambient(clock), relay=nobody, puller=nobody, guard=nobody
    )


async def started(log: PostgresLog, clock: ManualClock, held: frozenset[int]) -> Any:
    made = host(log, clock)
    await made.start()
    made.hold(held)
    await made.tick()
    return made


async def send(made: Any, id_: str, amount: int, counter: str = "a") -> None:
    body = command(id_, amount, counter=counter)
    made.worker.desk.submit(Submitted(body, lambda _: None, made.ambient.clock.now()))
    async with made._lock:
        await made._work()


async def look(made: Any) -> None:
    """Tick as after seconds: signs of life are given and others' work is looked at."""
    made._alive_at = made._looked_at = -100.0
    await made.tick()


async def types(log: PostgresLog, stream: str = "counter-a") -> list[str]:
    records = await log.read_stream(stream)
    return [catalog.decode_envelope(record.body).type for record in records]


async def test_what_was_mended_deletes_no_newer_deadline(place: Place) -> None:
    """Learnt from old rows; the stream had gone on before it was written."""
    async with place.log() as one, place.log() as two:
        clock = ManualClock()
        a, b = await started(one, clock, ALL), await started(two, clock, NONE)
        await send(a, "c1", 60)
        rows, alive_at = two.agenda, two.alive_at
        todo = [("c2", 5), ("c3", 60)]

        async def late_rows() -> Any:
            found = await rows()
            if len(todo) == 2:
                await send(a, *todo.pop(0))
            return found

        async def late_time() -> Any:
            if len(todo) == 1:
                await send(a, *todo.pop(0))
            return await alive_at()

        for name, late in (("agenda", late_rows), ("alive_at", late_time)):
            setattr(two, name, late)
        b.hold(NONE)
        await send(b, "x1", 1, "other")

        assert [item.stream for item in await one.agenda()] == ["counter-a"]


async def test_partitions_given_while_it_learns_are_learnt_too(place: Place) -> None:
    """What is told in the midst of learning is not taken for learnt."""
    async with place.log() as log:
        clock = ManualClock()
        made = await started(log, clock, ALL)
        await send(made, "c1", 60)
        made.hold(NONE)
        alive_at = log.alive_at

        async def given() -> Any:
            made.hold(ALL)
            return await alive_at()

        setattr(log, "alive_at", given)  # noqa: B010 - a method is replaced
        await send(made, "x1", 1, "other")
        setattr(log, "alive_at", alive_at)  # noqa: B010
        await look(made)
        clock.advance(seconds=3600)
        await made.tick()

        assert EXPIRED in await types(log)


async def test_whoever_holds_a_partition_fires_for_all(place: Place) -> None:
    """Also what another instance commits after its partitions were taken from it."""
    async with place.log() as one, place.log() as two:
        clock = ManualClock()
        a, b = await started(one, clock, NONE), await started(two, clock, ALL)
        await send(a, "c1", 60)
        await look(b)
        clock.advance(seconds=3600)
        await b.tick()

        assert EXPIRED in await types(one)


async def test_a_rebalance_is_no_outage(place: Place) -> None:
    """Nobody was away, whatever comes and goes beside it."""
    async with place.log() as log:
        clock = ManualClock()
        made = await started(log, clock, ALL)
        await send(made, "c1", 60)
        for _ in range(3):
            clock.advance(seconds=1.3)
            made.hold(ALL)
            await look(made)

        assert EXTENDED not in await types(log)


async def test_an_outage_is_told_once_when_its_reply_is_lost(place: Place) -> None:
    """The commit was durable: what the log says now counts."""
    async with place.log() as one, place.log() as two:
        clock = ManualClock()
        await send(await started(one, clock, ALL), "c1", 60)
        clock.advance(seconds=600)
        append, lost = two.append, [LogUnavailable("no reply in time")]

        async def lossy(batch: Batch) -> list[Record]:
            found = await append(batch)
            if lost:
                raise lost.pop()
            return found

        setattr(two, "append", lossy)  # noqa: B010 - a method is replaced
        await started(two, clock, ALL)

        assert (await types(one)).count(EXTENDED) == 1


async def test_instances_that_come_back_together_tell_it_once(place: Place) -> None:
    """Who loses the race looks again, and finds somebody alive."""
    async with place.log() as one, place.log() as two, place.log() as three:
        clock = ManualClock()
        await send(await started(one, clock, ALL), "c1", 60)
        clock.advance(seconds=600)
        hosts = [host(log, clock) for log in (one, two, three)]
        for made in hosts:
            await made.start()
        hosts[0].hold(ALL)
        for made in (*hosts, *hosts):
            await made.tick()

        assert (await types(one)).count(EXTENDED) == 1


async def test_a_retry_is_no_sign_of_life(place: Place, monkeypatch: Any) -> None:
    """An operator tries parked inputs again while the service is down."""
    async with place.log() as one, place.log() as two, place.log() as three:
        clock = ManualClock()
        made = await started(one, clock, ALL)
        await send(made, "c1", 60)
        await send(made, "p1", FAULTS.poison, "b")
        clock.advance(seconds=600)
        monkeypatch.setattr(FAULTS, "poison", -1)
        worker = host(two, clock).worker
        await worker.start()
        assert await parked.retry(worker, "counter-b") == (1, "")
        await asyncio.sleep(0)
        await started(three, clock, ALL)

        assert EXTENDED in await types(one)
