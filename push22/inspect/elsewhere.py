"""Where a command reads: a directory, or a copy of a database made just now.

The copy is kept in the user's cache, so that the next command copies only what is new,
and a log that no longer holds what was copied is noticed.
"""

import hashlib
import os
import sys
from pathlib import Path

from push22.errors import Failure
from push22.inspect.opening import data_directory
from runtime.log import LogError

DSN = "PUSH22_DSN"


def readable(data: Path | None, dsn: str) -> Path:
    """Return the directory to read: of `--data`, or of a fresh copy of the database.

    `--dsn` goes before `--data`, both before the environment, and there PUSH22_DSN
    before PUSH22_DATA.
    """
    address = database(data, dsn)
    return _copy(address) if address else data_directory(data)


def database(data: Path | None, dsn: str) -> str:
    """Return the database that is meant, or nothing where a directory is."""
    address = dsn or ("" if data is not None else os.environ.get(DSN, ""))
    if address and not address.startswith(("postgresql://", "postgres://")):
        raise Failure("--dsn", "it begins with postgresql://", exit_code=2)
    return address


def _copy(dsn: str) -> Path:
    # The drivers take a while to load, and most commands read a file.
    from push22.inspect.copying import copied  # noqa: PLC0415
    from runtime.postgres_errors import place_of  # noqa: PLC0415

    place = place_of(dsn)
    directory = _cache() / hashlib.sha256(place.encode()).hexdigest()[:16]
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = sum(copied(dsn, directory).values())
    except LogError as error:
        raise Failure(place, f"not copied to {directory}: {error}") from error
    except OSError as error:
        reason = f"no copy of it can be kept: {error.strerror}"
        raise Failure(str(error.filename or directory), reason) from error
    sys.stderr.write(f"push22: {place}: {new:,} new records copied to {directory}\n")
    return directory


def _cache() -> Path:
    given = os.environ.get("XDG_CACHE_HOME")
    return (Path(given) if given else Path.home() / ".cache") / "push22"
