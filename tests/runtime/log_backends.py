"""The two databases a log lies in, behind one face for the one suite of tests.

PostgreSQL is entered by the role of the service, with no more rights than it has.
"""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any, Protocol

import asyncpg
from postgres_cluster import Cluster, execute
from toys import ALICE

from runtime.log import Batch, Draft, Log
from runtime.log_postgres import PostgresLog
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import SqliteFile


class LogUnderTest:
    """A log, driven by tests that are not asynchronous."""

    def __init__(self, log: Log, runner: asyncio.Runner) -> None:
        self.log = log
        self.run = runner.run

    @property
    def incarnation(self) -> str:
        return self.log.incarnation

    def append(self, *drafts: Draft, now: int = 1, **more: Any) -> Any:
        return self.run(self.log.append(Batch(now, list(drafts), **more)))

    def read(self) -> Any:
        return self.run(self.log.read(0, 0, 1000))

    def ask(self, question: str, *values: Any) -> Any:
        """Call one of the log's reading methods."""
        return self.run(getattr(self.log, question)(*values))


class Backend(Protocol):
    """Where logs lie: `refusal` is raised by `execute` when a trigger says no."""

    refusal: type[Exception]
    next_offset: str
    newer_schema: str
    stop_time: str
    """Lets no head be noted alive at 1000 or later."""

    def open(self, service: str = "toy") -> LogUnderTest: ...

    def reopen(self) -> LogUnderTest:
        """Close everything and open the toy's log again, as a new process would."""

    def execute(self, sql: str) -> Any: ...

    def close(self) -> None: ...


class SqliteBackend:
    refusal: type[Exception] = sqlite3.IntegrityError
    next_offset = "offset"
    newer_schema = "PRAGMA user_version = 99"
    stop_time = (
        "CREATE TRIGGER no_later BEFORE UPDATE ON heads WHEN NEW.alive_at >= 1000"
        " BEGIN SELECT RAISE(ABORT, 'too late'); END"
    )

    def __init__(self, path: str | Path) -> None:
        self._runner = asyncio.Runner()
        self._path = path
        self.file = SqliteFile.open(path)

    def open(self, service: str = "toy") -> LogUnderTest:
        return LogUnderTest(SqliteLog(self.file, service), self._runner)

    def reopen(self) -> LogUnderTest:
        self.file.close()
        self.file = SqliteFile.open(self._path)
        return self.open()

    def execute(self, sql: str) -> Any:
        return self.file.execute(sql).fetchall()

    def close(self) -> None:
        self.file.close()
        self._runner.close()


class PostgresBackend:
    refusal: type[Exception] = asyncpg.RestrictViolationError
    next_offset = "next_offset"
    newer_schema = "INSERT INTO schema_versions VALUES (99, 'of the future')"
    stop_time = "ALTER TABLE heads ADD CONSTRAINT no_later CHECK (alive_at < 1000)"

    def __init__(self, cluster: Cluster, database: str) -> None:
        self._cluster = cluster
        self._database = database
        self._runner = asyncio.Runner()
        self._logs: list[PostgresLog] = []

    def open(self, service: str = "toy") -> LogUnderTest:
        dsn = self._cluster.dsn(self._database, f"push22_{service}")
        log = self._runner.run(PostgresLog.open(dsn, service, connections=1))
        self._logs.append(log)
        return LogUnderTest(log, self._runner)

    def reopen(self) -> LogUnderTest:
        self._close_logs()
        return self.open()

    def execute(self, sql: str) -> Any:
        """Run one statement as the superuser, in the schema of the toy."""
        dsn = self._cluster.dsn(self._database) + "&search_path=push22_toy"
        return self._runner.run(execute(dsn, sql))

    def close(self) -> None:
        self._close_logs()
        self._runner.close()

    def _close_logs(self) -> None:
        while self._logs:
            self._runner.run(self._logs.pop().close())


def draft(stream: str, version: int, round_id: str = "", pad: int = 0) -> Draft:
    data = b'{"type":"toy.added.v1","pad":"' + b"x" * pad + b'"}'
    return Draft(stream, version, "toy.added.v1", data, "c", "c", ALICE, round_id)
