"""Whether each record of an export stands behind the record that it answers.

Both exporters write causes before effects, and whoever reads the logs later relies on
it. What was seen is kept in a file that has no name, so any number of streams fits.
"""

import sqlite3

from push22.backup.content import Manifest
from push22.backup.frames import Damaged
from runtime.lineage import number
from runtime.log import Record
from runtime.mirror_source import answered_by

_TABLES = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE streams (name TEXT PRIMARY KEY, version INTEGER);
    CREATE TABLE awaited (cause TEXT PRIMARY KEY, place TEXT);
"""
_SEEN = "INSERT OR REPLACE INTO streams VALUES (?, ?)"
_VERSION = "SELECT version FROM streams WHERE name = ?"
_AWAITED = "INSERT OR IGNORE INTO awaited VALUES (?, ?)"
_WHO_AWAITS = "SELECT place FROM awaited WHERE cause = ?"
_FIRST_AWAITED = "SELECT cause, place FROM awaited ORDER BY rowid LIMIT 1"


class Causes:
    """Takes each record in turn, after its chain was found whole."""

    def __init__(self, manifest: Manifest) -> None:
        self._sql = sqlite3.connect("", isolation_level=None)
        self._sql.executescript(_TABLES)
        self._may_be_lost = any(number(log.incarnation) > 1 for log in manifest.logs)
        """Records that nobody has any more were gone on without (docs/decisions/0011).

        What answered them stays, and names a cause that is nowhere."""
        self.orphans = 0
        """So many answer a record that nobody has."""

    def take(self, record: Record) -> None:
        """Raises Damaged where this record was answered before it came."""
        place = f"{record.service}/{record.partition} offset {record.offset}"
        if self.orphans:
            self._check_awaited(f"{record.stream}@{record.version}", place)
        cause = answered_by(record)
        stream, _, version = cause.rpartition("@")
        if cause and self._version(stream) < int(version):
            self._sql.execute(_AWAITED, (cause, place))
            self.orphans += 1
        self._sql.execute(_SEEN, (record.stream, record.version))

    def _version(self, stream: str) -> int:
        rows = self._sql.execute(_VERSION, (stream,)).fetchall()
        return rows[0][0] if rows else 0

    def _check_awaited(self, name: str, place: str) -> None:
        for (before,) in self._sql.execute(_WHO_AWAITS, (name,)):
            raise Damaged(f"{before} stands before its cause, {name} at {place}")

    def finish(self) -> None:
        """Raises Damaged naming the first record whose cause is nowhere."""
        rows = self._sql.execute(_FIRST_AWAITED).fetchall()
        self._sql.close()
        if rows and not self._may_be_lost:
            cause, place = rows[0]
            text = "which is nowhere: records or a whole log are missing"
            raise Damaged(f"{place} answers {cause}, {text}")
