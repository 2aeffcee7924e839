"""Records as they travel on Kafka, and a broker that does as it is told."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, NamedTuple

import msgspec
from log_backends import draft

from contracts import catalog
from runtime.kafka_records import Headers, headers_of
from runtime.log import NO_HASH, Head, Record, chain


class Message(NamedTuple):
    """What a consumer hands out."""

    topic: str
    partition: int
    offset: int
    value: bytes | None
    headers: Sequence[tuple[str, bytes | None]]


def records(count: int, log: str = "first", part: int = 0) -> list[Record]:
    """Return the first records of a partition of a toy's log."""
    drafts = [draft("a-1", version) for version in range(1, count + 1)]
    return chain("toy", Head(log, part, 0, NO_HASH), drafts, 5)


def message(record: Record, **changed: Any) -> Message:
    headers = headers_of(record, catalog.decode_envelope(record.body))
    found = Message("toy", record.partition, 99, record.body, headers)
    return found._replace(**changed)


class Broker:
    """Keeps what producers send; `fail` holds outcomes of the next sends."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, bytes]] = []
        self.fail: list[Exception | None] = []
        self.producers = 0
        self.room = 100

    def connect(self) -> "FakeProducer":
        self.producers += 1
        return FakeProducer(self)


class FakeProducer:
    """An idempotent producer; one that failed is dead."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._is_dead = False

    async def start(self) -> None:
        await asyncio.sleep(0)

    async def stop(self) -> None:
        pass

    async def send(
        self,
        topic: str,
        value: bytes,
        *,
        key: bytes,
        partition: int,
        headers: Headers,
    ) -> Awaitable[object]:
        return self._sent([(partition, value)])

    def create_batch(self) -> "FakeBatch":
        return FakeBatch(self._broker.room)

    async def send_batch(
        self, batch: "FakeBatch", topic: str, *, partition: int
    ) -> Awaitable[object]:
        return self._sent([(partition, value) for value in batch])

    def _sent(self, values: list[tuple[int, bytes]]) -> Awaitable[object]:
        outcome: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        error = self._broker.fail.pop(0) if self._broker.fail else None
        if error is None and not self._is_dead:
            self._broker.kept += values
            outcome.set_result(None)
        else:
            self._is_dead = True
            outcome.set_exception(error or ConnectionError("dead"))
        return outcome


class FakeBatch(list[bytes]):
    """Takes so many records."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def append(  # type: ignore[override]
        self, *, timestamp: None, key: bytes, value: bytes, headers: Headers
    ) -> object | None:
        if len(self) == self._room:
            return None
        super().append(value)
        return self


class FakeLog:
    """A log of one partition, its leases and its published offset."""

    service = "toy"
    partitions = 1
    incarnation = "first"

    def __init__(self, count: int = 0) -> None:
        self.records = records(count)
        self.sent = 0
        self.notes: list[int] = []
        self.relay = self

    def grow(self, count: int) -> list[Record]:
        """Append; return what was appended."""
        before = len(self.records)
        self.records = records(before + count)
        return self.records[before:]

    async def read(self, partition: int, after: int, limit: int) -> list[Record]:
        return self.records[after : after + limit]

    async def head(self, partition: int) -> tuple[int, bytes]:
        last = self.records[-1:]
        return (last[0].offset, last[0].hash) if last else (0, NO_HASH)

    async def heads(self) -> dict[int, tuple[int, bytes]]:
        return {part: await self.head(part) for part in range(self.partitions)}

    async def published(self, partition: int) -> int:
        return self.sent

    async def acquire_lease(self, name: str, holder: str, ttl_ms: int) -> Any:
        return name

    async def renew_lease(self, lease: Any, ttl_ms: int) -> bool:
        return True

    async def release_lease(self, lease: Any) -> None:
        pass

    async def note_published(self, partition: int, offset: int, lease: Any) -> None:
        self.sent = offset
        self.notes.append(offset)


def offsets(broker: Broker) -> list[int]:
    """Return the log offsets of the records that were sent, in order."""
    found = (msgspec.json.decode(value) for _, value in broker.kept)
    return [item["offset"] for item in found if "stream" in item]
