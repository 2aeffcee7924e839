"""A verbatim copy of all services' logs in one SQLite file, causes before effects.

Records come from many partitions in any order; each waits until the record that it
answers is here. So every reader of a casino's file reads a mirror as well
(docs/decisions/0014).
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from contracts.topics import PARTITIONS
from runtime.bus_memory import Delivery
from runtime.log import Position, Record
from runtime.log_sqlite import check_head
from runtime.mirror_mark import mark
from runtime.mirror_source import Held, MirroredLog, Source, SourceName
from runtime.remembered import Remembered
from runtime.sqlite_file import SqliteFile
from runtime.sqlite_places import INSERT, Places, last_place

_MOVE_HEAD = "UPDATE heads SET offset = ?, hash = ? WHERE service = ? AND part = ?"


class Offered(NamedTuple):
    """`missing` names sources to be read again, each after an offset."""

    stored: int
    missing: dict[SourceName, int]


class Mirror:
    """Writes the copy. Of each service's log it has seen everything up to its heads."""

    def __init__(self, file: SqliteFile, partitions: int = PARTITIONS) -> None:
        mark(file)
        self.file = file
        self._partitions = partitions
        self._logs: dict[str, MirroredLog] = {}
        self._sources: dict[SourceName, Source] = {}
        self._waiting: dict[str, dict[SourceName, None]] = {}
        self._learn()

    def _learn(self) -> None:
        """Begin at the heads: what was held is read again."""
        self._logs.clear()
        self._sources.clear()
        self._waiting.clear()
        rounds: Remembered[int] = Remembered()
        query = "SELECT service, incarnation FROM incarnations"
        for service, incarnation in self.file.query(query):
            places = Places(self.file, service, rounds)
            self._logs[service] = MirroredLog(incarnation, places, is_registered=True)
        self._rounds = rounds
        query = "SELECT service, part, offset - 1, hash FROM heads"
        for service, part, offset, link in self.file.query(query):
            check_head(self.file, service, part)
            name = SourceName(service, part)
            self._sources[name] = Source(name, self._logs[service], offset, link)

    def offer(self, records: Sequence[Record]) -> Offered:
        """Take records in and store all that can be placed, in one transaction."""
        missing: dict[SourceName, None] = {}
        touched: dict[SourceName, None] = {}
        for record in records:
            source = self._source(record.service, record.partition)
            touched[source.name] = None
            if not source.take(record):
                missing[source.name] = None
        stored = self._store(touched)
        return Offered(stored, {name: self._sources[name].offset for name in missing})

    def _source(self, service: str, partition: int) -> Source:
        assert 0 <= partition < self._partitions, f"{service}: partition {partition}"
        name = SourceName(service, partition)
        if name not in self._sources:
            log = self._logs.get(service)
            if log is None:
                places = Places(self.file, service, self._rounds)
                log = self._logs[service] = MirroredLog("", places)
            self._sources[name] = Source(name, log)
        return self._sources[name]

    def _store(self, touched: Iterable[SourceName]) -> int:
        try:
            for log in self._logs.values():
                log.places.refresh()
            rows = list(self._placed(touched))
            if rows:
                self._write(rows)
        except BaseException:
            # Nothing of it is in the file, and it is not known here any more.
            self._learn()
            raise
        return len(rows)

    def _placed(self, touched: Iterable[SourceName]) -> Iterator[tuple[Any, ...]]:
        """Give places to all that can have one; a cause frees what waits for it."""
        place = last_place(self.file)
        ready = deque(touched)
        while ready:
            source = self._sources[ready.popleft()]
            while source.held and self._is_due(source, source.held[0]):
                record = source.held.popleft().record
                place += 1
                yield source.log.places.row(record, place)
                ready.extend(self._waiting.pop(record.stream, ()))

    def _is_due(self, source: Source, next_: Held) -> bool:
        """Tell whether a record can be placed; else it waits, or halts its source."""
        record, cause = next_
        stream, _, version = cause.rpartition("@")
        if cause and not self._has(stream, int(version)):
            self._waiting.setdefault(stream, {})[source.name] = None
            return False
        newest = source.log.places.version(record.stream)
        if record.version != newest + 1:
            source.halt(record, f"the stream is at {newest}")
            source.held.clear()
            return False
        return True

    def _has(self, stream: str, version: int) -> bool:
        """Tell whether a record is here: no two services have a stream in common."""
        logs = self._logs.values()
        return any(log.places.version(stream) >= version for log in logs)

    def _write(self, rows: list[tuple[Any, ...]]) -> None:
        with self.file.transaction() as sql:
            for service, log in self._logs.items():
                if not log.is_registered and log.incarnation:
                    self._register(service, log.incarnation)
            sql.executemany(INSERT, rows)
            ends = {(row[0], row[1]): (row[2] + 1, row[7]) for row in rows}
            sql.executemany(_MOVE_HEAD, [(*end, *log) for log, end in ends.items()])
        for log in self._logs.values():
            log.is_registered = bool(log.incarnation)

    def _register(self, service: str, incarnation: str) -> None:
        """Give a log all its heads at once: one that is lost later is missed."""
        self.file.execute(
            "INSERT INTO incarnations VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET incarnation = excluded.incarnation",
            (service, incarnation),
        )
        self.file.executemany(
            "INSERT OR IGNORE INTO heads VALUES (?, ?, 1, zeroblob(32), 0)",
            [(service, part) for part in range(self._partitions)],
        )

    def position(self, service: str, partition: int) -> Position:
        """Return where the copy ends; offset 0 and no incarnation if there is none."""
        rows = self.file.query(
            "SELECT h.service, h.part, i.incarnation, h.offset - 1, h.hash"
            " FROM heads h JOIN incarnations i USING (service)"
            " WHERE h.service = ? AND h.part = ?",
            (service, partition),
        )
        return Position._make(rows[0]) if rows else Position(service, partition, "")

    def wanted(self, service: str, partition: int) -> tuple[int, int]:
        """Return the offset after which to read on, and how many records to read."""
        source = self._source(service, partition)
        return source.offset, source.room

    @property
    def halted(self) -> dict[SourceName, str]:
        """Return why sources were halted."""
        return {s.name: s.halted for s in self._sources.values() if s.halted}

    @property
    def waiting(self) -> dict[SourceName, str]:
        """Return what the next record of each source that is held waits for."""
        return {s.name: s.held[0].cause for s in self._sources.values() if s.held}

    def partitions(self, service: str) -> int:
        """Return the number of a log's partitions: projections read here."""
        del service
        return self._partitions

    async def after(
        self, service: str, partition: int, offset: int, limit: int
    ) -> list[Delivery]:
        """Return what is stored after an offset."""
        records = self.file.records_of_log(service, partition, offset, limit)
        return [Delivery(record) for record in records]
