"""Numbered files bring a service's schema to the present, each in one transaction.

An advisory lock lets one migration run at a time. Running it again changes nothing; a
schema that is newer than this software is refused.
"""

import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg

from contracts.topics import PARTITIONS
from runtime.log import NO_HASH, NewerSchema
from runtime.postgres_errors import as_log_errors, place_of
from runtime.postgres_roles import (
    OWNER,
    Connection,
    become_owner_at_will,
    ensure_role,
    grant,
    schema_of,
    set_password,
)

_FOLDER = Path(__file__).parent / "migrations_postgres"
_LOCK = 0x7075736832320001
"""An arbitrary number that nobody else locks: `push22` and a one."""

_CONNECT_S = 10

NONE: Mapping[str, str] = {}


@cache
def migrations() -> tuple[tuple[int, str, str], ...]:
    """Return number, name and statements of each migration, in order."""
    files = sorted(_FOLDER.glob("*.sql"))
    return tuple(
        (int(file.name[:4]), file.stem, file.read_text("utf-8")) for file in files
    )


def newest() -> int:
    return migrations()[-1][0]


async def present(connection: Any, schema: str) -> int:
    """Return the version of a schema; 0: there is none, or none to be seen."""
    versions = f"{schema}.schema_versions"
    if not await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", versions):
        return 0
    # A schema's name is made by `schema_of`: nobody's words get into a statement.
    sql = f"SELECT coalesce(max(version), 0) FROM {versions}"  # noqa: S608
    version = await connection.fetchval(sql)
    assert isinstance(version, int)
    return version


async def migrate(
    dsn: str,
    services: Sequence[str],
    passwords: Mapping[str, str] = NONE,
    *,
    partitions: int = PARTITIONS,
) -> list[str]:
    """Create or update roles and schemas; return what was done, a line each.

    `partitions` counts for logs that are created now; it never changes later (H8).
    """
    place = place_of(dsn)
    with as_log_errors(place):
        connection = await asyncpg.connect(dsn, timeout=_CONNECT_S)
        try:
            await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
            await _refuse_newer(connection, services, place)
            done = await _prepare(connection)
            for service in services:
                done += await _migrate(connection, service, partitions)
            for service in sorted(passwords):
                done.append(await set_password(connection, service, passwords[service]))
        finally:
            await connection.close(timeout=_CONNECT_S)
    return done


async def _prepare(connection: Connection) -> list[str]:
    """Make the owner, and let whoever migrates act as it."""
    is_new = await ensure_role(connection, OWNER, login=False)
    await become_owner_at_will(connection)
    return [f"role {OWNER} created"] if is_new else []


async def _refuse_newer(
    connection: Connection, services: Sequence[str], place: str
) -> None:
    """Look at all before one is touched."""
    for service in services:
        schema = schema_of(service)
        theirs = await present(connection, schema)
        if theirs > newest():
            raise NewerSchema(
                f"{place} {schema} has schema {theirs}, this version knows {newest()}"
            )


async def _migrate(connection: Connection, service: str, partitions: int) -> list[str]:
    schema, done = schema_of(service), list[str]()
    if await ensure_role(connection, schema, login=True):
        done.append(f"role {schema} created")
    before = await present(connection, schema)
    for number, name, sql in migrations():
        if number <= before:
            continue
        async with connection.transaction():
            if not before:
                await _create_schema(connection, schema)
            await _act_in(connection, schema)
            await connection.execute(sql)
            await connection.execute(
                "INSERT INTO schema_versions (version, name) VALUES ($1, $2)",
                number,
                name,
            )
            if number == 1:
                await _begin_log(connection, service, partitions)
        done.append(f"schema {schema}: {name} applied")
    async with connection.transaction():
        await _act_in(connection, schema)
        await grant(connection, schema)
    return done or [f"schema {schema}: at {before}, nothing to do"]


async def _create_schema(connection: Connection, schema: str) -> None:
    await connection.execute(
        f"CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {OWNER}"
    )


async def _act_in(connection: Connection, schema: str) -> None:
    """Until the transaction ends."""
    await connection.execute(f"SET LOCAL ROLE {OWNER}")
    await connection.execute(f"SET LOCAL search_path = {schema}")


async def _begin_log(connection: Connection, service: str, partitions: int) -> None:
    """A log gets its incarnation and empty partitions."""
    await connection.execute(
        "INSERT INTO log (service, incarnation, partitions) VALUES ($1, $2, $3)",
        service,
        secrets.token_hex(8),
        partitions,
    )
    parts = [(part, NO_HASH) for part in range(partitions)]
    await connection.executemany("INSERT INTO heads VALUES ($1, 1, $2, 0)", parts)
    await connection.executemany(
        "INSERT INTO published VALUES ($1, 0)", [(part,) for part, _ in parts]
    )
