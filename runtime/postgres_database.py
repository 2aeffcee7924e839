"""The connections to one service's schema: opening, checking, transactions.

A connection that could lose a commit, or cannot write, is refused when it is made.
Every wait is bounded, here and in the server: a paused process must not hold a head.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal, Self, TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from runtime.log import LogUnavailable, NewerSchema, NotDurable, ReadOnlyLog
from runtime.postgres_errors import as_log_errors, place_of
from runtime.postgres_migrations import newest, present
from runtime.postgres_roles import schema_of

# The driver is generic to the type checker only.
Connection: TypeAlias = (
    "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"
)

CONNECTIONS = 4
TIMEOUT_MS = 10_000

_CLOSING_S = 5
_SETTINGS = """
    SELECT current_setting('fsync'), current_setting('full_page_writes'),
           current_setting('synchronous_commit'),
           current_setting('transaction_read_only')
"""


class Reconnected(LogUnavailable):
    """The log must be compared with its topic before it is written to again."""


class PostgresDatabase:
    """A pool of connections whose search path is one service's schema."""

    def __init__(self, dsn: str, service: str) -> None:
        self.schema = schema_of(service)
        self.place = f"{place_of(dsn)} {self.schema}"
        self.sessions = 0
        """Connections made so far: after each new one the tail is compared (H3)."""
        self.vouched: int | None = None
        """Sessions after which it was compared; None: this log's owner does not."""
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    @classmethod
    async def open(
        cls,
        dsn: str,
        service: str,
        *,
        connections: int = CONNECTIONS,
        timeout_ms: int = TIMEOUT_MS,
    ) -> Self:
        """Connect; refuse what could lose records or was written by newer software."""
        database = cls(dsn, service)
        with as_log_errors(database.place):
            database._pool = await asyncpg.create_pool(
                dsn,
                min_size=connections,
                max_size=connections,
                max_inactive_connection_lifetime=0,
                timeout=timeout_ms / 1000,
                # The server gives up first, and says why.
                command_timeout=timeout_ms / 1000 + 1,
                init=database._check,
                # Nothing here outlives its transaction, so nothing is to be reset.
                reset=_keep,
                server_settings=_session(database.schema, timeout_ms),
            )
        try:
            await database._check_schema()
        except BaseException:
            await database.close()
            raise
        return database

    async def _check(self, connection: Connection) -> None:
        self.sessions += 1
        await check_durable(connection, self.place)
        await use_text_codec(connection)

    async def _check_schema(self) -> None:
        async with self.transaction() as connection:
            theirs, ours = await present(connection, self.schema), newest()
        if theirs > ours:
            raise NewerSchema(
                f"{self.place} has schema {theirs}, this version knows {ours}"
            )
        if theirs < ours:
            raise LogUnavailable(
                f"{self.place} has schema {theirs}, {ours} is due: run push22 migrate"
            )

    @asynccontextmanager
    async def transaction(
        self, *, consistent_reads: bool = False
    ) -> AsyncIterator[Connection]:
        """Commit at the end, or leave nothing behind.

        `consistent_reads`: all reads see the same moment, and nothing can be written.
        """
        assert self._pool is not None
        isolation: Literal["repeatable_read", "read_committed"]
        isolation = "repeatable_read" if consistent_reads else "read_committed"
        with as_log_errors(self.place):
            async with (
                self._pool.acquire() as connection,
                connection.transaction(isolation=isolation, readonly=consistent_reads),
            ):
                if not consistent_reads:
                    self._refuse_stranger()
                yield connection

    def _refuse_stranger(self) -> None:
        """Write nothing over a session that may lead to an older database (H3)."""
        if self.vouched not in (None, self.sessions):
            raise Reconnected(
                f"{self.place}: connected again, the end of the log is compared first"
            )

    async def fetch(self, sql: str, *values: Any) -> list[asyncpg.Record]:
        """Run one statement by itself."""
        assert self._pool is not None
        with as_log_errors(self.place):
            return await self._pool.fetch(sql, *values)

    async def write(self, sql: str, *values: Any) -> list[asyncpg.Record]:
        """Run one statement by itself that adds to the log: over no strange session."""
        assert self._pool is not None
        with as_log_errors(self.place):
            async with self._pool.acquire() as connection:
                self._refuse_stranger()
                return await connection.fetch(sql, *values)

    async def close(self) -> None:
        """Wait for what runs, but not for ever."""
        if self._pool is None:
            return
        try:
            await asyncio.wait_for(self._pool.close(), _CLOSING_S)
        except TimeoutError:
            self._pool.terminate()


def _session(schema: str, timeout_ms: int) -> dict[str, str]:
    limit = str(timeout_ms)
    return {
        "application_name": schema,
        "search_path": schema,
        "synchronous_commit": "on",
        "statement_timeout": limit,
        "lock_timeout": limit,
        "idle_in_transaction_session_timeout": limit,
    }


async def _keep(connection: Connection) -> None:
    del connection


async def check_durable(connection: Connection, place: str) -> None:
    """Refuse settings under which a commit can be lost, and a database to read only."""
    (row,) = await connection.fetch(_SETTINGS)
    fsync, full_page_writes, synchronous_commit, read_only = row
    if (fsync, full_page_writes) != ("on", "on") or synchronous_commit != "on":
        raise NotDurable(
            f"{place}: fsync {fsync}, full_page_writes {full_page_writes},"
            f" synchronous_commit {synchronous_commit}"
        )
    if read_only != "off":
        raise ReadOnlyLog(f"{place} is read-only, or a standby")


async def use_text_codec(connection: Connection) -> None:
    """Read and write texts as all our tables hold them."""
    await connection.set_type_codec(
        "text",
        schema="pg_catalog",
        encoder=encode_text,
        decoder=decode_text,
        format="binary",
    )


def encode_text(text: str) -> bytes:
    r"""Escape the one character that a PostgreSQL text cannot hold, NUL, as `\0`."""
    if "\0" in text or "\\" in text:
        text = text.replace("\\", "\\\\").replace("\0", "\\0")
    return text.encode()


def decode_text(stored: bytes) -> str:
    text = bytes(stored).decode()
    if "\\" not in text:
        return text
    return re.sub(r"\\(.)", lambda found: found[1].replace("0", "\0"), text)
