"""Settled rounds a second over Kafka and PostgreSQL, all processes on this machine.

Beside it in the same run: bare aiokafka and asyncpg carrying as many records of the
same size, each committed in a batch, sent, received and committed again.
Run `make bench-kafka [SECONDS=30]`. Ends by itself.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from push22.remote import RemoteCasino
from tests.e2e.brokers import Kafka
from tests.e2e.distributed import Casino
from tests.e2e.players import Bots
from tests.postgres import Postgres, temporary_folder

TABLES = tuple(f"bench{number}" for number in range(400))
_BODY = bytes(700)
_BATCH = 64
_TABLE = (
    "CREATE TABLE IF NOT EXISTS bare (o BIGINT PRIMARY KEY, s TEXT, v INT, b BYTEA)"
)


async def casino_rate(casino: Casino, seconds: float) -> tuple[int, float]:
    """Play at many tables for a while; return rounds closed and the time it took."""
    door = await RemoteCasino.open(casino.settings)
    bots = Bots(door, TABLES)
    await bots.open()
    await bots.play(1)
    before, begun = _closed(bots), time.perf_counter()
    until = begun + seconds
    await bots.play_until(lambda: time.perf_counter() >= until)
    found = _closed(bots) - before, time.perf_counter() - begun
    await door.close()
    return found


def _closed(bots: Bots) -> int:
    return sum(len(player.closed) for player in bots.players)


async def records(casino: Casino) -> int:
    """Return how many records all logs hold."""
    connection = await asyncpg.connect(casino.dsn)
    schemas = ("shoe", "table_orchestrator", "settlement", "wallet", "desk")
    total = 0
    for name in schemas:
        total += await connection.fetchval(
            f"SELECT count(*) FROM push22_{name}.records"
        )
    await connection.close()
    return total


async def bare_rate(casino: Casino, count: int) -> float:
    """Commit, send, receive and commit `count` records; return records a second."""
    bootstrap = casino.kafka.bootstrap
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    await admin.create_topics([NewTopic("bare", 1, 1)])
    await admin.close()
    producer = AIOKafkaProducer(
        bootstrap_servers=bootstrap, acks="all", enable_idempotence=True
    )
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap)
    await producer.start()
    await consumer.start()
    consumer.assign([TopicPartition("bare", 0)])
    writer, reader = [await asyncpg.connect(casino.dsn) for _ in range(2)]
    await writer.execute(_TABLE)
    await reader.execute(_TABLE.replace("bare", "bare_read"))
    begun = time.perf_counter()
    await asyncio.gather(
        _write(writer, producer, count), _read(reader, consumer, count)
    )
    took = time.perf_counter() - begun
    for thing in (producer, consumer):
        await thing.stop()
    await writer.close()
    await reader.close()
    return count / took


async def _write(connection, producer, count: int) -> None:  # noqa: ANN001
    for start in range(0, count, _BATCH):
        rows = [(n, f"s{n % 64}", n, _BODY) for n in range(start, start + _BATCH)]
        await connection.copy_records_to_table("bare", records=rows)
        sent = [await producer.send("bare", _BODY, partition=0) for _ in rows]
        await asyncio.gather(*sent)


async def _read(connection, consumer, count: int) -> None:  # noqa: ANN001
    done = 0
    while done < count:
        for messages in (await consumer.getmany(timeout_ms=200)).values():
            rows = [(done + n, "s", n, m.value) for n, m in enumerate(messages)]
            await connection.copy_records_to_table("bare_read", records=rows)
            done += len(messages)


@contextmanager
def casino_here() -> Iterator[Casino]:
    """Run a casino on a broker and a database of its own, and throw all away."""
    folder = Path(tempfile.mkdtemp(prefix="push22-bench-"))
    kafka = Kafka(temporary_folder("push22-kafka-"))
    postgres = Postgres(temporary_folder("push22-pg-"))
    kafka.start()
    postgres.start()
    casino = Casino(folder, kafka, postgres)
    try:
        casino.prepare()
        casino.start_all()
        yield casino
    finally:
        casino.stop_all()
        kafka.remove()
        postgres.remove()


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    with casino_here() as casino:
        before = asyncio.run(records(casino))
        closed, took = asyncio.run(casino_rate(casino, seconds))
        per_round = (asyncio.run(records(casino)) - before) / (closed + len(TABLES))
        casino.stop_all()
        bare = asyncio.run(bare_rate(casino, 40_000)) / per_round
        rate = closed / took
        print(f"distributed, {len(TABLES)} tables  {rate:7.1f} rounds/s  (goal 200)")
        print(f"records a round         {per_round:7.1f}")
        print(f"floor: bare             {bare:7.1f} rounds/s")
        print(f"of the floor            {100 * rate / bare:7.1f} %        (goal 25)")


if __name__ == "__main__":
    main()
