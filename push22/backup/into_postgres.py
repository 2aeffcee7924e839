"""Takes an export in as the logs of a migrated, empty database: in one transaction.

Whoever does it is an administrator; no service runs yet.
"""

from collections.abc import Iterable
from pathlib import Path

import asyncpg

from push22.backup.content import CASTS, POSTGRES_COLUMNS, LogExport, Row
from push22.backup.frames import Damaged
from push22.backup.into_file import NotEmpty, batches
from push22.backup.reading import Export
from push22.backup.signed import Covered, check_covered, uncovered
from push22.checkpoints.keys import read_public
from runtime.log import LogError, Record
from runtime.postgres_database import Connection, check_durable, use_text_codec
from runtime.postgres_errors import as_log_errors, place_of
from runtime.postgres_migrations import newest, present
from runtime.postgres_reads import answer_key
from runtime.postgres_roles import schema_of

_CONNECT_S = 10
_INSERT = """
    INSERT INTO {}.records (part, "offset", stream, version, type, round_id, hash, body)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
_USED = """
    SELECT EXISTS (SELECT FROM {0}.records) OR EXISTS (SELECT FROM {0}.positions)
        OR EXISTS (SELECT FROM {0}.parked) OR EXISTS (SELECT FROM {0}.answers)
        OR EXISTS (SELECT FROM {0}.heads WHERE next_offset > 1)
"""
_HEAD = """
    UPDATE {}.heads SET next_offset = $2, hash = $3, alive_at = $4 WHERE part = $1
"""
_HOLES = """
    SELECT stream, max(version) AS newest, count(*) AS there FROM {}.records
    GROUP BY stream HAVING max(version) <> count(*) LIMIT 1
"""
_NEXT_ID = """
    SELECT setval(pg_get_serial_sequence('{0}.parked', 'id'), max(id))
    FROM {0}.parked HAVING max(id) IS NOT NULL
"""


class NotForHere(LogError):
    """The export is of another kind of casino than the database is made for."""


async def import_postgres(
    export: Export, dsn: str, *, keys: Path | None = None
) -> tuple[Covered, ...]:
    """Fill the logs. Raises NotEmpty, Damaged, NothingSigned, KeyMissing or LogError.

    Then nothing is changed. No checkpoints are kept here: where `keys` are named, logs
    that have records are refused. Returned is what is there, none of it signed.
    """
    found = uncovered(export.manifest)
    if keys is not None:
        read_public(keys)
        check_covered(found, keys)
    with as_log_errors(place_of(dsn)):
        connection = await asyncpg.connect(dsn, timeout=_CONNECT_S)
        try:
            await check_durable(connection, place_of(dsn))
            await use_text_codec(connection)
            async with connection.transaction():
                await _fill(connection, export)
                return found
        finally:
            await connection.close(timeout=_CONNECT_S)


async def _fill(connection: Connection, export: Export) -> None:
    manifest = export.manifest
    for log in manifest.logs:
        await _begin(connection, log)
    for records in batches(export.records()):
        await _insert(connection, records)
    for _ in export.checkpoints():
        raise NotForHere("it holds checkpoints: those are kept in files, not here")
    for rows in batches(export.rows()):
        for row in rows:
            await _put(connection, row)
    export.finish()
    for log in manifest.logs:
        await _end(connection, log)


async def _begin(connection: Connection, log: LogExport) -> None:
    """Refuse a log that is not there, not empty, or cut into other partitions."""
    schema = schema_of(log.service)
    theirs = await present(connection, schema)
    if theirs != newest():
        text = f"{schema} has schema {theirs}, {newest()} is due: run push22 migrate"
        raise NotForHere(text)
    # Whoever would append now waits here, and then finds another log.
    heads = await connection.fetch(
        f"SELECT part FROM {schema}.heads ORDER BY part FOR UPDATE"  # noqa: S608
    )
    if [row[0] for row in heads] != [part.partition for part in log.partitions]:
        text = f"{schema} has {len(heads)} partitions, not {len(log.partitions)}"
        raise NotForHere(text)
    if await connection.fetchval(_USED.format(schema)):
        raise NotEmpty(f"{schema} is not empty")
    await connection.execute(f"DELETE FROM {schema}.published")  # noqa: S608
    await connection.execute(
        f"UPDATE {schema}.log SET incarnation = $1",  # noqa: S608
        log.incarnation,
    )


async def _insert(connection: Connection, records: Iterable[Record]) -> None:
    """Records come from several services in turn; each goes to its own table."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for record in records:
        row = (*record[1:7], *record[8:])
        found.setdefault(record.service, []).append(row)
    for service, rows in found.items():
        schema = schema_of(service)
        # The triggers of the records look into the schema that they are called in.
        await connection.execute(f"SET LOCAL search_path = {schema}")
        await connection.executemany(_INSERT.format(schema), rows)


async def _put(connection: Connection, row: Row) -> None:
    columns, values = POSTGRES_COLUMNS[row.table], row.values
    marks = [
        f"${number}::text::{CASTS[column]}" if column in CASTS else f"${number}"
        for number, column in enumerate(columns, 1)
    ]
    if row.table == "answers":
        columns, marks = ("key", *columns), [*marks, f"${len(columns) + 1}"]
        marks = [marks[-1], *marks[:-1]]
        values = (*values, answer_key(values[0], values[1]))
    listed = ", ".join(f'"{column}"' for column in columns)
    given_id = "OVERRIDING SYSTEM VALUE" if row.table == "parked" else ""
    place = f"{schema_of(row.service)}.{row.table}"
    insert = f"INSERT INTO {place} ({listed}) {given_id}"
    await connection.execute(f"{insert} VALUES ({', '.join(marks)})", *values)


async def _end(connection: Connection, log: LogExport) -> None:
    schema = schema_of(log.service)
    if hole := await connection.fetchrow(_HOLES.format(schema)):
        text = f"{hole[0]} has {hole[2]} records up to version {hole[1]}"
        raise Damaged(f"{log.service}: {text}")
    for part in log.partitions:
        values = (part.partition, part.last + 1, part.hash, part.alive_at)
        await connection.execute(_HEAD.format(schema), *values)
    await connection.execute(_NEXT_ID.format(schema))
