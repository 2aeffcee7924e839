"""What the relay keeps beside the log: who may send, and how far it has sent.

A lease runs by the database's clock and carries a fencing token that only grows: a
holder that was paused past its time can no longer say that it has sent anything.
"""

from typing import NamedTuple

from runtime.log import Conflict
from runtime.postgres_database import PostgresDatabase

_ACQUIRE = """
    INSERT INTO leases AS l (name, holder, token, expires_at)
    VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET
        holder = excluded.holder,
        token = l.token + 1,
        expires_at = excluded.expires_at
    WHERE l.expires_at <= clock_timestamp()
    RETURNING token
"""
_RENEW = """
    UPDATE leases SET expires_at = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE name = $1 AND token = $2 AND expires_at > clock_timestamp()
    RETURNING token
"""
_RELEASE = "UPDATE leases SET expires_at = '-infinity' WHERE name = $1 AND token = $2"
_SENT = """
    UPDATE published SET "offset" = greatest("offset", $4)
    WHERE part = $3
      AND EXISTS (SELECT 1 FROM leases
                  WHERE name = $1 AND token = $2 AND expires_at > clock_timestamp())
      AND $4 < (SELECT next_offset FROM heads WHERE part = $3)
    RETURNING part
"""


class Lease(NamedTuple):
    """The right to do what `name` says; `token` tells this holding from all others."""

    name: str
    holder: str
    token: int


class PostgresRelayState:
    """Leases and published offsets of one service's log."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    async def acquire_lease(self, name: str, holder: str, ttl_ms: int) -> Lease | None:
        """Take a lease that nobody holds; None: somebody does, perhaps `holder`."""
        rows = await self._database.fetch(_ACQUIRE, name, holder, ttl_ms)
        return Lease(name, holder, rows[0][0]) if rows else None

    async def renew_lease(self, lease: Lease, ttl_ms: int) -> bool:
        """Hold on; False: it ran out, or somebody else has it."""
        name, _, token = lease
        return bool(await self._database.fetch(_RENEW, name, token, ttl_ms))

    async def release_lease(self, lease: Lease) -> None:
        """Give a lease back; nothing happens if it is no longer held."""
        await self._database.fetch(_RELEASE, lease.name, lease.token)

    async def note_published(self, partition: int, offset: int, lease: Lease) -> None:
        """Say that a partition was sent up to `offset`; it never goes back."""
        name, _, token = lease
        if not await self._database.fetch(_SENT, name, token, partition, offset):
            raise Conflict(
                f"{self._database.place}: {lease.holder} does not hold {name},"
                f" or partition {partition} does not reach {offset}"
            )
