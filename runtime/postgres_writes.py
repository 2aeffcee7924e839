"""What an append writes beside its records, one function per table.

Rows are taken in one order everywhere, so that two appends don't wait for each other.
"""

from collections.abc import Mapping, Sequence

from runtime.log import AgendaItem, Conflict, Move, Snapshot, StoredAnswer
from runtime.postgres_database import Connection
from runtime.postgres_reads import answer_key

_MOVE = """
    INSERT INTO positions AS p (source, part, incarnation, "offset", hash)
    SELECT $1, $2, $3, $4, $5
    WHERE $6::bigint = 0
       OR EXISTS (SELECT 1 FROM positions WHERE source = $1 AND part = $2)
    ON CONFLICT (source, part) DO UPDATE SET
        incarnation = excluded.incarnation,
        "offset" = excluded."offset",
        hash = excluded.hash
    WHERE p."offset" = $6
    RETURNING source, part
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


async def move(connection: Connection, service: str, moves: Sequence[Move]) -> None:
    """Compare and set each position."""
    rows = [(*to, expected) for to, expected in sorted(moves)]
    moved = await connection.fetchmany(_MOVE, rows)
    stayed = {row[:2] for row in rows} - {tuple(row) for row in moved}
    if stayed:
        source, part = min(stayed)
        raise Conflict(f"{service}: {source} {part} does not stand where it should")


async def answer(connection: Connection, answers: Sequence[StoredAnswer]) -> None:
    """Store answers; one that is there already was given by somebody faster."""
    rows = [(answer_key(item.actor, item.command_id), *item) for item in answers]
    await connection.executemany(
        "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, $6)", sorted(rows)
    )


async def plan(
    connection: Connection, agenda: Mapping[str, Sequence[AgendaItem]]
) -> None:
    """Replace the deadlines of each named stream."""
    streams = sorted(agenda)
    await connection.execute("DELETE FROM agenda WHERE stream = ANY($1)", streams)
    rows = [item for stream in streams for item in agenda[stream]]
    if rows:
        await connection.executemany("INSERT INTO agenda VALUES ($1, $2, $3, $4)", rows)


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
