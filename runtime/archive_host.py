"""The archive in a process of its own: every service's records, into one file.

It belongs to no group, so any number of archives each have everything. What it has is
what its file's heads say; a range that Kafka no longer has is asked of its service.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError
from faststream.asgi import AsgiFastStream
from faststream.kafka import KafkaBroker

from contracts.topics import BY_NAME, TOPICS, Kind
from runtime.checkpoint_relay import CheckpointRelay
from runtime.halts import note_halt
from runtime.health import begin_task, end_tasks, health_routes
from runtime.kafka_records import Arrived, Beacon
from runtime.kafka_settings import KafkaSettings, end, event_places
from runtime.log import LogError, LogUnavailable, Record
from runtime.metrics import BATCHES, GAPS, MISFITS, begin_at_zero
from runtime.mirror import Mirror, Offered
from runtime.mirror_source import SourceName
from runtime.misfits import fitting
from runtime.pull import PULL_MAX, Puller
from runtime.telemetry import get_logger
from runtime.watcher import NO_WATCHER, Watcher

_log = get_logger("runtime.archive_host")

EVENT_SOURCES = tuple(t.service for t in TOPICS if t.kind is Kind.EVENTS)
STALLED_S = 30.0
_POLL_MS = 200
PATIENCE_MS = 100
"""Nobody waits for the archive: what it stores, it stores in large batches."""

BATCH_MAX = 2000
_RETRY_S = 1.0


class Reads(Protocol):
    """Takes in what the file has: a projection, or who hears of new records."""

    def start(self) -> None: ...

    async def cycle(self) -> bool: ...


class ArchiveHost:
    """Feeds a mirror from Kafka and keeps those who read its file up to date."""

    def __init__(
        self,
        mirror: Mirror,
        readers: Sequence[Reads],
        kafka: KafkaSettings,
        puller: Puller,
    ) -> None:
        begin_at_zero("archive", EVENT_SOURCES)
        self.mirror = mirror
        self.puller = puller
        self._readers = readers
        self.watcher: Watcher = NO_WATCHER
        self.relay: CheckpointRelay | None = None
        self._kafka = kafka
        self._behind: dict[SourceName, int] = {}
        self._hinted: set[SourceName] = set()
        """Which of those are behind by a beacon's word alone."""
        self._not_before: dict[str, float] = {}
        self._told: set[SourceName] = set()
        self._is_stopping = False
        self._progress_at = 0.0
        self._left: set[TopicPartition] = set()
        self._is_following = False

    @property
    def is_caught_up(self) -> bool:
        """Tell whether it has read what was there at its start, and misses nothing.

        What came since is no measure: beacons come all the time.
        """
        return self._is_following and not self._left and not self._behind

    @property
    def is_alive(self) -> bool:
        now = asyncio.get_running_loop().time()
        return now - self._progress_at < STALLED_S and not self.mirror.halted

    async def run(self) -> None:
        """Read until `stop`; a broker or a disk that is away is tried again."""
        self._progress_at = asyncio.get_running_loop().time()
        for reader in self._readers:
            reader.start()
        self.watcher.start()
        while not self._is_stopping:
            consumer = self._kafka.reader(patience_ms=PATIENCE_MS)
            try:
                await consumer.start()
                self._is_following = False
                await self._follow(consumer)
            except (KafkaError, OSError, LogUnavailable) as error:
                # Of a disk that is full the copy has what it had; there may be room.
                _log.warning("the archive begins again", error=repr(error))
                await asyncio.sleep(_RETRY_S)
            finally:
                await end(consumer)

    async def _follow(self, consumer: AIOKafkaConsumer) -> None:
        places = event_places()
        consumer.assign(places)
        await consumer.seek_to_beginning(*places)
        ends = await consumer.end_offsets(places)
        self._left = set(places)
        self._is_following = True
        while not self._is_stopping:
            found = await consumer.getmany(timeout_ms=_POLL_MS, max_records=BATCH_MAX)
            await self.take(
                [
                    fitting("archive", message, BY_NAME[place.topic].service)
                    for place, messages in found.items()
                    for message in messages
                ]
            )
            for place in tuple(self._left):
                if await consumer.position(place) >= ends[place]:
                    self._left.discard(place)
            self._progress_at = asyncio.get_running_loop().time()

    async def take(self, found: Sequence[Arrived | Beacon | None]) -> None:
        """Store what can be placed, and ask for what is missing before it."""
        if found:
            BATCHES.labels("archive").inc()
        records = [item.record for item in found if isinstance(item, Arrived)]
        missing = self._offer(records).missing
        self._behind |= missing
        self._hinted -= missing.keys()
        for item in found:
            if isinstance(item, Beacon):
                self._note_beacon(item)
        while askable := self._askable():
            if not sum([await self._ask(source) for source in askable]):
                break
        for reader in self._readers:
            while await reader.cycle():
                pass
        self._look()

    def _offer(self, records: list[Record]) -> Offered:
        """Offer records to the copy; tell once of each source that it halted."""
        offered = self.mirror.offer(records)
        for source, why in self.mirror.halted.items():
            if source not in self._told:
                self._told.add(source)
                note_halt("archive", source.service, why)
        return offered

    def _look(self) -> None:
        """Who looks on stops it, loudly: it is not alive any more (see `is_well`)."""
        try:
            self.watcher.look()
        except LogError as error:
            _log.error("the archive stops", error=str(error))
            raise

    def _note_beacon(self, beacon: Beacon) -> None:
        """A source says how far it goes: a lost last record shows (RE5)."""
        source = SourceName(beacon.service, beacon.partition)
        after, _ = self.mirror.wanted(*source)
        if beacon.offset > after and source not in self._behind:
            self._behind[source] = after
            self._hinted.add(source)

    def _refute(self, source: SourceName, after: int) -> None:
        """The source has nothing there: where only a beacon said so, it was wrong."""
        if source in self._hinted:
            _log.error("a beacon was wrong", source=str(source), found=after)
            MISFITS.labels("archive", source.service).inc()
            self._hinted.discard(source)
            del self._behind[source]

    def _askable(self) -> list[SourceName]:
        """Return the sources that miss something, have room for it, and may answer."""
        now = asyncio.get_running_loop().time()
        return [
            source
            for source in self._behind
            if self.mirror.wanted(*source)[1] > 0
            and now >= self._not_before.get(source.service, 0.0)
        ]

    async def _ask(self, source: SourceName) -> int:
        """Return how many records could be stored; a source may be away for a while."""
        now = asyncio.get_running_loop().time()
        if now < self._not_before.get(source.service, 0.0):
            return 0
        GAPS.labels("archive", source.service).inc()
        after = self._behind[source]
        try:
            pulled = await self.puller.pull(*source, after, after + PULL_MAX)
        except LogUnavailable as error:
            _log.warning("a gap stays open", error=str(error))
            self._not_before[source.service] = now + _RETRY_S
            return 0
        if pulled:
            del self._behind[source]
            self._hinted.discard(source)
        else:
            self._refute(source, after)
        offered = self._offer([arrived.record for arrived in pulled])
        self._behind |= offered.missing
        return offered.stored

    def stop(self) -> None:
        self._is_stopping = True
        if self.relay is not None:
            self.relay.stop()


def archive_application(host: ArchiveHost, kafka: KafkaSettings) -> Any:
    """Return the ASGI application of the archive: its health, nothing else."""
    tasks: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        tasks.append(begin_task(host.run()))
        if host.relay is not None:
            tasks.append(begin_task(host.relay.run()))
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
    try:
        host.watcher.close()
        if host.relay is not None:
            await host.relay.send_last()
    finally:
        await host.puller.close()
        host.mirror.file.close()
