"""A service's log in PostgreSQL: many partitions, and writers in several processes.

Writers of a partition take turns at its head row, those of others don't wait. What a
commit whose reply was lost has done is told by versions and positions alone.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Self

from contracts.envelope import Micros
from contracts.identities import partition_of
from runtime.log import (
    KNOWN_VERSIONS_MAX,
    NO_HASH,
    Batch,
    ChainBroken,
    Conflict,
    Draft,
    Head,
    LogUnavailable,
    Record,
    chain,
    first_versions,
)
from runtime.log_sqlite import (
    ANSWERS_KEPT_MICROS,
    PRUNE_EVERY_MICROS,
)
from runtime.postgres_aside import begin_retry, park
from runtime.postgres_database import (
    CONNECTIONS,
    TIMEOUT_MS,
    Connection,
    PostgresDatabase,
)
from runtime.postgres_reads import PostgresReads
from runtime.postgres_relay import PostgresRelayState
from runtime.postgres_writes import (
    answer,
    keep,
    move,
    plan,
    resolve_parked,
    unpark,
)

_HEADS = """
    SELECT part, next_offset - 1, hash, (SELECT incarnation FROM log) FROM heads
    WHERE part = ANY($1) ORDER BY part FOR UPDATE
"""
_HEAD_MOVES = """
    UPDATE heads
    SET next_offset = $2, hash = $3, alive_at = greatest(alive_at, $4)
    WHERE part = $1
"""
_COLUMNS = (
    "part",
    "offset",
    "stream",
    "version",
    "type",
    "round_id",
    "hash",
    "body",
)
_VERSIONS = """
    SELECT stream, max(version) FROM records WHERE stream = ANY($1) GROUP BY stream
"""
_FORGET = "DELETE FROM answers WHERE answered_at < $1"
_ALIVE = "UPDATE heads SET alive_at = greatest(alive_at, $1) WHERE part = 0"
_ENDS = """
    SELECT h.part, h.next_offset - 1, h.hash, coalesce(r."offset", 0),
           coalesce(r.hash, $1)
    FROM heads h LEFT JOIN LATERAL (
        SELECT "offset", hash FROM records WHERE part = h.part
        ORDER BY "offset" DESC LIMIT 1
    ) r ON true
    ORDER BY h.part
"""


class PostgresLog(PostgresReads):
    """The log of one service; `relay` holds leases and published offsets."""

    is_shared = True

    def __init__(
        self,
        database: PostgresDatabase,
        service: str,
        partitions: int,
        incarnation: str,
    ) -> None:
        super().__init__(database.fetch, service)
        self.database = database
        self.partitions = partitions
        self.incarnation = incarnation
        self.relay = PostgresRelayState(database)
        # A version only grows: one that was seen rules out a hole, and the unique
        # index rules out that somebody else has gone on from it.
        self._versions: dict[str, int] = {}
        self._pruned_at: Micros = 0

    @classmethod
    async def open(
        cls,
        dsn: str,
        service: str,
        *,
        connections: int = CONNECTIONS,
        timeout_ms: int = TIMEOUT_MS,
    ) -> Self:
        """Open a log that `push22 migrate` has made; its heads must fit its records."""
        database = await PostgresDatabase.open(
            dsn, service, connections=connections, timeout_ms=timeout_ms
        )
        try:
            async with database.transaction(consistent_reads=True) as connection:
                ((partitions, incarnation),) = await connection.fetch(
                    "SELECT partitions, incarnation FROM log"
                )
                await _check_heads(connection, database.place)
        except BaseException:
            await database.close()
            raise
        return cls(database, service, partitions, incarnation)

    async def close(self) -> None:
        await self.database.close()

    @asynccontextmanager
    async def read_consistent(self) -> AsyncIterator[PostgresReads]:
        """Read several things as they stood at one moment."""
        async with self.database.transaction(consistent_reads=True) as connection:
            yield PostgresReads(connection.fetch, self.service)

    async def append(self, batch: Batch) -> list[Record]:
        """Write the whole batch in one transaction, or nothing."""
        if batch.now - self._pruned_at >= PRUNE_EVERY_MICROS:
            await self._prune(batch.now)
        try:
            async with self.database.transaction() as connection:
                records = await self._write(connection, batch)
        except BaseException:
            # Whoever was faster, or a restore, may have changed any of them.
            self._versions.clear()
            raise
        for record in records:
            self._versions[record.stream] = record.version
        return records

    async def _write(self, connection: Connection, batch: Batch) -> list[Record]:
        if batch.unparked:
            await begin_retry(connection, batch.answers)
        records = await self._insert(connection, batch.drafts, batch.now)
        if batch.moves:
            await move(connection, self.service, batch.moves)
        if batch.answers:
            await answer(connection, batch.answers)
        if batch.agenda:
            await plan(connection, batch.agenda)
        if batch.parked:
            await park(connection, batch.parked, self.partitions)
        if batch.unparked:
            await unpark(connection, self.service, batch.unparked)
        if batch.snapshots:
            await keep(connection, batch.snapshots)
        return records

    async def _insert(
        self, connection: Connection, drafts: Sequence[Draft], now: Micros
    ) -> list[Record]:
        if not drafts:
            return []
        parts = self._by_partition(drafts)
        # Before anything is looked at (H8): what is read below can no longer move.
        heads = await connection.fetch(_HEADS, list(parts))
        await self._check_versions(connection, first_versions(drafts))
        placed: list[Record] = []
        moved = []
        for part, offset, link, incarnation in heads:
            if incarnation != self.incarnation:
                raise LogUnavailable(f"{self.database.place}: this is another log now")
            head = Head(self.incarnation, part, offset, link)
            placed += chain(self.service, head, parts[part], now)
            moved.append((part, placed[-1].offset + 1, placed[-1].hash, now))
        await connection.copy_records_to_table(
            "records",
            columns=_COLUMNS,
            records=[record[1:7] + record[8:] for record in placed],
        )
        await connection.executemany(_HEAD_MOVES, moved)
        return list(_in_order(drafts, placed))

    def _by_partition(self, drafts: Sequence[Draft]) -> dict[int, list[Draft]]:
        parts: dict[int, list[Draft]] = {}
        for draft in drafts:
            part = partition_of(draft.stream, self.partitions)
            parts.setdefault(part, []).append(draft)
        return parts

    async def _check_versions(
        self, connection: Connection, firsts: Mapping[str, int]
    ) -> None:
        if len(self._versions) > KNOWN_VERSIONS_MAX:
            self._versions.clear()
        unknown = [stream for stream in firsts if stream not in self._versions]
        found: dict[str, int] = {}
        if unknown:
            rows = await connection.fetch(_VERSIONS, unknown)
            found = {row[0]: row[1] for row in rows}
        for stream, version in firsts.items():
            present = self._versions.get(stream, found.get(stream, 0))
            if version != present + 1:
                raise Conflict(f"{stream} is at {present}, not at {version - 1}")

    async def _prune(self, now: Micros) -> None:
        """Forget old answers, and with them that it was so late (H4).

        By itself: an append must not wait for what another process prunes.
        """
        async with self.database.transaction() as connection:
            await connection.execute(_FORGET, now - ANSWERS_KEPT_MICROS)
            await connection.execute(_ALIVE, now)
        self._pruned_at = now

    async def resolve_parked(self, item: int, verdict: str, by: str, why: str) -> None:
        """Take one input out of the queue; who decided so and why stays."""
        async with self.database.transaction() as connection:
            await resolve_parked(connection, self.service, item, (verdict, by, why))

    async def note_alive(self, now: Micros) -> None:
        """Say that the service runs, for the length of an outage (H10)."""
        await self.database.write(_ALIVE, now)


def _in_order(drafts: Sequence[Draft], placed: Sequence[Record]) -> Iterator[Record]:
    """Return records in the order of their drafts, whatever their partitions."""
    by_id = {(record.stream, record.version): record for record in placed}
    for draft in drafts:
        yield by_id[draft.stream, draft.version]


async def _check_heads(connection: Connection, place: str) -> None:
    """Each head must be its partition's last record's. Raises ChainBroken."""
    for part, offset, link, last, last_link in await connection.fetch(_ENDS, NO_HASH):
        if (offset, link) != (last, last_link):
            raise ChainBroken(
                f"{place}: partition {part}: the head is at {offset},"
                f" the last record at {last}, or their hashes differ"
            )
