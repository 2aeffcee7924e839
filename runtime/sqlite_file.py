"""The SQLite file that holds the logs: opening, locking, migrating, transactions.

One process writes to it. Other processes may open it to read while it runs.
"""

import errno
import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from runtime.log import (
    LogError,
    LogLocked,
    LogUnavailable,
    NewerSchema,
    NotDurable,
    ReadOnlyLog,
    Record,
)

MEMORY = ":memory:"

_FULL = 2
"""The value of `PRAGMA synchronous` under which a commit survives a power cut."""

RECORD = """
    SELECT r.service, r.part, r.offset, r.stream, r.version, r.type, r.round_id,
           coalesce((SELECT p.hash FROM records p WHERE p.service = r.service
                     AND p.part = r.part AND p.offset = r.offset - 1),
                    zeroblob(32)),
           r.hash, r.body
    FROM records r
"""


class SqliteFile:
    """An open file; in writing mode it holds the lock that makes it the only one."""

    def __init__(
        self, connection: sqlite3.Connection, path: str, lock: IO[str] | None
    ) -> None:
        self.connection = connection
        self.path = path
        self._lock = lock
        self.execute = connection.execute
        self.executemany = connection.executemany

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """Open or create the file; refuse what could lose or damage records."""
        name = str(path)
        if read_only:
            return cls._open_read_only(name)
        if name == MEMORY:
            return cls._open_writing(name, None)
        _check_writable(Path(name))
        lock = _locked(name)
        try:
            return cls._open_writing(name, lock)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _open_read_only(cls, name: str) -> Self:
        if not Path(name).is_file():
            raise LogUnavailable(f"there is no log at {name}")
        uri = f"{Path(name).resolve().as_uri()}?mode=ro"
        with _as_log_errors(name):
            connection = sqlite3.connect(uri, uri=True, isolation_level=None)
            _refuse_newer(connection, name)
        return cls(connection, name, None)

    @classmethod
    def _open_writing(cls, name: str, lock: IO[str] | None) -> Self:
        with _as_log_errors(name):
            connection = sqlite3.connect(
                name,
                isolation_level=None,
                cached_statements=256,
                check_same_thread=False,
            )
            try:
                _refuse_newer(connection, name)
                _make_durable(connection, name)
                _migrate(connection)
            except BaseException:
                connection.close()
                raise
        return cls(connection, name, lock)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Take the write lock; commit at the end, or leave nothing behind."""
        with _as_log_errors(self.path):
            self.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled back by itself.
                if self.connection.in_transaction:
                    self.execute("ROLLBACK")
                raise

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[Any]:
        """Run one reading statement."""
        with _as_log_errors(self.path):
            return self.execute(sql, parameters).fetchall()

    def services(self) -> list[str]:
        rows = self.query("SELECT service FROM incarnations ORDER BY service")
        return [service for (service,) in rows]

    def records_of_round(self, round_id: str) -> list[Record]:
        """Return every service's records of a round, in the order of commits."""
        rows = self.query(
            f"{RECORD} WHERE r.round_id = ? AND r.round_id <> '' ORDER BY r.place",
            (round_id,),
        )
        return [Record._make(row) for row in rows]

    def all_records(self, service: str, after: int, limit: int) -> list[Record]:
        """Return a service's records in offset order."""
        rows = self.query(
            f"{RECORD} WHERE r.service = ? AND r.part = 0 AND r.offset > ?"
            " ORDER BY r.offset LIMIT ?",
            (service, after, limit),
        )
        return [Record._make(row) for row in rows]

    def close(self) -> None:
        self.connection.close()
        if self._lock is not None:
            self._lock.close()


def _check_writable(path: Path) -> None:
    folder = path.resolve().parent
    if not folder.is_dir():
        raise LogUnavailable(f"there is no directory {folder}")
    if not os.access(folder, os.W_OK):
        raise ReadOnlyLog(f"the directory {folder} is not writable")
    if path.exists() and not os.access(path, os.W_OK):
        raise ReadOnlyLog(f"the file {path} is not writable")


def _locked(name: str) -> IO[str]:
    path = f"{name}.lock"
    try:
        # Held open as long as the file is: closing it gives the lock away.
        lock = Path(path).open("w", encoding="ascii")  # noqa: SIM115
    except OSError as error:
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise ReadOnlyLog(f"{path} is not writable") from error
        raise LogUnavailable(f"{path}: {error}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise LogLocked(f"another process writes to {name}") from error
    return lock


def _migrations() -> list[tuple[int, str]]:
    files = (Path(__file__).parent / "migrations").glob("*.sql")
    return sorted((int(file.name[:4]), file.read_text("utf-8")) for file in files)


def _schema(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    return version


def _refuse_newer(connection: sqlite3.Connection, name: str) -> None:
    ours, theirs = _migrations()[-1][0], _schema(connection)
    if theirs > ours:
        raise NewerSchema(f"{name} has schema {theirs}, this version knows {ours}")


def _migrate(connection: sqlite3.Connection) -> None:
    present = _schema(connection)
    for number, sql in _migrations():
        if number > present:
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;"
            )


def _make_durable(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    # INSERT OR REPLACE must not get around the triggers that keep records.
    connection.execute("PRAGMA recursive_triggers = ON")
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
    if name != MEMORY and (mode != "wal" or synchronous < _FULL):
        raise NotDurable(f"{name}: journal_mode {mode}, synchronous {synchronous}")


@contextmanager
def _as_log_errors(name: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise log_error(name, error) from error


def log_error(name: str, error: sqlite3.Error) -> LogError:
    """Name what went wrong in the words of the log."""
    if re.search("readonly|read-only", str(error)):
        return ReadOnlyLog(f"{name} is read-only")
    return LogUnavailable(f"{name}: {error}")
