"""A casino elsewhere: commands go to Kafka, what happens is heard from there.

Whoever sends a command knows its outcome by the first event that carries its id: the
event itself, or the recorded refusal. Until it is heard the command is sent again, the
same bytes under the same id, which takes effect once (H4).
"""

import asyncio
from collections.abc import Callable
from typing import Any, Self

from aiokafka import TopicPartition
from aiokafka.errors import KafkaError

from contracts import catalog
from contracts.envelope import Answer, CommandEnvelope
from contracts.topics import BY_NAME, topic_of_command
from push22.answers import Asked, Heard, again, heard_of
from push22.casino import SERVICES, CasinoDoor
from push22.command_sender import CommandSender, Sent
from push22.hearing import Hearing, Since
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.bus_memory import Delivery
from runtime.hearers import Hearer, Hearers, name_of, tell_one
from runtime.kafka_records import Arrived
from runtime.kafka_settings import KafkaSettings, end, event_places
from runtime.metrics import BATCHES, COMMANDS_RESENT
from runtime.misfits import fitting
from runtime.pull import Puller
from runtime.telemetry import get_logger

_log = get_logger("push22.remote")

ANSWER_S = 30.0
RESEND_S = 5.0
"""A command whose event was not heard for so long is sent again."""

_RETRY_S = 0.5
_GATEWAY = "gateway"


class RemoteHost:
    """Sends commands and hears of every record, each once and in its log's order."""

    def __init__(
        self,
        kafka: KafkaSettings,
        *,
        answer_s: float = ANSWER_S,
        puller: Puller | None = None,
    ) -> None:
        self._answer_s = answer_s
        self._puller = puller
        self._sender = CommandSender(kafka)
        self._consumer = kafka.reader()
        self._hearers = Hearers()
        self._waiting: dict[Asked, list[asyncio.Future[Heard]]] = {}
        self._hearing = Hearing(self._hear, puller)
        self._task: asyncio.Task[None] | None = None
        self._address: dict[str, Callable[[Any], str]] = {
            tag: service.address
            for service in SERVICES
            for tag in service.commands
            if service.address is not None
        }

    def subscribe(self, hearer: Hearer, *keys: str) -> None:
        self._hearers.subscribe(hearer, *keys)

    async def start(self, since: Since | None = None) -> None:
        """Connect, and hear of everything up to now before anything is sent.

        `since` asks for less: for what a copy of the logs does not have.
        """
        await self._sender.start()
        await self._consumer.start()
        places = event_places()
        self._consumer.assign(places)
        if since is None:
            await self._consumer.seek_to_beginning(*places)
        else:
            self._hearing.begin(since)
            await self._seek(places, since)
        await self._catch_up(await self._consumer.end_offsets(places))
        self._task = asyncio.create_task(self._listen())

    async def _seek(self, places: list[TopicPartition], since: Since) -> None:
        """Read on from the copy's time: what it did not get before then is pulled."""
        at_ms = since.at // 1000
        found = await self._consumer.offsets_for_times(dict.fromkeys(places, at_ms))
        ends = await self._consumer.end_offsets(places)
        for place in places:
            first = found[place]
            self._consumer.seek(place, first.offset if first else ends[place])

    @property
    def is_listening(self) -> bool:
        return self._task is not None and not self._task.done()

    def hears_all(self, service: str) -> bool:
        """Tell whether nothing that a service is known to have recorded is missing."""
        is_missing = any(name == service for name, _ in self._hearing.missing())
        return self.is_listening and not is_missing

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
        """Hear on for ever: a broker that is away comes back."""
        while True:
            try:
                await self._take()
            except (KafkaError, OSError) as error:
                _log.warning("hearing goes on", error=repr(error))
                await asyncio.sleep(_RETRY_S)

    async def _take(self) -> None:
        batch = await self._consumer.getmany(timeout_ms=200)
        if batch:
            BATCHES.labels(_GATEWAY).inc()
        for messages in batch.values():
            for message in messages:
                found = fitting(_GATEWAY, message, BY_NAME[message.topic].service)
                if found is not None:
                    self._hearing.take(found)
        await self._hearing.fill()

    def _hear(self, arrived: Arrived) -> None:
        delivery = Delivery(arrived.record, arrived.envelope)
        for hearer in self._hearers.of(arrived.record.stream):
            tell_one(hearer, delivery, name_of(delivery))
        tell_one(self._reply, delivery, name_of(delivery))

    def _reply(self, delivery: Delivery) -> None:
        """Tell those who wait what was recorded first under their command's id."""
        envelope = delivery.envelope
        asked = Asked(envelope.service, envelope.actor, envelope.caused_by)
        if asked not in self._waiting:
            return
        heard = heard_of(delivery)
        if heard is None:
            return
        for waiting in self._waiting.pop(asked):
            if not waiting.done():
                waiting.set_result(heard)

    def stream_of(self, envelope: CommandEnvelope) -> str:
        """Return the stream that a command is for."""
        return self._address[envelope.type](catalog.decode_command(envelope))

    async def submit(self, body: bytes) -> Answer:
        """Send a command until its id's event is heard. Raises TimeoutError.

        That may be another command's, if its id was used twice at once.
        """
        envelope = catalog.decode_command_envelope(body)
        stream = self.stream_of(envelope)
        command = Sent(topic_of_command(envelope.type), stream, body)
        waiting = asyncio.get_running_loop().create_future()
        asked = Asked.of(envelope)
        self._waiting.setdefault(asked, []).append(waiting)
        try:
            async with asyncio.timeout(self._answer_s):
                return again(await self._answered(command, waiting), envelope)
        finally:
            self._forget(asked, waiting)

    async def _answered(self, command: Sent, waiting: asyncio.Future[Heard]) -> Heard:
        while True:
            await self._sender.send(command)
            done, _ = await asyncio.wait((waiting,), timeout=RESEND_S)
            if done:
                return waiting.result()
            COMMANDS_RESENT.inc()

    def _forget(self, asked: Asked, waiting: asyncio.Future[Heard]) -> None:
        """Whoever gave up waits no more; others may wait for the same command."""
        left = [x for x in self._waiting.get(asked, ()) if x is not waiting]
        if left:
            self._waiting[asked] = left
        else:
            self._waiting.pop(asked, None)

    async def settle(self) -> None:
        """Let what has come be heard; more comes by itself."""
        await asyncio.sleep(0)

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        await end(self._consumer)
        await self._sender.stop()
        if self._puller is not None:
            await self._puller.close()


class RemoteCasino(CasinoDoor):
    """The casino behind a Kafka cluster."""

    host: RemoteHost

    def __init__(self, host: RemoteHost) -> None:
        self.ambient = Ambient(SystemClock(), SystemEntropy(), KeyRing.in_memory())
        self.host = host

    @classmethod
    async def open(
        cls,
        kafka: KafkaSettings,
        *,
        answer_s: float = ANSWER_S,
        puller: Puller | None = None,
    ) -> Self:
        """Connect. With a puller what did not come is asked of the services."""
        casino = cls(RemoteHost(kafka, answer_s=answer_s, puller=puller))
        try:
            await casino.host.start()
        except BaseException:
            await casino.host.stop()
            raise
        return casino

    async def close(self) -> None:
        await self.host.stop()
