"""A casino elsewhere: commands go to Kafka, what happens is heard from there.

Whoever sends a command knows its outcome by the first event that carries its id: the
event itself, or the recorded refusal.
"""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple, Self

from aiokafka import TopicPartition

from contracts import catalog
from contracts.base import is_refusal
from contracts.envelope import Actor, Answer
from contracts.identities import partition_of, routing_key
from contracts.topics import BY_NAME, Topic, topic_of_command
from push22.casino import SERVICES, CasinoDoor
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.bus_memory import Delivery
from runtime.embedded import Hearer
from runtime.kafka_records import Arrived, read
from runtime.kafka_settings import KafkaSettings, event_places

_ANSWER_S = 30.0
_SETTLED_S = 0.005


class Asked(NamedTuple):
    """A command's identity: two players may give theirs the same id (H4)."""

    actor: Actor
    command_id: str


class RemoteHost:
    """Sends commands and hears of every record, each once and in its log's order."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._producer = kafka.producer()
        self._consumer = kafka.reader()
        self._hearers: list[Hearer] = []
        self._waiting: dict[Asked, list[asyncio.Future[Answer]]] = {}
        self._seen: dict[tuple[str, int], int] = {}
        self._task: asyncio.Task[None] | None = None
        self._heard = asyncio.Event()
        self._address: dict[str, Callable[[Any], str]] = {
            tag: service.address
            for service in SERVICES
            for tag in service.commands
            if service.address is not None
        }

    def subscribe(self, hearer: Hearer) -> None:
        self._hearers.append(hearer)

    async def start(self) -> None:
        """Connect, and hear of everything up to now before anything is sent."""
        await self._producer.start()
        await self._consumer.start()
        places = event_places()
        self._consumer.assign(places)
        await self._consumer.seek_to_beginning(*places)
        await self._catch_up(await self._consumer.end_offsets(places))
        self._task = asyncio.create_task(self._listen())

    @property
    def is_listening(self) -> bool:
        return self._task is not None and not self._task.done()

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
        self._heard.set()

    def _hear(self, arrived: Arrived) -> None:
        record, envelope = arrived
        place = record.service, record.partition
        if record.offset <= self._seen.get(place, 0):
            return
        self._seen[place] = record.offset
        delivery = Delivery(record)
        for hearer in self._hearers:
            hearer(delivery)
        asked = Asked(envelope.actor, envelope.caused_by)
        for waiting in self._waiting.pop(asked, ()):
            if not waiting.done():
                waiting.set_result(answer_of(delivery))

    async def submit(self, body: bytes) -> Answer:
        """Send a command and wait for its event. Raises TimeoutError."""
        envelope = catalog.decode_command_envelope(body)
        stream = self._address[envelope.type](catalog.decode_command(envelope))
        topic = topic_of_command(envelope.type)
        waiting = asyncio.get_running_loop().create_future()
        asked = Asked(envelope.actor, envelope.id)
        self._waiting.setdefault(asked, []).append(waiting)
        try:
            return await self._sent(topic, stream, body, waiting)
        finally:
            self._forget(asked, waiting)

    async def _sent(
        self, topic: Topic, stream: str, body: bytes, waiting: asyncio.Future[Answer]
    ) -> Answer:
        await self._producer.send_and_wait(
            topic.name,
            body,
            key=routing_key(stream).encode(),
            partition=partition_of(stream, topic.partitions),
        )
        return await asyncio.wait_for(waiting, _ANSWER_S)

    def _forget(self, asked: Asked, waiting: asyncio.Future[Answer]) -> None:
        """Whoever gave up waits no more; others may wait for the same command."""
        left = [x for x in self._waiting.get(asked, ()) if x is not waiting]
        if left:
            self._waiting[asked] = left
        else:
            self._waiting.pop(asked, None)

    async def settle(self) -> None:
        """Wait until something more was heard, or nothing came for a while."""
        self._heard.clear()
        try:
            await asyncio.wait_for(self._heard.wait(), _SETTLED_S)
        except TimeoutError:
            return

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        await self._consumer.stop()
        await self._producer.stop()


def answer_of(delivery: Delivery) -> Answer:
    """Return the answer that a command's first event stands for."""
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
