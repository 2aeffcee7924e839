"""What a load test has laid down, in the logs, in Kafka and beside them."""

import re
from pathlib import Path

import asyncpg
import msgspec

from push22.load.places import Place
from push22.load.segments import Lain, topics_in
from push22.load.stored import held_bytes

_CONNECT_S = 10.0
_SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'push22\\_%' ORDER BY 1"
_OF_LOG = """
    SELECT (SELECT count(*) FROM {0}.records),
           (SELECT coalesce(sum(length(body)), 0) FROM {0}.records),
           pg_total_relation_size('{0}.records'),
           (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
            WHERE relnamespace = '{0}'::regnamespace AND relkind = 'r'
            AND relname <> 'records')
"""
_OF_SERVER = """
    SELECT xact_commit, pg_current_wal_lsn() - '0/0'
    FROM pg_stat_database WHERE datname = current_database()
"""
_SAFE = re.compile(r"push22_[a-z_]+")


class LogVolume(msgspec.Struct, frozen=True):
    """`body_bytes`: the records; `disk_bytes`: they with their indices and rows.

    `beside_bytes`: positions, answers, deadlines, snapshots: they do not last.
    """

    records: int = 0
    body_bytes: int = 0
    disk_bytes: int = 0
    beside_bytes: int = 0

    def __sub__(self, other: "LogVolume") -> "LogVolume":
        return LogVolume(
            self.records - other.records,
            self.body_bytes - other.body_bytes,
            self.disk_bytes - other.disk_bytes,
            self.beside_bytes - other.beside_bytes,
        )


class Volumes(msgspec.Struct, frozen=True, kw_only=True):
    """At one moment, or between two. `archive_bytes`: the one file of all logs."""

    logs: dict[str, LogVolume] = {}
    topics: dict[str, Lain] = {}
    archive_bytes: int = 0
    commits: int = 0
    wal_bytes: int = 0

    def __sub__(self, before: "Volumes") -> "Volumes":
        logs = {
            name: log - before.logs.get(name, LogVolume())
            for name, log in self.logs.items()
        }
        topics = {
            name: lain - before.topics.get(name, Lain())
            for name, lain in self.topics.items()
        }
        return Volumes(
            logs=logs,
            topics=topics,
            archive_bytes=self.archive_bytes - before.archive_bytes,
            commits=self.commits - before.commits,
            wal_bytes=self.wal_bytes - before.wal_bytes,
        )


def in_words(volumes: Volumes | None, *, rounds: int) -> dict[str, str]:
    """Tell of the records of a round, where both were counted."""
    logs = volumes.logs.values() if volumes is not None else ()
    records = sum(log.records for log in logs)
    if not records or not rounds:
        return {}
    size = sum(log.body_bytes for log in logs) / records
    return {"records": f"{records / rounds:.1f} a round of {size:,.0f} bytes"}


async def volumes_of(place: Place) -> Volumes | None:
    """Look at a database, and at a broker's files: in a container they are not here."""
    if place.books[:1] != ("--dsn",):
        return None
    connection = await asyncpg.connect(place.books[1], timeout=_CONNECT_S)
    try:
        schemas = [row[0] for row in await connection.fetch(_SCHEMAS)]
        logs = {
            name.removeprefix("push22_").replace("_", "-"): LogVolume(
                *map(int, (await connection.fetch(_OF_LOG.format(name)))[0])
            )
            for name in schemas
            if _SAFE.fullmatch(name)
        }
        commits, wal = (await connection.fetch(_OF_SERVER))[0]
    finally:
        await connection.close()
    return Volumes(
        logs=logs,
        topics=topics_in(Path(place.topics)) if place.topics else {},
        archive_bytes=held_bytes(Path(place.logs[0])) if place.logs else 0,
        commits=int(commits),
        wal_bytes=int(wal),
    )
