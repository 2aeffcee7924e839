"""What happens to topics: records expire, topics vanish, and what is still there."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete

from contracts.topics import PARTITIONS, TOPICS, Kind
from tests.e2e.distributed import Casino

EVENT_TOPICS = tuple(topic.name for topic in TOPICS if topic.kind is Kind.EVENTS)
COMMAND_TOPICS = tuple(topic.name for topic in TOPICS if topic.kind is Kind.COMMANDS)

_STEP_S = 0.2
_GONE_S = 60.0


def places_of(topics: Iterable[str]) -> list[TopicPartition]:
    return [TopicPartition(topic, p) for topic in topics for p in range(PARTITIONS)]


@asynccontextmanager
async def _admin(casino: Casino) -> AsyncIterator[AIOKafkaAdminClient]:
    admin = AIOKafkaAdminClient(**casino.settings.client())
    await admin.start()
    try:
        yield admin
    finally:
        await admin.close()


@asynccontextmanager
async def reader(
    casino: Casino, topics: Sequence[str]
) -> AsyncIterator[AIOKafkaConsumer]:
    """A consumer of all partitions of topics, from their beginning."""
    consumer = casino.settings.reader()
    await consumer.start()
    try:
        consumer.assign(places_of(topics))
        await consumer.seek_to_beginning(*places_of(topics))
        yield consumer
    finally:
        await consumer.stop()


async def delete_records(casino: Casino, *topics: str) -> None:
    """Let all that topics hold expire."""
    async with _admin(casino) as admin, reader(casino, topics) as consumer:
        ends = await consumer.end_offsets(places_of(topics))
        await admin.delete_records(
            {place: RecordsToDelete(before_offset=end) for place, end in ends.items()}
        )


async def delete_topic(casino: Casino, topic: str) -> None:
    """Delete a topic with all that it holds, and wait until it is gone."""
    async with _admin(casino) as admin:
        await admin.delete_topics([topic])
        async with asyncio.timeout(_GONE_S):
            while topic in await admin.list_topics():
                await asyncio.sleep(_STEP_S)


async def all_messages(casino: Casino, topics: Sequence[str]) -> list[ConsumerRecord]:
    """Return everything that topics hold now, however fast more comes."""
    found: list[ConsumerRecord] = []
    async with reader(casino, topics) as consumer:
        ends = await consumer.end_offsets(places_of(topics))
        left = set(ends)
        while left:
            for messages in (await consumer.getmany(timeout_ms=200)).values():
                found += messages
            left = {p for p in left if await consumer.position(p) < ends[p]}
    return found
