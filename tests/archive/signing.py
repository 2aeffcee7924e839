"""A casino's data with checkpoints, as its host would have made them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from push22.casino import LOG_NAME
from push22.checkpoints.keys import SigningKeys
from push22.checkpoints.maker import Maker
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from push22.inspect.verify import Verdict
from push22.inspect.witness import lines_in, witness_of
from runtime.ambient import ManualClock
from runtime.sqlite_file import SqliteFile

LENGTH = 64
"""So many records a stretch, so that a small log has several."""

_HEAD = "UPDATE heads SET offset = ?, hash = ? WHERE service = ?"


def sign_all(data: Path, clock: ManualClock | None = None) -> None:
    """Sign everything that the logs of a data directory hold."""
    with closing(SqliteFile.open(data / LOG_NAME)) as file:
        keys = SigningKeys(data)
        maker = Maker(file, data, keys, clock or ManualClock(), length=LENGTH)
        maker.start()
        maker.close()


def verified(data: Path, lodged: Path | None = None) -> Verdict:
    lines = None if lodged is None else lines_in(lodged)
    reader = Reader.open(data)
    try:
        return verify_all(reader, lambda _: None, witness_of(reader, lines))
    finally:
        reader.close()


def kinds(found: Verdict) -> set[str]:
    """Return the kinds of all that is wrong with logs and checkpoints."""
    of_logs = {fault.kind for log in found.logs for fault in log.faults}
    return of_logs | {fault.kind for fault in found.checkpoints}


def cut(file: sqlite3.Connection, service: str, keep: int) -> None:
    """Cut a log's tail off, with its head and what all its readers remember."""
    values = (service, keep)
    file.execute("DELETE FROM records WHERE service = ? AND offset > ?", values)
    query = "SELECT hash FROM records WHERE service = ? AND offset = ?"
    (link,) = file.execute(query, values).fetchone()
    file.execute(_HEAD, (keep + 1, link, service))
    file.execute(
        "UPDATE positions SET offset = min(offset, ?),"
        " hash = CASE WHEN offset > ? THEN ? ELSE hash END WHERE source = ?",
        (keep, keep, link, service),
    )
