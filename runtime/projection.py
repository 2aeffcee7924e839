"""A projection: tables beside the logs that follow from the logs alone.

Its rows and its position are written in one transaction, so that it can be dropped
and filled again at any time with equal content.
"""

import hashlib
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from contracts.catalog import Undecodable
from runtime.bus_memory import Delivery
from runtime.log import NO_HASH, ChainBroken
from runtime.sqlite_file import SqliteFile

Apply = Callable[[sqlite3.Connection, Delivery], None]


@dataclass(frozen=True, slots=True)
class Projection:
    """`ddl` makes its tables (IF NOT EXISTS), `drop` removes them.

    `version` is raised when records come to mean something else for its rows.
    """

    name: str
    version: int
    sources: tuple[str, ...]
    heeds: frozenset[str]
    ddl: tuple[str, ...]
    drop: tuple[str, ...]
    apply: Apply

    @property
    def mark(self) -> str:
        """Name the version and the tables: what has another mark is out of date."""
        text = "\n".join(self.ddl).encode()
        return f"{self.version} {hashlib.sha256(text).hexdigest()}"

    @property
    def key(self) -> str:
        return f"projection:{self.name}"

    def is_current(self, sql: sqlite3.Connection) -> bool:
        """Tell whether a file's tables are those of this version."""
        query = "SELECT value FROM meta WHERE key = ?"
        row = sql.execute(query, (self.key,)).fetchone()
        return row is not None and row[0] == self.mark


class Feed(Protocol):
    """Where the records come from."""

    def partitions(self, service: str) -> int: ...

    async def after(
        self, service: str, partition: int, offset: int, limit: int
    ) -> list[Delivery]: ...


class Projector:
    """Keeps one projection up to date."""

    def __init__(self, projection: Projection, file: SqliteFile, feed: Feed) -> None:
        self.projection = projection
        self._file = file
        self._feed = feed
        self._sources = [
            (source, partition)
            for source in projection.sources
            for partition in range(feed.partitions(source))
        ]
        self._positions: dict[tuple[str, int], tuple[int, bytes]] = {}
        self.batch_max = 1024

    def start(self) -> None:
        """Go on where the tables stand; those of another version are made anew."""
        if not self.projection.is_current(self._file.connection):
            self.rebuild()
            return
        for source in self._sources:
            row = self._file.connection.execute(
                "SELECT offset, hash FROM positions"
                " WHERE service = ? AND source = ? AND part = ?",
                (self.projection.name, *source),
            ).fetchone()
            self._positions[source] = (row[0], row[1]) if row else (0, NO_HASH)

    async def cycle(self, *, at_least: int = 1) -> bool:
        """Project what is new, if that is enough; true if something was projected."""
        found: list[Delivery] = []
        for source in self._sources:
            offset = self._positions[source][0]
            found += await self._feed.after(*source, offset, self.batch_max)
        if len(found) < at_least:
            return False
        moved = dict(self._positions)
        with self._file.transaction() as sql:
            for delivery in found:
                self._apply(sql, delivery, moved)
            self._write_positions(sql, moved)
        self._positions = moved
        return True

    def _apply(
        self,
        sql: sqlite3.Connection,
        delivery: Delivery,
        moved: dict[tuple[str, int], tuple[int, bytes]],
    ) -> None:
        record = delivery.record
        source = record.service, record.partition
        offset, hash_ = moved[source]
        if record.offset != offset + 1 or record.previous != hash_:
            place = f"{record.service}, offset {record.offset}"
            raise ChainBroken(f"{place} does not follow on offset {offset}")
        if record.type in self.projection.heeds:
            try:
                self.projection.apply(sql, delivery)
            except Undecodable as error:
                place = f"{record.service}, offset {record.offset}"
                name = f"{record.stream}@{record.version}"
                raise Undecodable(f"{place} ({name}): {error}") from error
        moved[source] = (record.offset, record.hash)

    def _write_positions(
        self, sql: sqlite3.Connection, moved: dict[tuple[str, int], tuple[int, bytes]]
    ) -> None:
        sql.executemany(
            "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, '', ?, ?)",
            [
                (self.projection.name, *source, offset, hash_)
                for source, (offset, hash_) in moved.items()
            ],
        )

    def rebuild(self) -> None:
        """Drop everything and begin again at the first record."""
        with self._file.transaction() as sql:
            for statement in (*self.projection.drop, *self.projection.ddl):
                sql.execute(statement)
            sql.execute(
                "DELETE FROM positions WHERE service = ?", (self.projection.name,)
            )
            mark = (self.projection.key, self.projection.mark)
            sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", mark)
        self._positions = dict.fromkeys(self._sources, (0, NO_HASH))
