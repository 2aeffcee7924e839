"""A casino elsewhere: commands go to Kafka, what happens is heard from there.

Whoever sends a command knows its outcome by the first event that carries its id: the
event itself, or the recorded refusal.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Self

from aiokafka import TopicPartition

from contracts import catalog
from contracts.base import is_refusal
from contracts.envelope import Answer
from contracts.identities import partition_of, routing_key
from contracts.topics import BY_NAME, topic_of_command
from push22.casino import SERVICES, CasinoDoor
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.bus_memory import Delivery
from runtime.hearers import Hearer, Hearers
from runtime.kafka_records import Arrived, read
from runtime.kafka_settings import KafkaSettings, event_places

_ANSWER_S = 30.0


class RemoteHost:
    """Sends commands and hears of every record, each once and in its log's order."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._producer = kafka.producer()
        self._consumer = kafka.reader()
        self._hearers = Hearers()
        self._waiting: dict[str, asyncio.Future[Answer]] = {}
        self._seen: dict[tuple[str, int], int] = {}
        self._task: asyncio.Task[None] | None = None
        self._address: dict[str, Callable[[Any], str]] = {
            tag: service.address
            for service in SERVICES
            for tag in service.commands
            if service.address is not None
        }

    def subscribe(self, hearer: Hearer, *keys: str) -> None:
        self._hearers.subscribe(hearer, *keys)

    async def start(self) -> None:
        """Connect, and hear of everything up to now before anything is sent."""
        await self._producer.start()
        await self._consumer.start()
        places = event_places()
        self._consumer.assign(places)
        await self._consumer.seek_to_beginning(*places)
        await self._catch_up(await self._consumer.end_offsets(places))
        self._task = asyncio.create_task(self._listen())

    async def _catch_up(self, ends: dict[TopicPartition, int]) -> None:
        left = {place for place, end in ends.items() if end > 0}
        while left:
            await self._take()
            left = {
                place
                for place in left
                if await self._consumer.position(place) < ends[place]
            }

    async def _listen(self) -> None:
        while True:
            await self._take()

    async def _take(self) -> None:
        for messages in (await self._consumer.getmany(timeout_ms=200)).values():
            for message in messages:
                found = read(message, BY_NAME[message.topic].service)
                if isinstance(found, Arrived):
                    self._hear(found)

    def _hear(self, arrived: Arrived) -> None:
        record, envelope = arrived
        place = record.service, record.partition
        if record.offset <= self._seen.get(place, 0):
            return
        self._seen[place] = record.offset
        delivery = Delivery(record, envelope)
        for hearer in self._hearers.of(record.stream):
            hearer(delivery)
        waiting = self._waiting.pop(envelope.caused_by, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(_answer(delivery))

    async def submit(self, body: bytes) -> Answer:
        """Send a command and wait for its event. Raises TimeoutError."""
        envelope = catalog.decode_command_envelope(body)
        stream = self._address[envelope.type](catalog.decode_command(envelope))
        topic = topic_of_command(envelope.type)
        waiting = asyncio.get_running_loop().create_future()
        self._waiting[envelope.id] = waiting
        await self._producer.send_and_wait(
            topic.name,
            body,
            key=routing_key(stream).encode(),
            partition=partition_of(stream, topic.partitions),
        )
        async with asyncio.timeout(_ANSWER_S):
            answer: Answer = await waiting
        return answer

    async def settle(self) -> None:
        """Let what has come be heard; more comes by itself."""
        await asyncio.sleep(0)

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        await self._consumer.stop()
        await self._producer.stop()


def _answer(delivery: Delivery) -> Answer:
    envelope = delivery.envelope
    accepted = not is_refusal(envelope.type)
    reason = "" if accepted else str(delivery.event.reason)
    return Answer(
        envelope.caused_by, accepted, envelope.stream, envelope.version, reason
    )


class RemoteCasino(CasinoDoor):
    """The casino behind a Kafka cluster."""

    host: RemoteHost

    def __init__(self, kafka: KafkaSettings) -> None:
        self.ambient = Ambient(SystemClock(), SystemEntropy(), KeyRing.in_memory())
        self.host = RemoteHost(kafka)

    @classmethod
    async def open(cls, kafka: KafkaSettings) -> Self:
        casino = cls(kafka)
        try:
            await casino.host.start()
        except BaseException:
            await casino.host.stop()
            raise
        return casino

    async def close(self) -> None:
        await self.host.stop()
