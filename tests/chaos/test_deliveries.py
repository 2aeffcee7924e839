"""What Kafka delivers twice, late or out of order, and what nobody can read."""

import asyncio
import random

import pytest
from aiokafka import AIOKafkaProducer, ConsumerRecord, TopicPartition

from contracts import catalog
from contracts.topics import topic_of_command
from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.judge import Judge
from tests.chaos.marks import CHAOS
from tests.e2e.topics import COMMAND_TOPICS, EVENT_TOPICS, all_messages, places_of

pytestmark = CHAOS

TURNS_MIN = 3
BULK = 400
GARBAGE: tuple[bytes | None, ...] = (
    None,
    b"",
    b"\xff\xfe",
    b"{}",
    b"null",
    b"[" * 100_000,
    b'{"id":"","type":"table.hit.v1","issued_at":0}',
    b'{"id":"x","type":"table.hit.v99","issued_at":0,"actor":{},"data":{}}',
)
HEADERS = [("ce_id", b"\xff"), ("x-beacon", b""), ("x", b""), ("x", b"2")]


@pytest.mark.chaos_ci
async def test_everything_is_delivered_again_and_in_any_order(case: Case) -> None:
    """Old records and commands come again in bulk, shuffled (13, 16, 36; H4, CO2)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        turns = 0
        async with case.casino.settings.producer() as producer:
            while await case.again(crowd, turns, TURNS_MIN):
                await repeat_events(case, producer)
                await repeat_commands(crowd, producer, case.rng)
                turns += 1

    await case.run(trouble)


async def repeat_events(case: Case, producer: AIOKafkaProducer) -> None:
    old = await all_messages(case.casino, EVENT_TOPICS)
    chosen = case.rng.sample(old, min(BULK, len(old)))
    await asyncio.gather(*[await again(producer, message) for message in chosen])


async def again(
    producer: AIOKafkaProducer, message: ConsumerRecord
) -> "asyncio.Future[object]":
    sent: asyncio.Future[object] = await producer.send(
        message.topic,
        message.value,
        key=message.key,
        partition=message.partition,
        headers=list(message.headers),
    )
    return sent


async def repeat_commands(
    crowd: Crowd, producer: AIOKafkaProducer, rng: random.Random
) -> None:
    """Also into partitions that they do not belong to: any instance may get them."""
    bodies = list(crowd.door.host.sent.values())
    for body in rng.sample(bodies, min(BULK, len(bodies))):
        topic = topic_of_command(catalog.decode_command_envelope(body).type)
        part = rng.randrange(topic.partitions)
        await producer.send_and_wait(topic.name, body, partition=part)


async def test_poison_under_load(lone_case: Case) -> None:
    """Bad bytes, headers, keys and tombstones on every topic (11, 12, 20; FC6, CO5)."""
    case = lone_case
    case.judge = Judge(may_be_parked=("undecodable",))

    async def trouble(crowd: Crowd) -> None:
        turns = 0
        async with case.casino.settings.producer() as producer:
            while await case.again(crowd, turns, TURNS_MIN):
                for place in places_of((*EVENT_TOPICS, *COMMAND_TOPICS)):
                    await poison(producer, place, case.rng)
                turns += 1

    await case.run(trouble)


async def poison(
    producer: AIOKafkaProducer, place: TopicPartition, rng: random.Random
) -> None:
    bulk = [*GARBAGE, rng.randbytes(rng.randrange(200))]
    rng.shuffle(bulk)
    for value in bulk:
        headers = rng.sample(HEADERS, rng.randrange(len(HEADERS)))
        await producer.send_and_wait(
            place.topic, value, key=b"k", partition=place.partition, headers=headers
        )
