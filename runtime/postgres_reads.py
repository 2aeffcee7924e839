"""Everything that is read from a service's log in PostgreSQL.

`fetch` says where: from any connection, or from the one of a read-only transaction in
which all reads see the same moment.
"""

from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256

import asyncpg

from contracts.envelope import Micros
from runtime.log import (
    AgendaItem,
    AnswerKey,
    Parked,
    Position,
    Record,
    Snapshot,
    StoredAnswer,
)

Fetch = Callable[..., Awaitable[list[asyncpg.Record]]]

# The hash before is looked up record by record. A join would be planned by statistics
# that a growing table outruns: it read the whole partition for each record.
_RECORD = """
    SELECT r.part, r."offset", r.stream, r.version, r.type, r.round_id,
           coalesce(
               (SELECT p.hash FROM records p
                WHERE p.part = r.part AND p."offset" = r."offset" - 1),
               decode(repeat('00', 32), 'hex')
           ),
           r.hash, r.body
    FROM records r
"""
_ASIDE = "SELECT DISTINCT stream FROM parked WHERE verdict = '' AND stream <> ''"
_PARKED = """
    SELECT stream, kind, source, reason, body, parked_at, id
    FROM parked WHERE verdict = '' ORDER BY id
"""


class PostgresReads:
    """The reading half of a log."""

    def __init__(self, fetch: Fetch, service: str) -> None:
        self._fetch = fetch
        self.service = service

    async def read(self, partition: int, after: int, limit: int) -> list[Record]:
        rows = await self._fetch(
            f'{_RECORD} WHERE r.part = $1 AND r."offset" > $2'
            ' ORDER BY r."offset" LIMIT $3',
            partition,
            after,
            limit,
        )
        return [Record(self.service, *row) for row in rows]

    async def read_stream(self, stream: str, after_version: int = 0) -> list[Record]:
        rows = await self._fetch(
            f"{_RECORD} WHERE r.stream = $1 AND r.version > $2 ORDER BY r.version",
            stream,
            after_version,
        )
        return [Record(self.service, *row) for row in rows]

    async def read_streams(self, streams: Sequence[str]) -> list[Record]:
        """Return the records of several streams, each stream's in order."""
        rows = await self._fetch(
            f"{_RECORD} WHERE r.stream = ANY($1) ORDER BY r.stream, r.version", streams
        )
        return [Record(self.service, *row) for row in rows]

    async def stream_version(self, stream: str) -> int:
        rows = await self._fetch(
            "SELECT coalesce(max(version), 0) FROM records WHERE stream = $1", stream
        )
        version = rows[0][0]
        assert isinstance(version, int)
        return version

    async def stream_after(self, name: str) -> str:
        """Return the next stream by name, or nothing."""
        rows = await self._fetch(
            "SELECT stream FROM records WHERE stream > $1 ORDER BY stream LIMIT 1", name
        )
        return rows[0][0] if rows else ""

    async def head(self, partition: int) -> tuple[int, bytes]:
        """Return offset and hash of a partition's last record."""
        ((offset, link),) = await self._fetch(
            "SELECT next_offset - 1, hash FROM heads WHERE part = $1", partition
        )
        return offset, link

    async def heads(self) -> dict[int, tuple[int, bytes]]:
        """Return offset and hash of each partition's last record."""
        rows = await self._fetch("SELECT part, next_offset - 1, hash FROM heads")
        return {part: (offset, link) for part, offset, link in rows}

    async def position(self, source: str, partition: int) -> Position | None:
        rows = await self._fetch(
            'SELECT source, part, incarnation, "offset", hash FROM positions'
            " WHERE source = $1 AND part = $2",
            source,
            partition,
        )
        return Position._make(rows[0]) if rows else None

    async def answers(self, keys: Sequence[AnswerKey]) -> list[StoredAnswer]:
        """Return what is stored of these commands, in any order."""
        rows = await self._fetch(
            "SELECT actor, command_id, digest, outcome, answered_at FROM answers"
            " WHERE key = ANY($1)",
            [answer_key(*key) for key in keys],
        )
        return [StoredAnswer._make(row) for row in rows]

    async def agenda(self) -> list[AgendaItem]:
        rows = await self._fetch(
            "SELECT stream, decision, kind, due_at FROM agenda"
            " ORDER BY due_at, stream, decision, kind"
        )
        return [AgendaItem._make(row) for row in rows]

    async def snapshot(self, stream: str) -> Snapshot | None:
        rows = await self._fetch(
            "SELECT stream, version, state FROM snapshots WHERE stream = $1", stream
        )
        return Snapshot._make(rows[0]) if rows else None

    async def parked(self) -> list[Parked]:
        """Return what waits, in order of arrival."""
        return [Parked._make(row) for row in await self._fetch(_PARKED)]

    async def is_aside(self, stream: str) -> bool:
        """Tell whether anything waits for a stream."""
        sql = "SELECT FROM parked WHERE stream = $1 AND verdict = '' LIMIT 1"
        return bool(await self._fetch(sql, stream))

    async def aside(self) -> set[str]:
        """Return the streams that something waits for."""
        return {row[0] for row in await self._fetch(_ASIDE)}

    async def alive_at(self) -> Micros:
        rows = await self._fetch("SELECT max(alive_at) FROM heads")
        alive_at = rows[0][0]
        assert isinstance(alive_at, int)
        return alive_at

    async def published(self, partition: int) -> int:
        """Return the offset up to which the relay has sent a partition."""
        rows = await self._fetch(
            'SELECT "offset" FROM published WHERE part = $1', partition
        )
        offset = rows[0][0]
        assert isinstance(offset, int)
        return offset


def answer_key(actor: str, command_id: str) -> bytes:
    """Return a key of fixed length: ids of any length come from anyone (H4)."""
    return sha256(f"{len(actor)}:{actor}{command_id}".encode()).digest()
