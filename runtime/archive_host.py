"""The archive in a process of its own: every service's records, into one file.

It belongs to no group, so any number of archives each have everything. What it has is
what its file's heads say; a range that Kafka no longer has is asked of its service.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError
from faststream.asgi import AsgiFastStream
from faststream.kafka import KafkaBroker

from contracts.topics import BY_NAME
from runtime.health import end_tasks, health_routes
from runtime.kafka_records import Arrived, read
from runtime.kafka_settings import KafkaSettings, end, event_places
from runtime.log import LogUnavailable, Record
from runtime.mirror import Mirror
from runtime.mirror_source import SourceName
from runtime.projection import Projector
from runtime.pull import PULL_MAX, Puller
from runtime.telemetry import counters, get_logger

_log = get_logger("runtime.archive_host")

STALLED_S = 30.0
_POLL_MS = 200
_BATCH_MAX = 2000
_RETRY_S = 1.0


class ArchiveHost:
    """Feeds a mirror from Kafka and keeps the projections of its file up to date."""

    def __init__(
        self,
        mirror: Mirror,
        projectors: list[Projector],
        kafka: KafkaSettings,
        puller: Puller,
    ) -> None:
        self.mirror = mirror
        self.puller = puller
        self._projectors = projectors
        self._kafka = kafka
        self._behind: dict[SourceName, int] = {}
        self._is_stopping = False
        self._progress_at = 0.0
        self.is_caught_up = False

    @property
    def is_alive(self) -> bool:
        now = asyncio.get_running_loop().time()
        return now - self._progress_at < STALLED_S and not self.mirror.halted

    async def run(self) -> None:
        """Read until `stop`; a broker that is away is tried again."""
        self._progress_at = asyncio.get_running_loop().time()
        for projector in self._projectors:
            projector.start()
        while not self._is_stopping:
            consumer = self._kafka.reader()
            try:
                await consumer.start()
                await self._follow(consumer)
            except (KafkaError, LogUnavailable, OSError) as error:
                _log.warning("the archive begins again", error=repr(error))
                await asyncio.sleep(_RETRY_S)
            finally:
                await end(consumer)

    async def _follow(self, consumer: AIOKafkaConsumer) -> None:
        places = event_places()
        consumer.assign(places)
        await consumer.seek_to_beginning(*places)
        ends = await consumer.end_offsets(places)
        while not self._is_stopping:
            found = await consumer.getmany(timeout_ms=_POLL_MS, max_records=_BATCH_MAX)
            records = [
                arrived.record
                for place, messages in found.items()
                for message in messages
                if isinstance(
                    arrived := read(message, BY_NAME[place.topic].service), Arrived
                )
            ]
            await self._take(records)
            self.is_caught_up = (
                not found and not self._behind and await _is_at(consumer, ends)
            )
            self._progress_at = asyncio.get_running_loop().time()

    async def _take(self, records: list[Record]) -> None:
        """Store what can be placed, and ask for what is missing before it."""
        self._behind |= self.mirror.offer(records).missing
        while askable := self._askable():
            counters["gaps"] += len(askable)
            stored = 0
            for source in askable:
                pulled = await self._pull(source, self._behind.pop(source))
                offered = self.mirror.offer([arrived.record for arrived in pulled])
                self._behind |= offered.missing
                stored += offered.stored
            if not stored:
                break
        for projector in self._projectors:
            while await projector.cycle():
                pass

    def _askable(self) -> list[SourceName]:
        """Return the sources that miss something and have room for it."""
        return [s for s in self._behind if self.mirror.wanted(*s)[1] > 0]

    async def _pull(self, source: SourceName, after: int) -> list[Arrived]:
        return await self.puller.pull(
            source.service, source.partition, after, after + PULL_MAX
        )

    def stop(self) -> None:
        self._is_stopping = True


async def _is_at(consumer: AIOKafkaConsumer, ends: dict[TopicPartition, int]) -> bool:
    """Tell whether everything was read that was there when it began."""
    for place, offset in ends.items():
        if await consumer.position(place) < offset:
            return False
    return True


def archive_application(host: ArchiveHost, kafka: KafkaSettings) -> Any:
    """Return the ASGI application of the archive: its health, nothing else."""
    tasks: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        tasks.append(asyncio.create_task(host.run()))
        try:
            yield
        finally:
            await _stop(host, tasks)

    def is_well() -> bool:
        return host.is_alive and not any(task.done() for task in tasks)

    routes = health_routes(is_well, lambda: host.is_caught_up)
    # FastStream wants a broker; what is read, the mirror's own consumer reads.
    broker = KafkaBroker(
        kafka.servers,
        allow_auto_create_topics=False,
        security=kafka.security(),
        client_id="push22-archive",
        logger=None,
    )
    return AsgiFastStream(broker, lifespan=lifespan, asgi_routes=routes)


async def _stop(host: ArchiveHost, tasks: list[asyncio.Task[None]]) -> None:
    host.stop()
    await end_tasks(tasks)
    await host.puller.close()
    host.mirror.file.close()
