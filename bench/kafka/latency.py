"""From a player's action to its event, over Kafka and PostgreSQL, at a set load.

First the rate that this machine reaches is measured; then rounds begin at half of it
and at LOAD (half the goal), open loop. Beside it: one bare hop, in the same run.
Run `make bench-kafka [LOAD=100] [SECONDS=30]`. Ends by itself.
"""

import asyncio
import sys
import time

import asyncpg
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from hdrh.histogram import HdrHistogram

from bench.kafka.open_loop import DRAIN_S, PACE_S, WARM_S, Found, OpenLoop, histogram
from bench.kafka.rounds import TABLES, casino_here, casino_rate
from contracts.table import CloseTable
from push22.casino import PLATFORM
from push22.remote import RemoteCasino
from tests.e2e.distributed import Casino

_GOAL_LOAD = 100.0
_RATE_S = 10.0
_HOPS = 1000
_WARM_HOPS = 200
_HOPS_A_SECOND = 100
_BODY = bytes(700)
_PERCENTS = (50, 90, 99, 99.9)
_TABLE = "CREATE TABLE bare_hop (o BIGSERIAL PRIMARY KEY, b BYTEA)"
_INSERT = "INSERT INTO bare_hop (b) VALUES ($1)"


async def at_loads(casino: Casino, goal: float, seconds: float) -> None:
    """Measure the rate, then latencies at half of it and at the load asked for."""
    closed, took = await casino_rate(casino, _RATE_S)
    half = closed / took / 2
    print(f"rate, closed loop       {2 * half:7.1f} rounds/s")
    door = await RemoteCasino.open(casino.settings)
    try:
        await _close_tables(door)
        players = OpenLoop(door)
        for load in [half, goal] if half < goal else [goal]:
            _show(await players.run(load, seconds))
    finally:
        await door.close()


async def _close_tables(door: RemoteCasino) -> None:
    """The tables of the rate would go on with rounds that nobody plays."""
    commands = (CloseTable(name, "measured") for name in TABLES)
    bodies = [door.envelope(command, PLATFORM) for command in commands]
    answers = await asyncio.gather(*map(door.host.submit, bodies))
    assert all(answer.accepted for answer in answers)


def _show(found: Found) -> None:
    print(f"\noffered                 {found.offered:7.1f} rounds/s")
    print(f"closed                  {found.closed:7.1f} rounds/s")
    print(
        f"actions {found.actions}, refused {found.refused}, sent and not answered"
        f" within 30 s {found.timed_out}, rounds not ended {found.unfinished}"
    )
    print(_heading())
    _print("action to event", found.latency, " goal 15 and 80")
    _print("  until it could be sent", found.waited)
    _print("  until it was decided", found.decided)
    _print("  until it was heard", found.heard)


def _heading() -> str:
    names = "".join(f"{f'p{percent}':>9}" for percent in _PERCENTS)
    return f"{'ms':24}{names}{'max':>9}"


def _print(name: str, values: HdrHistogram, note: str = "") -> None:
    if not values.get_total_count():
        return
    found = [values.get_value_at_percentile(percent) for percent in _PERCENTS]
    found.append(values.get_max_value())
    print(f"{name:24}" + "".join(f"{micros / 1000:9.1f}" for micros in found) + note)


async def bare_hops(casino: Casino) -> HdrHistogram:
    """Commit one record, send it, receive it: how long that takes, open loop."""
    admin = AIOKafkaAdminClient(**casino.settings.client())
    await admin.start()
    await admin.create_topics([NewTopic("bare_hop", 1, 1)])
    await admin.close()
    producer, consumer = casino.settings.producer(), casino.settings.reader()
    pool = await asyncpg.create_pool(casino.dsn, min_size=4, max_size=4)
    await pool.execute(_TABLE)
    await producer.start()
    await consumer.start()
    consumer.assign([TopicPartition("bare_hop", 0)])
    begun = time.perf_counter()

    async def hop(due_at: float) -> None:
        await asyncio.sleep(due_at - time.perf_counter())
        await pool.execute(_INSERT, _BODY)
        await producer.send("bare_hop", _message(due_at), partition=0)

    times = (
        begun + 1 + number / _HOPS_A_SECOND for number in range(_HOPS + _WARM_HOPS)
    )
    found, *_ = await asyncio.gather(_heard(consumer), *map(hop, times))
    await producer.stop()
    await consumer.stop()
    await pool.close()
    return found


def _message(due_at: float) -> bytes:
    """As large as a record."""
    return repr(due_at).encode().ljust(len(_BODY))


async def _heard(consumer: AIOKafkaConsumer) -> HdrHistogram:
    found = histogram()
    for number in range(_HOPS + _WARM_HOPS):
        message = await consumer.getone()
        late = time.perf_counter() - float(message.value)
        if number >= _WARM_HOPS:
            found.record_value(max(1, round(late * 1e6)))
    return found


def main() -> None:
    goal = float(sys.argv[1]) if len(sys.argv) > 1 else _GOAL_LOAD
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 30.0
    print(f"warm-up {WARM_S} s, pace {PACE_S} s, drain {DRAIN_S} s")
    with casino_here() as casino:
        asyncio.run(at_loads(casino, goal, seconds))
        casino.stop_all()
        print(f"\n{_heading()}")
        _print("floor: one bare hop", asyncio.run(bare_hops(casino)))


if __name__ == "__main__":
    main()
