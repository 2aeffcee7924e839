"""Writes a report whole or not at all."""

import os
import tempfile
from pathlib import Path

from push22.errors import Failure


def check_writable(path: Path) -> None:
    """Say before the long work that its result could not be written."""
    if path.is_dir():
        raise Failure(str(path), "is a directory", exit_code=2)
    if not path.parent.is_dir():
        raise Failure(str(path.parent), "there is no such directory", exit_code=2)
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _unwritable(path, error) from error


def write_whole(path: Path, data: bytes) -> None:
    """Put a new file in the place of the old one at once."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        beside.unlink(missing_ok=True)


def _unwritable(path: Path, error: OSError) -> Failure:
    return Failure(str(path), f"can't be written: {error.strerror or error}")
