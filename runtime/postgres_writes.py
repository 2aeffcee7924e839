"""What an append writes: nearly everything in one call, the rare rest by itself.

What `append_batch` does in the database is in `migrations_postgres`. Rows are taken in
one order everywhere, so that two appends don't wait for each other.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runtime.log import Batch, Conflict, Head, Record, Snapshot
from runtime.postgres_database import Connection
from runtime.postgres_reads import Fetch, answer_key

_APPEND = "SELECT append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9)"
_HEADS = """
    SELECT part, next_offset - 1, hash FROM heads
    WHERE part = ANY($1) ORDER BY part FOR UPDATE
"""
_RESOLVE = """
    UPDATE parked SET verdict = $2, decided_by = $3, why = $4
    WHERE id = $1 AND verdict = '' RETURNING id
"""
_KEEP = """
    INSERT INTO snapshots AS s VALUES ($1, $2, $3)
    ON CONFLICT (stream) DO UPDATE SET
        version = excluded.version,
        state = excluded.state
    WHERE s.version <= excluded.version
"""


class Placed(NamedTuple):
    """The records of a batch, encoded after the heads that their writer knows."""

    log: str
    heads: Mapping[int, Head]
    records: Sequence[Record]
    known: Mapping[str, int]
    """Versions that streams must have before the batch, where that is not certain."""


async def lock_heads(
    connection: Connection, parts: Sequence[int]
) -> list[tuple[int, int, bytes]]:
    """Take the heads of partitions, so that none of them moves until the commit."""
    return [tuple(row) for row in await connection.fetch(_HEADS, parts)]


async def write(fetch: Fetch, placed: Placed, batch: Batch) -> None:
    """Write records, positions, answers and agenda in one call.

    Raises HeadsMoved where somebody else has written to a partition; then nothing is
    written.
    """
    agenda = batch.agenda
    await fetch(
        _APPEND,
        placed.log,
        batch.now,
        _steps(placed),
        list(placed.known.items()),
        [record[1:7] + record[8:] for record in placed.records],
        [(*to, expected) for to, expected in batch.moves],
        [(answer_key(item.actor, item.command_id), *item) for item in batch.answers],
        list(agenda),
        [item for items in agenda.values() for item in items],
    )


def _steps(placed: Placed) -> list[tuple[int, int, bytes, int, bytes]]:
    """Return where each partition stands before and after the batch."""
    last = {record.partition: record for record in placed.records}
    return [
        (part, head.offset, head.hash, last[part].offset, last[part].hash)
        for part, head in placed.heads.items()
    ]


async def unpark(connection: Connection, service: str, ids: Sequence[int]) -> None:
    for item in sorted(ids):
        await resolve_parked(connection, service, item, ("retried", "", ""))


async def resolve_parked(
    connection: Connection, service: str, item: int, verdict: tuple[str, str, str]
) -> None:
    if not await connection.fetch(_RESOLVE, item, *verdict):
        raise Conflict(f"{service}: parked input {item} does not wait")


async def keep(connection: Connection, snapshots: Sequence[Snapshot]) -> None:
    """Keep the newest snapshot of each stream."""
    await connection.executemany(_KEEP, sorted(snapshots))
