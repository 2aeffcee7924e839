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
    OlderSchema,
    ReadOnlyLog,
    Record,
)

MEMORY = ":memory:"

_FULL = 2
"""The value of `PRAGMA synchronous` under which a commit survives a power cut."""

SEGMENT = 32
"""So many records of a stream lie together in a segment (migration 0002)."""

_RECORD = """
    SELECT r.service, r.part, r.offset, r.stream, r.version, r.type, r.round_id,
           coalesce((SELECT p.hash FROM records p WHERE p.service = r.service
                     AND p.part = r.part AND p.offset = r.offset - 1),
                    zeroblob(32)),
           r.hash, r.body
"""
OF_STREAM = """
    FROM records s JOIN records r ON r.segment = s.place
    WHERE s.service = :service AND s.stream = :stream AND s.segment = s.place
      AND s.version > :after - 32 AND r.version > :after
    ORDER BY s.version, r.version
"""
"""A stream's records after a version, through the segments they lie in."""

OF_ROUND = """
    FROM records f JOIN records r ON r.round_at = f.place
    WHERE f.round_id = :round AND f.round_at = f.place AND r.round_at > 0
    ORDER BY r.place
"""
"""The records of a round in the order of commits."""


class GroupUndone(LogError):
    """A transaction failed, and what its group did before it was undone with it."""

    def __init__(self, failure: LogError) -> None:
        self.failure = failure
        super().__init__(str(failure))


class SqliteFile:
    """An open file; in writing mode it holds the lock that makes it the only one."""

    def __init__(
        self, connection: sqlite3.Connection, path: str, lock: IO[str] | None
    ) -> None:
        self.connection = connection
        self.path = path
        self._lock = lock
        self._is_grouping = False
        self.rollbacks = 0
        """Grows when transactions that seemed done were undone with their group."""
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
            _refuse_older(connection, name)
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
        """Take the write lock; commit at the end, or leave nothing behind.

        Within a group it becomes durable with the group. If it fails there, all of
        the group before it is undone too: GroupUndone.
        """
        is_first = not self.connection.in_transaction
        with _as_log_errors(self.path):
            if is_first:
                self.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                if not self._is_grouping:
                    self.execute("COMMIT")
            except BaseException as error:
                self._undo()
                failure = self._failure(error)
                if is_first or failure is None:
                    raise
                raise GroupUndone(failure) from error

    def _failure(self, error: BaseException) -> LogError | None:
        if isinstance(error, sqlite3.Error):
            return log_error(self.path, error)
        return error if isinstance(error, LogError) else None

    def _undo(self) -> None:
        # A full disk may have rolled back by itself.
        if self.connection.in_transaction:
            self.execute("ROLLBACK")

    @contextmanager
    def group(self) -> Iterator[None]:
        """Make all transactions within durable by one commit, or undo them all."""
        self._is_grouping = True
        try:
            with _as_log_errors(self.path):
                yield
                if self.connection.in_transaction:
                    self.execute("COMMIT")
        except BaseException:
            self.rollbacks += 1
            self._undo()
            raise
        finally:
            self._is_grouping = False

    def query(
        self, sql: str, parameters: tuple[Any, ...] | dict[str, Any] = ()
    ) -> list[Any]:
        """Run one reading statement."""
        try:
            return self.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise log_error(self.path, error) from error

    def services(self) -> list[str]:
        rows = self.query("SELECT service FROM incarnations ORDER BY service")
        return [service for (service,) in rows]

    def records_of_round(self, round_id: str) -> list[Record]:
        """Return every service's records of a round, in the order of commits."""
        rows = self.query(_RECORD + OF_ROUND, {"round": round_id})
        return [Record._make(row) for row in rows]

    def records_of_stream(self, service: str, stream: str, after: int) -> list[Record]:
        """Return a stream's records with a greater version, in order."""
        values = {"service": service, "stream": stream, "after": after}
        return [Record._make(row) for row in self.query(_RECORD + OF_STREAM, values)]

    def records_of_log(
        self, service: str, part: int, after: int, limit: int
    ) -> list[Record]:
        """Return a partition's records in offset order."""
        rows = self.query(
            f"{_RECORD} FROM records r"
            " WHERE r.service = ? AND r.part = ? AND r.offset > ?"
            " ORDER BY r.offset LIMIT ?",
            (service, part, after, limit),
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


def _refuse_older(connection: sqlite3.Connection, name: str) -> None:
    ours, theirs = _migrations()[-1][0], _schema(connection)
    if theirs < ours:
        raise OlderSchema(
            f"{name} has schema {theirs}, this version reads {ours}:"
            " start the casino on it once, or read it with the older version"
        )


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
    # Whole groups fit into the cache, and what changes often is checkpointed seldom.
    connection.execute("PRAGMA cache_size = -16384")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
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
