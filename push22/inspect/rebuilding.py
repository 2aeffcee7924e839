"""Fills the archive's index again from the logs alone."""

import asyncio
from pathlib import Path

from push22.casino import LOG_NAME
from runtime.bus_memory import MemoryBus
from runtime.log import LogUnavailable
from runtime.log_sqlite import SqliteLog
from runtime.projection import Projector
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
        asyncio.run(_rebuild(file))
    finally:
        file.close()


async def _rebuild(file: SqliteFile) -> None:
    bus = MemoryBus()
    sources = dict.fromkeys(name for item in PROJECTIONS for name in item.sources)
    for source in sources:
        bus.attach(SqliteLog(file, source))
    with file.group():
        for projection in PROJECTIONS:
            projector = Projector(projection, file, bus)
            projector.rebuild()
            while await projector.cycle():
                pass
