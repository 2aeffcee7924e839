"""What a broker lets an account do: tried there, not looked up in our table."""

import asyncio
from typing import Literal

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.client import CoordinationType
from aiokafka.errors import (
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    TopicAuthorizationFailedError,
)

from contracts.topics import TOPICS
from push22.casino import SERVICES
from push22.kafka_rights import rights
from runtime.kafka_settings import KafkaSettings, end

BOUND_S = 30.0
FORBIDDEN = (TopicAuthorizationFailedError, ClusterAuthorizationFailedError)
"""The second is for who may write nothing at all."""

TABLE = tuple(rights(SERVICES))
GROUPS = {right.group for right in TABLE if right.group}


async def does_no_more_than_its_work(settings: KafkaSettings, user: str) -> int:
    """Try every topic and group that the table does not give to this account.

    Return how often it was refused.
    """
    everything = {topic.name for topic in TOPICS}
    unwritten = everything - _given(user, "Write")
    unread = everything - _given(user, "Read")
    for topic in sorted(unwritten):
        await _writes_nothing(settings, topic)
    own = {right.group for right in TABLE if right.user == user and right.group}
    consumer = settings.reader()
    try:
        await consumer.start()
        for topic in sorted(unread):
            await _reads_nothing(consumer, topic)
        for group in sorted(GROUPS - own):
            await _joins_nothing(consumer, group)
        for group in own:
            await _coordinator(consumer, group)
    finally:
        await _left(consumer)
    return len(unwritten) + len(unread) + len(GROUPS - own)


def _given(user: str, operation: Literal["Read", "Write"]) -> set[str]:
    return {
        topic
        for right in TABLE
        if (right.user, right.operation) == (user, operation)
        for topic in right.topics
    }


async def _writes_nothing(settings: KafkaSettings, topic: str) -> None:
    producer = settings.producer()
    try:
        with pytest.raises(FORBIDDEN):
            async with asyncio.timeout(BOUND_S):
                await producer.start()
                await producer.send_and_wait(topic, b"forged", partition=0)
    finally:
        await producer.stop()
        # TLS takes leave of the broker after the client has closed.
        await asyncio.sleep(0.5)


async def _reads_nothing(consumer: AIOKafkaConsumer, topic: str) -> None:
    """Not even where it is told that the topic is there, since it may write to it."""
    place = TopicPartition(topic, 0)
    with pytest.raises(TopicAuthorizationFailedError):
        async with asyncio.timeout(BOUND_S):
            await consumer._client._wait_on_metadata(topic)
            consumer.assign([place])
            consumer.seek(place, 0)
            await consumer.getone(place)


async def _joins_nothing(consumer: AIOKafkaConsumer, group: str) -> None:
    """Whoever got into another's group would take partitions away from it."""
    with pytest.raises(GroupAuthorizationFailedError):
        await _coordinator(consumer, group)


async def _coordinator(consumer: AIOKafkaConsumer, group: str) -> None:
    """Ask where a group meets: the first thing that who joins it must be told."""
    async with asyncio.timeout(BOUND_S):
        await consumer._client.coordinator_lookup(CoordinationType.GROUP, group)


async def _left(consumer: AIOKafkaConsumer) -> None:
    await end(consumer)
    await asyncio.sleep(0.5)
