"""What signed a data directory's logs last: it is known where no key is any more.

Read from the data file itself, beside whoever writes to it. Nothing here is believed:
it only tells whether somebody signed before.
"""

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from contracts.envelope import Micros
from push22.checkpoints.store import LODGED_NAME, newest
from runtime.log import LogError, OlderSchema
from runtime.sqlite_file import SqliteFile
from services.archive.checkpoints import decode, said

LOG_NAME = "push22.sqlite3"


class Signature(NamedTuple):
    """The newest checkpoint: by which key, and when."""

    key_id: str
    made_at: Micros


def last_signature(data: Path) -> Signature | None:
    """Return the newest signature of a directory's logs; None: nobody signed yet.

    Raises LogError if there may be one that can't be read.
    """
    path = data / LOG_NAME
    if not path.exists() or path.stat().st_size == 0:
        return _of(_lodged(data / LODGED_NAME), data)
    try:
        with closing(SqliteFile.open(path, read_only=True)) as file:
            return _of(newest(file), data)
    except OlderSchema:
        # Before there were checkpoints, or not yet brought up: its file has them.
        return _of(_lodged(data / LODGED_NAME), data)


def _lodged(path: Path) -> bytes:
    """Return the last line of the copy to be lodged."""
    if not path.exists():
        return b""
    return path.read_bytes().rstrip(b"\n").rpartition(b"\n")[2]


def _of(line: bytes, data: Path) -> Signature | None:
    if not line:
        return None
    try:
        checkpoint = decode(line)
        return Signature(checkpoint.key_id, said(checkpoint).made_at)
    except ValueError as error:
        text = f"{data}: its newest checkpoint can't be read: {error}"
        raise LogError(text) from error
