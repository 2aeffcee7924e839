"""Reads the records of a casino's file, or of a mirror, whether or not it is running.

Everything is streamed. `place` is an order over all services in which a record's cause
always comes before it: in a casino that of the commits.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from contracts import catalog
from contracts.envelope import Envelope
from push22.casino import LOG_NAME
from runtime.sqlite_file import OF_ROUND, OF_STREAM, SqliteFile
from services.archive.chain import Head, Row

_CHUNK = 256
"""So many rows are read at once: they stay in a processor's own cache."""

_BYTES = "CASE typeof(r.{0}) WHEN 'blob' THEN r.{0} ELSE typeof(r.{0}) END"
"""What is stored as something else is given by the name of its type."""
_BODY = _BYTES.format("body")
_CHAIN = f"""
    SELECT r.offset, r.stream, r.version, r.type, r.round_id,
           {_BYTES.format("hash")}, {_BODY}
    FROM records r WHERE r.service = ? AND r.part = ? ORDER BY r.offset
"""  # noqa: S608 - every part is ours
_CHAIN_STRETCH = _CHAIN.replace("ORDER BY", "AND r.offset BETWEEN ? AND ? ORDER BY")
_STRETCH = f"""
    SELECT r.service, r.stream, r.version, r.type, {_BODY}, r.place
    FROM records r
    WHERE r.place > ? AND r.place <= ? ORDER BY r.place
"""  # noqa: S608 - every part is ours
_BODIES = f"""
    SELECT {_BODY}, r.place FROM records r
    WHERE r.place > ? AND r.place <= ? ORDER BY r.place
"""  # noqa: S608 - every part is ours
_SHUFFLED = """
    SELECT offset, stream, version FROM (
        SELECT offset, stream, version, place,
               lag(place) OVER (ORDER BY offset) AS before
        FROM records WHERE service = ? AND part = ?)
    WHERE place < before ORDER BY offset
"""
_ASTRAY = """
    SELECT r.offset, r.stream, r.version FROM records r
    LEFT JOIN records s ON s.place = r.segment
    LEFT JOIN records f ON f.place = r.round_at
    WHERE r.service = ? AND r.part = ? AND NOT (
        s.service IS r.service AND s.stream IS r.stream AND s.segment IS s.place
        AND s.version IS r.version - (r.version - 1) % 32
        AND CASE r.round_id WHEN '' THEN r.round_at IS 0
            ELSE f.round_id IS r.round_id AND f.round_at IS f.place END)
    ORDER BY r.offset
"""
_BEFORE = """
    SELECT r.version FROM records s JOIN records r ON r.segment = s.place
    WHERE s.service = ? AND s.stream = ? AND s.segment = s.place
      AND s.version <= ? AND r.version < ? AND r.offset < ?
    ORDER BY s.version DESC, r.version DESC LIMIT 1
"""
_LAST_PART = """
    SELECT max(part) FROM (
        SELECT max(part) AS part FROM heads WHERE service = :service
        UNION ALL
        SELECT max(part) FROM records WHERE service = :service)
"""
_TRACES = """
    SELECT EXISTS (SELECT 1 FROM heads WHERE service = :service)
        OR EXISTS (SELECT 1 FROM records WHERE service = :service)
        OR EXISTS (SELECT 1 FROM positions WHERE :service IN (service, source))
"""
_LAST = 2**62

Values = tuple[object, ...] | dict[str, object]


class LogName(NamedTuple):
    """A partition of a service's log, and the log's incarnation."""

    service: str
    partition: int
    incarnation: str


class Body(NamedTuple):
    """A record's bytes and what the index says of it, not yet decoded."""

    service: str
    stream: str
    version: int
    type: str
    body: bytes
    place: int

    @property
    def id(self) -> str:
        return f"{self.stream}@{self.version}"


class Reader:
    """All records of one file."""

    def __init__(self, file: SqliteFile) -> None:
        self.file = file
        self.sql = file.connection

    @classmethod
    def open(cls, data: Path) -> "Reader":
        """Open a data directory read-only. Raises a LogError that names the file."""
        return cls.at(data / LOG_NAME)

    @classmethod
    def at(cls, path: str | Path) -> "Reader":
        """Open a file as it stands now: what a running casino adds is not seen."""
        reader = cls(SqliteFile.open(path, read_only=True))
        reader.sql.execute("BEGIN")
        reader.last_place()  # The first read fixes what the transaction sees.
        return reader

    def close(self) -> None:
        self.file.close()

    def _rows(self, query: str, values: Values = ()) -> Iterator[sqlite3.Row]:
        cursor = self.sql.execute(query, values)
        while rows := cursor.fetchmany(_CHUNK):
            yield from rows

    def _bodies(self, query: str, values: Values) -> Iterator[bytes]:
        return (row[0] for row in self._rows(query, values))

    def logs(self) -> list[LogName]:
        """Return every partition of every service's log, whatever rows are there."""
        rows = self._rows("SELECT service, incarnation FROM incarnations")
        known: dict[str, str] = {row[0]: row[1] for row in rows}
        return [
            LogName(service, part, known.get(service, ""))
            for service in sorted({*known, *self._due()})
            for part in range(self._last_part(service) + 1)
        ]

    def _due(self) -> set[str]:
        """Return whose logs have to be here.

        A file from before there was a desk has none; any trace of one asks for all.
        """
        due = set(_SERVICES.values())
        row = next(self._rows(_TRACES, {"service": DESK}))
        return due if row[0] else due - {DESK}

    def _last_part(self, service: str) -> int:
        row = next(self._rows(_LAST_PART, {"service": service}))
        return 0 if row[0] is None else int(row[0])

    def head(self, log: LogName) -> Head | None:
        query = "SELECT offset - 1, hash FROM heads WHERE service = ? AND part = ?"
        row = next(self._rows(query, log[:2]), None)
        return None if row is None else Head(*row)

    def chain(self, log: LogName) -> Iterator[Row]:
        """Return a log's rows in offset order."""
        return map(Row._make, self._rows(_CHAIN, log[:2]))

    def stretch(self, log: LogName, first: int, last: int) -> Iterator[Row]:
        """Return a log's rows from one offset to another."""
        values = (*log[:2], first, last)
        return map(Row._make, self._rows(_CHAIN_STRETCH, values))

    def version_before(self, log: LogName, row: Row) -> int:
        """Return the newest version below a row's own, in rows before it; else 0."""
        values = (log.service, row.stream, row.version, row.version, row.offset)
        found = self.sql.execute(_BEFORE, values).fetchone()
        return int(found[0]) if found else 0

    def readers(self, log: LogName) -> list[tuple[str, int, bytes]]:
        """Return who reads a log, up to where, and the hash found there."""
        query = (
            "SELECT service, offset, hash FROM positions"
            " WHERE source = ? AND part = ? AND offset > 0"
        )
        return [(row[0], row[1], row[2]) for row in self._rows(query, log[:2])]

    def link_at(self, log: LogName, offset: int) -> bytes | None:
        query = "SELECT hash FROM records WHERE service = ? AND part = ? AND offset = ?"
        row = next(self._rows(query, (*log[:2], offset)), None)
        return None if row is None else bytes(row[0])

    def astray(self, log: LogName) -> Iterator[tuple[int, str, int]]:
        """Return records that their stream or round doesn't lead to.

        Each is an offset, a stream and a version.
        """
        return ((row[0], row[1], row[2]) for row in self._rows(_ASTRAY, log[:2]))

    def shuffled(self, log: LogName) -> Iterator[tuple[int, str, int]]:
        """Return records placed before one that has a lower offset."""
        return ((row[0], row[1], row[2]) for row in self._rows(_SHUFFLED, log[:2]))

    def count(self) -> int:
        return int(next(self._rows("SELECT SUM(offset - 1) FROM heads"))[0] or 0)

    def everything(self, after: int = 0, to: int = _LAST) -> Iterator[Body]:
        """Return all records as they were committed, or a stretch of them."""
        return map(Body._make, self._rows(_STRETCH, (after, to)))

    def bodies(self, after: int = 0, to: int = _LAST) -> Iterator[Any]:
        """Return what is stored as each record's bytes, with its place, in order."""
        return self._rows(_BODIES, (after, to))

    def last_place(self) -> int:
        return int(next(self._rows("SELECT max(place) FROM records"))[0] or 0)

    def hash_at(self, place: int) -> str:
        """Return the chain's link at a place, in hex; nothing if there is no record."""
        row = self.sql.execute("SELECT hash FROM records WHERE place = ?", (place,))
        return "".join(bytes(found[0]).hex() for found in row)

    def of_round(self, round_id: str) -> list[Envelope]:
        """Return every service's records of a round, as they were committed."""
        query = f"SELECT {_BODY} {OF_ROUND}"
        return list(readable(self._bodies(query, {"round": round_id})))

    def of_stream(self, stream: str, *, after: int = 0) -> Iterator[Envelope]:
        values = {"service": service_of(stream), "stream": stream, "after": after}
        return readable(self._bodies(f"SELECT {_BODY} {OF_STREAM}", values))

    def find(self, record_id: str) -> Envelope | None:
        """Return the record of that id, `<stream>@<version>`."""
        body = self._one(record_id, _BODY)
        found = next(readable([] if body is None else [body]), None)
        return found if found is not None and found.id == record_id else None

    def place_of(self, record_id: str) -> int | None:
        place = self._one(record_id, "r.place")
        return None if place is None else int(place)

    def _one(self, record_id: str, column: str) -> Any:
        """Return a column of one record; `None` if there is none."""
        stream, _, version = record_id.rpartition("@")
        if not version.isdecimal():
            return None
        after = int(version) - 1
        values = {"service": service_of(stream), "stream": stream, "after": after}
        query = f"SELECT {column}, r.version {OF_STREAM} LIMIT 1"
        row = self.sql.execute(query, values).fetchone()
        return row[0] if row is not None and row[1] == after + 1 else None


def readable(bodies: Iterable[object]) -> Iterator[Envelope]:
    """Decode records; one that is none is missing here, and the chain names it."""
    for body in bodies:
        if not isinstance(body, bytes):
            continue
        try:
            yield catalog.decode_envelope(body)
        except catalog.Undecodable:
            continue


def placed(rows: Iterable[tuple[object, int]]) -> Iterator[tuple[Envelope, int]]:
    """Decode records as `readable` does; each comes with its place."""
    for body, place in rows:
        if not isinstance(body, bytes):
            continue
        try:
            record = catalog.decode_envelope(body)
        except catalog.Undecodable:
            continue
        yield record, place


DESK = "desk"
_SERVICES = {
    "table": "table-orchestrator",
    "round": "table-orchestrator",
    "shoe": "shoe",
    "settlement": "settlement",
    "wallet": "wallet",
    "case": DESK,
    "access": DESK,
}


def service_of(stream: str) -> str:
    """Return the service whose log holds a stream."""
    category, _, rest = stream.partition("-")
    return rest if category == "refused" else _SERVICES.get(category, "")
