"""`push22 mirror`: copy the logs from PostgreSQL into a file for all commands."""

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from push22.casino import KEYS_NAME, LOG_NAME, SERVICES
from push22.errors import Failure
from push22.inspect.opening import data_directory
from runtime.log import LogError
from runtime.log_postgres import PostgresLog
from runtime.mirror import Mirror
from runtime.mirror_copy import copy
from runtime.mirror_mark import refuse_casino
from runtime.projection import Projector
from runtime.sqlite_file import SqliteFile
from services.archive import PROJECTIONS


def mirror(*, dsn: str | None = None, data: Path | None = None) -> int:
    """Copy what is new in the logs of all services, byte for byte.

    Then `rounds`, `replay`, `verify` and `audit` read the copy. It only ever grows: a
    log that is not the one that was copied before, or no longer holds what was, is
    refused. Nobody plays on a copy, and nothing is copied into a casino's directory.

    Parameters
    ----------
    dsn
        The database, as a role that may read all logs: postgresql://user@host/database;
        else $PUSH22_DSN.
    data
        The directory of the copy; else $PUSH22_DATA, else ./push22-data.

    """
    address = dsn or os.environ.get("PUSH22_DSN", "")
    if not address.startswith(("postgresql://", "postgres://")):
        raise Failure("mirror", "give --dsn or PUSH22_DSN: postgresql://...", 2)
    directory = data_directory(data)
    path = directory / LOG_NAME
    if (directory / KEYS_NAME).exists():
        raise Failure(str(directory), "this is a casino's directory", exit_code=2)
    try:
        copied = asyncio.run(_mirrored(address, path))
    except LogError as error:
        raise Failure("mirror", str(error)) from error
    for service, count in copied.items():
        sys.stdout.write(f"{service}: {count:,} new records\n")
    sys.stdout.write(f"mirror: {path}\n")
    return 0


async def _mirrored(dsn: str, path: Path) -> dict[str, int]:
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
