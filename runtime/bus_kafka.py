"""The bus over Kafka, as one process sees it: what arrived and is not handled yet.

The loop asks for what comes after its position, as it asks the bus in memory. A gap
gives nothing: the missing range is asked of the source's service first (H5).
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from runtime.bus_memory import Delivery
from runtime.halts import note_halt
from runtime.kafka_records import Arrived, Beacon
from runtime.lineage import is_earlier
from runtime.log import Draft, Log, Position, Record
from runtime.metrics import MISFITS, PULLED, REPEATS
from runtime.telemetry import get_logger

_log = get_logger("runtime.bus_kafka")

Key = tuple[str, int]
"""A source service and a partition."""


class Source:
    """Another service's log, known by what arrived of it."""

    def __init__(self, service: str, partitions: int) -> None:
        self.service = service
        self.partitions = partitions
        self.incarnation = ""

    async def head(self, partition: int) -> tuple[int, bytes] | None:
        """Nothing is known of a log elsewhere before its records come."""
        del partition
        return None


class Missing(NamedTuple):
    """A range of a partition that did not come: after one offset, up to another."""

    after: int
    to: int


class KafkaBus:
    """Buffers arrived records by source partition until they are handled."""

    def __init__(self, log: Log, sources: tuple[str, ...], partitions: int) -> None:
        self._own = log
        self._sources = {name: Source(name, partitions) for name in sources}
        self._waiting: dict[Key, deque[Delivery]] = {}
        self._heads: dict[Key, int] = {}
        self._handled: dict[Key, int] = {}
        self._incarnations: dict[Key, str] = {}
        self.halted: dict[Key, str] = {}
        for name in sources:
            for part in range(partitions):
                self._waiting[name, part] = deque()
                self._heads[name, part] = self._handled[name, part] = 0

    @property
    def service(self) -> str:
        return self._own.service

    def source(self, service: str) -> Source:
        return self._sources[service]

    def log(self, service: str) -> Log:
        """Only a service's own log can be read here."""
        assert service == self._own.service, f"{service} is elsewhere"
        return self._own

    def begin(self, position: Position) -> None:
        """Say what the loop has handled: its log's incarnation, and nothing waits."""
        key = position.source, position.partition
        self._incarnations[key] = position.incarnation
        self._heads[key] = max(self._heads[key], position.offset)
        self._handled[key] = position.offset

    def let_go(self, position: Position) -> None:
        """Forget what came of a partition that another instance reads now.

        Nobody here would ever handle it: it would count as missing for good. What is
        read here again begins at the saved position, and gaps show by what follows.
        """
        key = position.source, position.partition
        self._waiting[key].clear()
        self._heads[key] = position.offset

    def offer(self, arrived: Arrived) -> None:
        """Take in a record; what came before or does not go on is left out."""
        record = arrived.record
        key = record.service, record.partition
        if key in self.halted or not self._is_same_log(key, arrived.incarnation):
            return
        self._heads[key] = max(self._heads[key], record.offset)
        waiting = self._waiting[key]
        if waiting and record.offset <= waiting[-1].record.offset:
            REPEATS.labels(self._own.service, key[0]).inc()
            return
        waiting.append(Delivery(record, arrived.envelope))

    def note_beacon(self, beacon: Beacon) -> None:
        """A source says how far it goes: a lost last record shows (RE5)."""
        key = beacon.service, beacon.partition
        is_heard = key in self._heads and key not in self.halted
        if is_heard and self._is_same_log(key, beacon.log):
            self._heads[key] = max(self._heads[key], beacon.offset)

    def refute(self, key: Key, after: int) -> None:
        """The source says that nothing is after this offset: a beacon was wrong.

        What came as a record is another matter: that there is one stays true.
        """
        is_further = bool(self._waiting[key]) or self._handled[key] > after
        if is_further or self._heads[key] <= after:
            return
        _log.error(
            "a beacon was wrong", source=key[0], partition=key[1],
            told=self._heads[key], found=after,
        )  # fmt: skip
        MISFITS.labels(self._own.service, key[0]).inc()
        self._heads[key] = after

    def _is_same_log(self, key: Key, incarnation: str) -> bool:
        """Another incarnation under the same name halts the source (CO3)."""
        known = self._incarnations.get(key) or incarnation
        if not is_earlier(incarnation, known):
            self.halt(key, f"incarnation: {key[0]} is another log now")
            return False
        self._incarnations[key] = known
        self._sources[key[0]].incarnation = known
        return True

    def halt(self, key: Key, reason: str) -> None:
        self.halted[key] = reason
        self._waiting[key].clear()
        note_halt(self._own.service, key[0], reason)

    async def after(
        self, service: str, partition: int, offset: int, limit: int
    ) -> list[Delivery]:
        """Return what follows an offset without a gap; what is older is let go."""
        waiting = self._beyond((service, partition), offset)
        found: list[Delivery] = []
        for delivery in waiting:
            if delivery.record.offset != offset + 1 or len(found) == limit:
                break
            found.append(delivery)
            offset += 1
        return found

    def _beyond(self, key: Key, offset: int) -> deque[Delivery]:
        """Let go of what was handled; return what waits."""
        self._handled[key] = offset
        waiting = self._waiting[key]
        while waiting and waiting[0].record.offset <= offset:
            waiting.popleft()
        return waiting

    def missing(self, position: Position) -> Missing | None:
        """Return the range that has to be asked for before the loop can go on."""
        key = position.source, position.partition
        if key in self.halted:
            return None
        waiting = self._beyond(key, position.offset)
        to = waiting[0].record.offset - 1 if waiting else self._heads[key]
        return Missing(position.offset, to) if to > position.offset else None

    def fill(self, key: Key, arrived: list[Arrived]) -> None:
        """Put what was asked for before what waits."""
        waiting = self._waiting[key]
        first = waiting[0].record.offset if waiting else None
        fresh = [
            Delivery(item.record, item.envelope)
            for item in arrived
            if self._is_same_log(key, item.incarnation)
            and (first is None or item.record.offset < first)
        ]
        waiting.extendleft(reversed(fresh))
        PULLED.labels(self._own.service, key[0]).inc(len(fresh))

    def publish(self, records: list[Record], drafts: Sequence[Draft]) -> list[Delivery]:
        """The relay sends what was appended; readers elsewhere get it from Kafka."""
        del drafts
        return [Delivery(record) for record in records]

    def waiting(self, service: str) -> int:
        """Return how many of a source's records wait or are known to be missing."""
        return sum(
            max(self._heads[key] - self._handled[key], 0)
            for key in self._heads
            if key[0] == service and key not in self.halted
        )

    @property
    def depth(self) -> int:
        """Return how many records wait."""
        return sum(len(waiting) for waiting in self._waiting.values())
