"""Exports the logs of PostgreSQL as they stand at one moment, services running or not.

All schemas are read in one transaction. Each partition is read in its order, and a
record waits until the record that it answers has left: so causes come before effects.
"""

from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

import asyncpg

from push22.backup.content import (
    CASTS,
    ORDER,
    POSTGRES_COLUMNS,
    LogExport,
    Manifest,
    PartExport,
    Row,
    encode,
    encode_manifest,
)
from push22.backup.frames import MANIFEST, RECORD, ROW, FrameWriter
from runtime.log import NO_HASH, ChainBroken, LogUnavailable, Record
from runtime.mirror_source import SourceName, answered_by
from runtime.postgres_database import Connection, use_text_codec
from runtime.postgres_errors import as_log_errors, place_of
from runtime.postgres_migrations import newest, present
from runtime.postgres_roles import schema_of

_PAGE = 500
_CONNECT_S = 10
_PARTS = """
    SELECT h.part, coalesce(min(r."offset"), 0), coalesce(max(r."offset"), 0),
           count(r."offset"), h.hash, h.alive_at
    FROM {0}.heads h LEFT JOIN {0}.records r USING (part)
    GROUP BY h.part ORDER BY h.part
"""
_RECORDS = """
    SELECT "offset", stream, version, type, round_id, hash, body FROM {0}.records
    WHERE part = $1 AND "offset" > $2 ORDER BY "offset" LIMIT $3
"""
_WHERE = """
    SELECT u.stream, u.version, r.part, r."offset"
    FROM unnest($1::text[], $2::bigint[]) u (stream, version)
    JOIN {0}.records r ON r.stream = u.stream COLLATE "C" AND r.version = u.version
"""


class _Waiting(NamedTuple):
    """A record, and up to where another partition must have left before."""

    record: Record
    source: SourceName | None
    offset: int


class _Part:
    def __init__(self, name: SourceName) -> None:
        self.name = name
        self.page: deque[_Waiting] = deque()
        self.read = self.left = 0
        self.link = NO_HASH
        self.is_read = False


async def export_postgres(
    dsn: str, services: Sequence[str], writer: FrameWriter
) -> Manifest:
    """Write all logs of a database. Raises LogError."""
    with as_log_errors(place_of(dsn)):
        connection = await asyncpg.connect(dsn, timeout=_CONNECT_S)
        try:
            await use_text_codec(connection)
            async with connection.transaction(
                isolation="repeatable_read", readonly=True
            ):
                return await _Exporting(connection, services).run(writer)
        finally:
            await connection.close(timeout=_CONNECT_S)


class _Exporting:
    def __init__(self, connection: Connection, services: Sequence[str]) -> None:
        self._connection = connection
        self._services = sorted(services)
        self._parts: dict[SourceName, _Part] = {}

    async def run(self, writer: FrameWriter) -> Manifest:
        logs = [await self._log(service) for service in self._services]
        manifest = Manifest("postgres", tuple(logs))
        writer.write(MANIFEST, encode_manifest(manifest))
        for log in logs:
            for part in log.partitions:
                name = SourceName(log.service, part.partition)
                self._parts[name] = _Part(name)
        async for record in self._in_order():
            writer.write(RECORD, encode(record))
        for service in self._services:
            async for row in self._rows(service):
                writer.write(ROW, encode(row))
        return manifest

    async def _log(self, service: str) -> LogExport:
        schema = schema_of(service)
        theirs = await present(self._connection, schema)
        if theirs != newest():
            raise LogUnavailable(f"{schema} has schema {theirs}, not {newest()}")
        query = f"SELECT incarnation FROM {schema}.log"  # noqa: S608
        incarnation = await self._connection.fetchval(query)
        rows = await self._connection.fetch(_PARTS.format(schema))
        return LogExport(service, incarnation, tuple(PartExport(*row) for row in rows))

    async def _in_order(self) -> AsyncIterator[Record]:
        """Go round the partitions; where all wait for each other, a cause is gone."""
        while waiting := [part for part in self._parts.values() if not _is_done(part)]:
            progress = False
            for part in waiting:
                await self._refill(part)
                while part.page and self._is_due(part.page[0]):
                    progress = True
                    yield self._leave(part)
                progress = progress or _is_done(part)
            if not progress:
                names = ", ".join(str(part.name) for part in waiting)
                raise ChainBroken(f"records wait for each other in {names}")

    def _is_due(self, item: _Waiting) -> bool:
        return item.source is None or self._parts[item.source].left >= item.offset

    @staticmethod
    def _leave(part: _Part) -> Record:
        record = part.page.popleft().record
        part.left = record.offset
        return record

    async def _refill(self, part: _Part) -> None:
        if part.page or part.is_read:
            return
        query = _RECORDS.format(schema_of(part.name.service))
        number = part.name.partition
        rows = await self._connection.fetch(query, number, part.read, _PAGE)
        part.is_read = len(rows) < _PAGE
        records = []
        for offset, stream, version, type_, round_id, link, body in rows:
            place = (*part.name, offset, stream, version, type_, round_id)
            records.append(Record(*place, part.link, link, body))
            part.read, part.link = offset, link
        part.page.extend(await self._with_causes(records))

    async def _with_causes(self, records: list[Record]) -> list[_Waiting]:
        """Find where the records lie that these answer; one that is gone is not due."""
        ids = {cause for record in records if (cause := answered_by(record))}
        pairs = [(id_.rpartition("@")[0], int(id_.rpartition("@")[2])) for id_ in ids]
        streams, versions = [p[0] for p in pairs], [p[1] for p in pairs]
        found: dict[str, tuple[SourceName, int]] = {}
        for service in self._services if ids else ():
            query = _WHERE.format(schema_of(service))
            for row in await self._connection.fetch(query, streams, versions):
                source = SourceName(service, row[2])
                found[f"{row[0]}@{row[1]}"] = (source, row[3])
        return [
            _Waiting(record, *found.get(answered_by(record), (None, 0)))
            for record in records
        ]

    async def _rows(self, service: str) -> AsyncIterator[Row]:
        schema = schema_of(service)
        for table, columns in POSTGRES_COLUMNS.items():
            listed = ", ".join(
                f'"{column}"::text' if column in CASTS else f'"{column}"'
                for column in columns
            )
            order = ", ".join(f'"{column}"' for column in ORDER[table])
            query = f"SELECT {listed} FROM {schema}.{table}"  # noqa: S608
            query += f" ORDER BY {order}"
            async for row in self._connection.cursor(query, prefetch=_PAGE):
                yield Row(table, service, tuple(row))


def _is_done(part: _Part) -> bool:
    return part.is_read and not part.page
