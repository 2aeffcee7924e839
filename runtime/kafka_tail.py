"""The end of a log's topic, compared with the log's head (H3).

Whoever lost the end of their log, by a restored backup or a lagging standby, must not
append again under offsets that others have already read.
"""

import asyncio

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from runtime.kafka_records import Arrived, Misfit, read
from runtime.kafka_settings import KafkaSettings, end
from runtime.log import LogUnavailable
from runtime.log_postgres import PostgresLog
from runtime.tail_guard import TailLost

_LOOK_BACK = 50
"""Of so many last messages of a topic partition one is a record or a beacon."""

_WAIT_S = 30.0


async def check_tail(log: PostgresLog, topic: str, kafka: KafkaSettings) -> None:
    """Refuse to go on where the topic knows a longer or another log: TailLost.

    Raises LogUnavailable if Kafka does not say within a bound.
    """
    consumer = kafka.reader()
    try:
        async with asyncio.timeout(_WAIT_S):
            await consumer.start()
            for part in range(log.partitions):
                await _check(log, consumer, TopicPartition(topic, part))
    except (KafkaError, OSError) as error:
        why = str(error) or f"no answer within {_WAIT_S:.0f} s"
        raise LogUnavailable(
            f"the end of {topic} can't be read at {kafka.bootstrap}: {why}"
        ) from error
    finally:
        await end(consumer)


async def _check(
    log: PostgresLog, consumer: AIOKafkaConsumer, place: TopicPartition
) -> None:
    found = await _last(log, consumer, place)
    if found is None:
        return
    offset, link = found
    head, head_link = await log.head(place.partition)
    if offset > head:
        raise TailLost(
            f"{log.service}: partition {place.partition} ends at {head},"
            f" Kafka has it up to {offset}"
        )
    if offset and offset < head:
        (record,) = await log.read(place.partition, offset - 1, 1)
        head_link = record.hash
    if offset and link != head_link:
        raise TailLost(
            f"{log.service}: partition {place.partition} and Kafka"
            f" hold different records at {offset}"
        )


async def _last(
    log: PostgresLog, consumer: AIOKafkaConsumer, place: TopicPartition
) -> tuple[int, bytes] | None:
    """Return the greatest offset of this incarnation near the topic's end."""
    consumer.assign([place])
    ends = await consumer.end_offsets([place])
    begins = await consumer.beginning_offsets([place])
    start = max(begins[place], ends[place] - _LOOK_BACK)
    consumer.seek(place, start)
    best: tuple[int, bytes] | None = None
    # The last offsets may be no messages: a marker of somebody's transaction is none.
    while await consumer.position(place) < ends[place]:
        for message in (await consumer.getmany(place, timeout_ms=1000)).get(place, []):
            found = read(message, log.service)
            if isinstance(found, Misfit):
                continue
            at = found.record if isinstance(found, Arrived) else found
            log_id = found.incarnation if isinstance(found, Arrived) else found.log
            if log_id == log.incarnation and at.offset >= (best[0] if best else 0):
                best = at.offset, at.hash
    return best
