"""What a log's topic still holds of it: for whoever lost records (H3)."""

import asyncio
from collections.abc import Mapping

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from runtime.kafka_records import Arrived, Beacon, read
from runtime.kafka_settings import KafkaSettings, end
from runtime.log import LogUnavailable, Record
from runtime.log_postgres import PostgresLog

_SILENCE_S = 30.0


class Remembered:
    """Of one partition: records from some offset on, and how far it is known to go."""

    def __init__(self, since: int) -> None:
        self.since = since
        self.records: list[Record] = []
        self.known_end = 0

    def hear(self, arrived: Arrived | Beacon, incarnation: str) -> None:
        """Keep what is of this incarnation and not before `since`."""
        if isinstance(arrived, Beacon):
            if arrived.log == incarnation:
                self.known_end = max(self.known_end, arrived.offset)
        elif arrived.incarnation == incarnation and arrived.record.offset >= self.since:
            self.records.append(arrived.record)
            self.known_end = max(self.known_end, arrived.record.offset)


async def remembered(
    kafka: KafkaSettings, log: PostgresLog, topic: str, since: Mapping[int, int]
) -> dict[int, Remembered]:
    """Read all partitions of a log's topic; keep what is at or after `since`."""
    found = {part: Remembered(offset) for part, offset in since.items()}
    consumer = kafka.reader()
    try:
        async with asyncio.timeout(_SILENCE_S):
            await consumer.start()
        for part, into in found.items():
            await _read(log, consumer, TopicPartition(topic, part), into)
    except (KafkaError, OSError) as error:
        why = str(error) or f"silent for {_SILENCE_S:.0f} s"
        raise LogUnavailable(f"{topic} at {kafka.bootstrap}: {why}") from error
    finally:
        await end(consumer)
    return found


async def _read(
    log: PostgresLog,
    consumer: AIOKafkaConsumer,
    place: TopicPartition,
    into: Remembered,
) -> None:
    consumer.assign([place])
    async with asyncio.timeout(_SILENCE_S):
        to = (await consumer.end_offsets([place]))[place]
        await consumer.seek_to_beginning(place)
    while True:
        async with asyncio.timeout(_SILENCE_S):
            if await consumer.position(place) >= to:
                return
            found = await consumer.getmany(place, timeout_ms=1000)
        for message in found.get(place, []):
            arrived = read(message, log.service)
            if isinstance(arrived, Arrived | Beacon):
                into.hear(arrived, log.incarnation)
