"""A file that is read for one question: whoever writes it is not in the way."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from runtime.log import LogError
from runtime.sqlite_file import SqliteFile
from services.gateway.ports import NotAvailable


@contextmanager
def reading(path: Path, what: str) -> Iterator[SqliteFile]:
    """Open a file to read. Raises NotAvailable, whatever the file has against it."""
    try:
        file = SqliteFile.open(path, read_only=True)
        with closing(file.connection):
            yield file
    except (LogError, sqlite3.Error) as error:
        raise NotAvailable(f"{what}: {error}") from error
