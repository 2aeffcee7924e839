"""The checkpoints in the data file, and their copy that is lodged elsewhere.

The table is written first. The file is for somebody else to keep: one checkpoint a
line, only ever added to. After a crash it is brought up to the table.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contracts.checkpoints import Checkpoint, Statement
from runtime.log import ChainBroken
from runtime.sqlite_file import SqliteFile
from services.archive.checkpoints import decode, encode, said

LODGED_NAME = "checkpoints.jsonl"

_INSERT = (
    "INSERT INTO checkpoints (service, part, since, offset, body)"
    " VALUES (?, ?, ?, ?, ?)"
)
_LAST = """
    SELECT body FROM checkpoints c WHERE offset = (
        SELECT max(offset) FROM checkpoints
        WHERE service = c.service AND part = c.part)
"""
_TAIL_BYTES = 65536


class Store:
    """Adds to the table and to the file."""

    def __init__(self, file: SqliteFile, lodged: Path) -> None:
        self._file = file
        self._lodged = lodged

    def last(self) -> list[Statement]:
        """Return what was last said of each log. Raises ChainBroken."""
        try:
            return [said(decode(body)) for (body,) in self._file.query(_LAST)]
        except (ValueError, TypeError) as error:
            text = f"{self._file.path}: a checkpoint can't be read: {error}"
            raise ChainBroken(text) from error

    def add(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Keep new checkpoints: durable in the table, then in the file."""
        rows = []
        for checkpoint in checkpoints:
            at = said(checkpoint)
            place = (at.service, at.partition, at.since, at.offset)
            rows.append((*place, encode(checkpoint)))
        with self._file.transaction():
            self._file.executemany(_INSERT, rows)
        self._append(row[4] for row in rows)

    def bring_up(self) -> None:
        """Add to the file what a crash kept from it. Raises ChainBroken."""
        last = _mended(self._lodged)
        number = self._number_of(last) if last else 0
        after = "SELECT body FROM checkpoints WHERE number > ? ORDER BY number"
        self._append(row[0] for row in self._file.query(after, (number,)))

    def _number_of(self, line: bytes) -> int:
        query = "SELECT number FROM checkpoints WHERE body = ?"
        rows = self._file.query(query, (line,))
        if not rows:
            raise ChainBroken(
                f"{self._lodged} ends with a checkpoint that {self._file.path} has not:"
                " one of them was changed, or they don't belong together"
            )
        return int(rows[0][0])

    def _append(self, bodies: Iterable[bytes]) -> None:
        text = b"".join(body + b"\n" for body in bodies)
        if not text:
            return
        with self._lodged.open("ab") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())


def _mended(path: Path) -> bytes:
    """Return the last whole line; what a crash left of another one is cut off."""
    if not path.exists():
        return b""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL_BYTES))
        tail = file.read()
        whole = tail[: tail.rfind(b"\n") + 1]
        if len(whole) < len(tail):
            file.truncate(size - len(tail) + len(whole))
            os.fsync(file.fileno())
    return whole.rstrip(b"\n").rpartition(b"\n")[2]


def kept(file: SqliteFile) -> Iterator[bytes]:
    """Return the checkpoints of a data file as lines, as they were signed."""
    query = "SELECT body FROM checkpoints ORDER BY number"
    return (_line(row[0]) for row in file.execute(query))


def newest(file: SqliteFile) -> bytes:
    """Return the checkpoint that was signed last, without its end; or nothing."""
    rows = file.query("SELECT body FROM checkpoints ORDER BY number DESC LIMIT 1")
    body = rows[0][0] if rows else b""
    return body if isinstance(body, bytes) else b"?"


def _line(body: object) -> bytes:
    """SQLite stores any value in any column; what is no bytes is no checkpoint."""
    return body + b"\n" if isinstance(body, bytes) else b"\n"
