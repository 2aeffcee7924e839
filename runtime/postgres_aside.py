"""Setting streams aside in PostgreSQL, so that all instances respect it at once (H9).

Whoever parks takes the head of the stream's partition, like whoever appends: so either
the append was first, or it meets what waits and is refused by a trigger.
"""

from collections.abc import Sequence

from contracts.identities import partition_of
from runtime.log import Conflict, Parked, StoredAnswer
from runtime.postgres_database import Connection
from runtime.postgres_reads import answer_key

BEHIND = "behind"
"""The reason of what waits only because something before it does."""

_LOCK = "SELECT FROM heads WHERE part = ANY($1) ORDER BY part FOR UPDATE"
_PARK = """
    INSERT INTO parked (stream, kind, source, reason, body, parked_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT DO NOTHING
"""
_PARK_BEHIND = """
    INSERT INTO parked (stream, kind, source, reason, body, parked_at)
    SELECT $1, $2, $3, $4, $5, $6
    WHERE EXISTS (SELECT FROM parked WHERE stream = $1 AND verdict = '')
    RETURNING id
"""


async def park(
    connection: Connection, parked: Sequence[Parked], partitions: int
) -> None:
    """Set inputs aside in order. Raises Conflict behind what no longer waits."""
    parts = {partition_of(item.stream, partitions) for item in parked if item.stream}
    await connection.execute(_LOCK, sorted(parts))
    for item in parked:
        if item.reason != BEHIND:
            await connection.execute(_PARK, *item[:6])
        elif not await connection.fetch(_PARK_BEHIND, *item[:6]):
            raise Conflict(f"{item.stream} is no longer set aside")


async def begin_retry(connection: Connection, answers: Sequence[StoredAnswer]) -> None:
    """Until the transaction ends, what it appends is what had waited.

    Commands in it were answered `set_aside`; now they get their true answers.
    """
    await connection.execute("SELECT set_config('push22.retries', 'on', true)")
    keys = [answer_key(item.actor, item.command_id) for item in answers]
    await connection.execute("DELETE FROM answers WHERE key = ANY($1)", keys)
