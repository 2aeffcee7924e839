"""Tells a mirror from a casino's own log: neither is ever opened as the other.

A casino that wrote into a mirror would fork the logs it copies; a copy written into a
casino's log would be taken for its own history.
"""

import sqlite3
from pathlib import Path

from runtime.log import LogError
from runtime.sqlite_file import SqliteFile

_IS_MARKED = "SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'mirror')"
_HAS_LOGS = "SELECT EXISTS (SELECT 1 FROM incarnations)"


class IsMirror(LogError):
    """The file is a copy of logs that are written elsewhere."""


class IsNoMirror(LogError):
    """The file holds a casino's own logs."""


def refuse_mirror(path: Path) -> None:
    """Raise IsMirror for a file that a casino must not write to."""
    if _asked(path, _IS_MARKED):
        raise _is_mirror(path)


def refuse_mirrored(file: SqliteFile) -> None:
    """Raise IsMirror for an open file."""
    if is_mirrored(file):
        raise _is_mirror(file.path)


def is_mirrored(file: SqliteFile) -> bool:
    return bool(file.query(_IS_MARKED)[0][0])


def _is_mirror(path: object) -> IsMirror:
    return IsMirror(
        f"{path} is a mirror of logs that are written elsewhere:"
        " it can be read, not played on"
    )


def refuse_casino(path: Path) -> None:
    """Raise IsNoMirror for a file that nothing may be copied into; change nothing."""
    if _asked(path, _HAS_LOGS) and not _asked(path, _IS_MARKED):
        raise IsNoMirror(f"{path} holds a casino's own logs: mirror into another place")


def mark(file: SqliteFile) -> None:
    """Make a fresh file a mirror, for ever."""
    with file.transaction() as sql:
        if sql.execute(_IS_MARKED).fetchone()[0]:
            return
        if sql.execute(_HAS_LOGS).fetchone()[0]:
            raise IsNoMirror(f"{file.path} holds a casino's own logs")
        sql.execute("INSERT INTO meta VALUES ('mirror', 'push22')")


def _asked(path: Path, question: str) -> bool:
    """Ask a file without changing it; whoever opens it says what is wrong with it."""
    if not path.is_file():
        return False
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            return bool(connection.execute(question).fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return False
