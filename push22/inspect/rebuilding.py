"""Fills the archive's index again from the logs alone."""

import asyncio
from pathlib import Path

from push22.casino import LOG_NAME
from runtime.bus_memory import MemoryBus
from runtime.log import LogUnavailable
from runtime.log_sqlite import SqliteLog
from runtime.mirror import Mirror
from runtime.mirror_mark import is_mirrored
from runtime.projection import Feed, Projector
from runtime.sqlite_file import SqliteFile
from services.archive import PROJECTIONS


def rebuild_index(data: Path) -> None:
    """Drop the index and fold it again; the casino must be stopped.

    The old index stays where a record stops the work. Raises a LogError that names
    the file, or Undecodable that names the record.
    """
    path = data / LOG_NAME
    if not path.is_file():
        # Opening would make one.
        raise LogUnavailable(f"there is no log at {path}")
    file = SqliteFile.open(path)
    try:
        fill_index(file)
    finally:
        file.close()


def fill_index(file: SqliteFile) -> None:
    """Fold the index of an open file from its first record on, in one transaction."""
    asyncio.run(_fill(file))


async def _fill(file: SqliteFile) -> None:
    feed = Mirror(file) if is_mirrored(file) else _own_logs(file)
    with file.group():
        for projection in PROJECTIONS:
            projector = Projector(projection, file, feed)
            projector.rebuild()
            while await projector.cycle():
                pass


def _own_logs(file: SqliteFile) -> Feed:
    bus = MemoryBus()
    sources = dict.fromkeys(name for item in PROJECTIONS for name in item.sources)
    for source in sources:
        bus.attach(SqliteLog(file, source))
    return bus
