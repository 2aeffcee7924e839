"""`push22 mirror`: copy the logs from PostgreSQL into a file for all commands."""

import os
import sys
from pathlib import Path

from push22.casino import LOG_NAME
from push22.errors import Failure
from push22.inspect.copying import copied
from push22.inspect.opening import data_directory
from runtime.log import LogError


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
    try:
        new = copied(address, directory)
    except LogError as error:
        raise Failure("mirror", str(error)) from error
    for service, count in new.items():
        sys.stdout.write(f"{service}: {count:,} new records\n")
    sys.stdout.write(f"mirror: {directory / LOG_NAME}\n")
    return 0
