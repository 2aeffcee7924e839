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
    NO_HASH,
    Batch,
    ChainBroken,
    Conflict,
    Draft,
    Head,
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
from runtime.postgres_errors import HeadsMoved
from runtime.postgres_reads import PostgresReads
from runtime.postgres_relay import PostgresRelayState
from runtime.postgres_writes import (
    Placed,
    keep,
    lock_heads,
    resolve_parked,
    unpark,
    write,
)
from runtime.remembered import Remembered

_ASIDE = "SELECT stream FROM parked WHERE verdict = '' AND stream = ANY($1) LIMIT 1"
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
        self._versions: Remembered[int] = Remembered()
        # Where this process saw the partitions end: what it writes is encoded after
        # these, and the database refuses it where they are no longer the ends.
        self._heads: dict[int, Head] = {}
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
        is_due = batch.now - self._pruned_at >= PRUNE_EVERY_MICROS
        # Whoever tries again what waits is not the service, which may be down for long.
        if is_due and not batch.unparked:
            await self._prune(batch.now)
        try:
            records = await self._append(batch)
        except BaseException:
            # Whoever was faster, or a restore, may have changed any of them.
            self._forget()
            raise
        for record in records:
            self._versions.put(record.stream, record.version)
            at = record.partition
            self._heads[at] = Head(self.incarnation, at, record.offset, record.hash)
        return list(_in_order(batch.drafts, records))

    def _forget(self) -> None:
        self._versions.clear()
        self._heads.clear()

    async def _append(self, batch: Batch) -> list[Record]:
        """Write after the heads as they are remembered, else under their lock."""
        parts = self._by_partition(batch.drafts)
        known = self._unsure_versions(batch)
        is_rare = batch.parked or batch.unparked or batch.snapshots
        if not is_rare and all(part in self._heads for part in parts):
            try:
                heads = {part: self._heads[part] for part in parts}
                placed = self._place(heads, parts, batch, known)
                await write(self.database.write, placed, batch)
            except HeadsMoved:
                self._heads.clear()
            else:
                return list(placed.records)
        async with self.database.transaction() as connection:
            if batch.unparked:
                await begin_retry(connection, batch.answers)
            # Before anything is looked at (H8): what is read below can no longer move.
            heads = {
                part: Head(self.incarnation, part, offset, link)
                for part, offset, link in await lock_heads(connection, list(parts))
            }
            placed = self._place(heads, parts, batch, known)
            await write(connection.fetch, placed, batch)
            await self._write_rest(connection, batch)
        return list(placed.records)

    def _place(
        self,
        heads: Mapping[int, Head],
        parts: Mapping[int, Sequence[Draft]],
        batch: Batch,
        known: Mapping[str, int],
    ) -> Placed:
        records: list[Record] = []
        for part, drafts in parts.items():
            records += chain(self.service, heads[part], drafts, batch.now)
        return Placed(self.incarnation, heads, records, known)

    async def _write_rest(self, connection: Connection, batch: Batch) -> None:
        if batch.parked:
            await park(connection, batch.parked, self.partitions)
        if batch.unparked:
            await unpark(connection, self.service, batch.unparked)
        if batch.snapshots:
            await keep(connection, batch.snapshots)

    def _by_partition(self, drafts: Sequence[Draft]) -> dict[int, list[Draft]]:
        """Return drafts by partition, partitions in ascending order (H8)."""
        parts: dict[int, list[Draft]] = {}
        for draft in drafts:
            parts.setdefault(self._partition_of(draft.stream), []).append(draft)
        return dict(sorted(parts.items()))

    def _partition_of(self, stream: str) -> int:
        return partition_of(stream, self.partitions)

    def _unsure_versions(self, batch: Batch) -> dict[str, int]:
        """Return what streams must be at before the batch, unless that is certain."""
        self._versions.tidy()
        unsure = dict(batch.watched)
        for stream, version in first_versions(batch.drafts).items():
            present = self._versions.get(stream)
            if present is None:
                unsure[stream] = version - 1
            elif version != present + 1:
                raise Conflict(f"{stream} is at {present}, not at {version - 1}")
        return unsure

    async def check_versions(self, watched: Mapping[str, int]) -> None:
        """Raise Conflict where a stream is not at the version it was read at.

        Or where another instance has set it aside: what stays quiet now may not be
        quiet after what waits (H9).
        """
        aside = await self.database.fetch(_ASIDE, list(watched))
        if aside:
            raise Conflict(f"{aside[0][0]} was set aside by another instance")
        rows = await self.database.fetch(_VERSIONS, list(watched))
        present = {row[0]: row[1] for row in rows}
        for stream, version in watched.items():
            if present.get(stream, 0) != version:
                raise Conflict(f"{stream} is no longer at {version}")

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
