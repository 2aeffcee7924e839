"""Copies the logs of a casino in PostgreSQL into a file that all commands read."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from push22.casino import KEYS_NAME, LOG_NAME, SERVICES
from push22.errors import Failure
from runtime.log_postgres import PostgresLog
from runtime.mirror import Mirror
from runtime.mirror_copy import copy
from runtime.mirror_mark import refuse_casino
from runtime.projection import Projector
from runtime.sqlite_file import SqliteFile
from services.archive import PROJECTIONS


def copied(dsn: str, directory: Path) -> dict[str, int]:
    """Copy what is new; return the number of new records by service.

    Raises LogError, and Failure for a casino's own directory.
    """
    if (directory / KEYS_NAME).exists():
        raise Failure(str(directory), "this is a casino's directory", exit_code=2)
    return asyncio.run(_copied(dsn, directory / LOG_NAME))


async def _copied(dsn: str, path: Path) -> dict[str, int]:
    refuse_casino(path)
    async with AsyncExitStack() as opened:
        # The logs first: nothing is made where there is nothing to copy.
        logs = []
        for service in SERVICES:
            log = await PostgresLog.open(dsn, service.name, connections=1)
            opened.push_async_callback(log.close)
            logs.append(log)
        path.parent.mkdir(parents=True, exist_ok=True)
        file = SqliteFile.open(path)
        opened.callback(file.close)
        copy_of_logs = Mirror(file)
        projectors = [Projector(item, file, copy_of_logs) for item in PROJECTIONS]
        return await copy(logs, copy_of_logs, projectors)
