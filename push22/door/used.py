"""Used launch tokens and nonces in a file, so that a restart does not forget them.

Doors of one machine that share the file use each thing up once between them.
"""

import sqlite3
from pathlib import Path

from contracts.envelope import Micros
from services.gateway.once import Kind
from services.gateway.ports import NotAvailable

NAME = "gateway-used.sqlite3"

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS used (
        kind  TEXT    NOT NULL,
        name  TEXT    NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (kind, name)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS used_by_age ON used (until);
"""
_FORGET_EVERY = 256


class UsedFile:
    """Takes the place of `OnceHere`. A kill forgets nothing, a power cut the last."""

    def __init__(self, data: Path) -> None:
        self._path = data / NAME
        self._left = 0
        try:
            data.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self._path, isolation_level=None, timeout=2.0)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise self._failed(error) from error

    def take(self, kind: Kind, name: str, until: Micros, now: Micros) -> bool:
        try:
            self._forget(now)
            added = self._file.execute(
                "INSERT OR IGNORE INTO used VALUES (?, ?, ?)", (kind, name, until)
            )
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return added.rowcount == 1

    def _forget(self, now: Micros) -> None:
        """Forget what is over, now and then: it is refused for its age by now."""
        self._left -= 1
        if self._left <= 0:
            self._left = _FORGET_EVERY
            self._file.execute("DELETE FROM used WHERE until < ?", (now,))

    def close(self) -> None:
        self._file.close()

    def _failed(self, error: Exception) -> NotAvailable:
        return NotAvailable(f"{self._path}: {error}")
