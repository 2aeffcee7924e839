"""The bus in memory: delivers committed records of the logs to their readers.

A bounded tail is kept, so that what was just written is neither read nor decoded
again; whoever is further behind reads the log.
"""

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any, Protocol

from contracts import catalog
from contracts.envelope import Envelope
from runtime.log import Draft, Log, Record

_TAIL = 4096


class Delivery:
    """A record on its way; decoded once, by whoever looks first.

    `event` is what the record was made of, where that is as good as decoding it.
    """

    __slots__ = ("_envelope", "_event", "record")

    def __init__(
        self, record: Record, envelope: Envelope | None = None, event: Any = None
    ) -> None:
        self.record = record
        self._envelope = envelope
        self._event = event

    @property
    def envelope(self) -> Envelope:
        if self._envelope is None:
            self._envelope = catalog.decode_envelope(self.record.body)
        return self._envelope

    @property
    def event(self) -> Any:
        if self._event is None:
            self._event = catalog.decode_event(self.envelope)
        return self._event


class Source(Protocol):
    """A log that is read from: its head is known only where it can be asked for."""

    @property
    def partitions(self) -> int: ...

    @property
    def incarnation(self) -> str: ...

    async def head(self, partition: int) -> tuple[int, bytes] | None: ...


class Bus(Protocol):
    """What the handling loop needs: records of its sources, from its position on."""

    def source(self, service: str) -> Source: ...

    async def after(
        self, service: str, partition: int, offset: int, limit: int
    ) -> list[Delivery]: ...

    def publish(self, records: list[Record], drafts: Sequence[Draft]) -> list[Delivery]:
        """Make deliveries of records, which were drafted so in this order."""
        ...


class MemoryBus:
    """What was committed last, by service and partition."""

    def __init__(self) -> None:
        self._tails: dict[tuple[str, int], deque[Delivery]] = {}
        self._logs: dict[str, Log] = {}
        self._ends: dict[tuple[str, int], int] = {}
        """Where a log ended that nothing was published of since it was read."""

    def attach(self, log: Log) -> None:
        """Deliver from this log."""
        self._logs[log.service] = log
        for partition in range(log.partitions):
            self._tails[log.service, partition] = deque(maxlen=_TAIL)

    def log(self, service: str) -> Log:
        return self._logs[service]

    def source(self, service: str) -> Log:
        return self._logs[service]

    def partitions(self, service: str) -> int:
        return self._logs[service].partitions

    def publish(self, records: list[Record], drafts: Sequence[Draft]) -> list[Delivery]:
        deliveries = []
        for record, draft in zip(records, drafts, strict=True):
            assert record[3:5] == draft[:2], "records are in the order of their drafts"
            delivery = Delivery(record, None, draft.event)
            self._tails[record[0], record[1]].append(delivery)
            deliveries.append(delivery)
        return deliveries

    def forget(self) -> None:
        """Deliver from the logs again: what was published last may be undone."""
        self._ends.clear()
        for tail in self._tails.values():
            tail.clear()

    async def after(
        self, service: str, partition: int, offset: int, limit: int
    ) -> list[Delivery]:
        """Return up to `limit` records after an offset, in order."""
        tail = self._tails[service, partition]
        end = tail[-1].record.offset if tail else self._ends.get((service, partition))
        if end is not None and end <= offset:
            return []
        if not tail:
            return await self._read(service, partition, offset, limit)
        first = tail[0].record.offset
        if first > offset + 1:
            return await self._read(service, partition, offset, limit)
        newest_first = list(islice(reversed(tail), tail[-1].record.offset - offset))
        return newest_first[::-1][:limit]

    async def _read(
        self, service: str, partition: int, offset: int, limit: int
    ) -> list[Delivery]:
        log = self._logs[service]
        records = await log.read(partition, offset, limit)
        if not records:
            self._ends[service, partition] = offset
        return [Delivery(record) for record in records]
