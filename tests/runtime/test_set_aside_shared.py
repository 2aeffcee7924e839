"""What one instance sets aside the others respect at once (H9)."""

from typing import Any

import pytest
from log_backends import draft
from postgres_place import Place, check_chain
from toys import FAULTS, TOY, ambient, command

from contracts import catalog
from runtime import parked
from runtime.bus_kafka import KafkaBus
from runtime.commands import Submitted
from runtime.handle import Worker
from runtime.log import Batch, Conflict, Parked
from runtime.log_postgres import PostgresLog


class Instance:
    """One process of the toy, on a connection pool of its own."""

    def __init__(self, log: PostgresLog) -> None:
        self.worker = Worker(TOY, log, KafkaBus(log, (), 1), ambient())

    async def send(self, id_: str, amount: int, counter: str = "a") -> Any:
        body = command(id_, amount, counter=counter)
        self.worker.desk.submit(Submitted(body, lambda answer: None, 0))
        committed = await self.worker.cycle()
        return committed.replies[0][1]


async def both(one: PostgresLog, two: PostgresLog) -> tuple[Instance, Instance]:
    """Start two instances; each has the counters in its memory."""
    first, second = Instance(one), Instance(two)
    await first.worker.start()
    await second.worker.start()
    await first.send("a1", 1)
    await second.send("a2", 1)
    await second.send("b1", 1, counter="b")
    return first, second


async def test_h9_the_other_instance_parks_behind_at_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next command for that stream queues behind; other streams go on."""
    async with place.log() as one, place.log() as two:
        first, second = await both(one, two)
        assert (await first.send("a3", FAULTS.poison)).reason == "set_aside"

        assert (await second.send("a4", 5)).reason == "set_aside"
        assert (await second.send("b2", 5, counter="b")).accepted
        assert [p.reason == "behind" for p in await one.parked()] == [False, True]

        monkeypatch.setattr(FAULTS, "poison", -1)
        assert await parked.retry(first.worker, "counter-a") == (2, "")
        causes = [
            catalog.decode_envelope(record.body).caused_by
            for record in await one.read_stream("counter-a")
        ]
        assert causes == ["a1", "a2", "a3", "a4"]
        assert (await second.send("a3", 666)).accepted, "the answer is the true one"


async def test_h9_the_other_instance_goes_on_once_the_queue_is_done(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing waits any more, so nothing is parked behind it."""
    async with place.log() as one, place.log() as two:
        first, second = await both(one, two)
        await first.send("a3", FAULTS.poison)
        assert (await second.send("a4", 5)).reason == "set_aside"
        monkeypatch.setattr(FAULTS, "poison", -1)
        await parked.retry(first.worker, "counter-a")

        assert (await second.send("a5", 5)).accepted
        assert await one.parked() == []
        assert len(await check_chain(one)) == 6


async def test_h9_a_quiet_decision_for_it_is_not_lost_either(place: Place) -> None:
    """Quiet now is not quiet after what waits before it: it is decided again then."""
    async with place.log() as one, place.log() as two:
        first, second = await both(one, two)
        await first.send("a3", FAULTS.poison)
        entry = await second.worker.states.load("counter-a")
        with pytest.raises(Conflict, match="set aside"):
            await second.worker.states.is_old(entry)


async def test_h9_the_database_refuses_what_would_overtake(place: Place) -> None:
    """Whoever appends: only the retry of a queue may add to a stream that waits."""
    async with place.log() as one:
        await one.append(Batch(1, [draft("a-1", 1), draft("b-1", 1)]))
        waiting = [Parked("a-1", "command", "", why, b"", 1) for why in ("x", "behind")]
        await one.append(Batch(1, parked=waiting))

        with pytest.raises(Conflict, match="a-1 is set aside"):
            await one.append(Batch(1, [draft("b-1", 2), draft("a-1", 2)]))
        await one.append(Batch(1, [draft("b-1", 2)]))
        await one.append(Batch(1, [draft("a-1", 2)], unparked=[1]))
        with pytest.raises(Conflict, match="no longer set aside"):
            late = Parked("b-1", "command", "", "behind", b"", 1)
            await one.append(Batch(1, parked=[late]))
        assert len(await check_chain(one)) == 4
