"""What PostgreSQL and its driver report, in the words of the log.

A lost race is a Conflict: whoever meets it drops what it remembers and decides again.
Everything else leaves the outcome to be found out from positions and versions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import asyncpg

from runtime.log import Conflict, LogError, LogUnavailable, ReadOnlyLog


class HeadsMoved(Conflict):
    """A partition was written to by somebody else since its head was read."""


_LOST_RACES = (
    asyncpg.UniqueViolationError,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
)
HEAD_MOVED = "PU002"
LOST = ("PU001", "PU004")
"""What the database raises where somebody else was faster: with a version or position,
and by setting a stream aside."""

_FAILURES = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    # A broken connection, and a command that got no reply in time.
    OSError,
)


@contextmanager
def as_log_errors(place: str) -> Iterator[None]:
    """Raise what goes wrong within as a LogError that names the place."""
    try:
        yield
    except _FAILURES as error:
        raise log_error(place, error) from error


def log_error(place: str, error: Exception) -> LogError:
    """Name one failure in the words of the log."""
    what = f"{place}: {str(error) or 'no reply in time'}"
    state = getattr(error, "sqlstate", None)
    if state == HEAD_MOVED:
        return HeadsMoved(what)
    if state in LOST or isinstance(error, _LOST_RACES):
        return Conflict(what)
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return ReadOnlyLog(what)
    return LogUnavailable(what)


def place_of(dsn: str) -> str:
    """Return host and database of a DSN, never its password."""
    parts = urlsplit(dsn)
    query = parse_qs(parts.query)
    host = parts.hostname or query.get("host", ["local"])[0]
    port = f":{parts.port}" if parts.port else ""
    return f"postgresql {host}{port}{parts.path}"
