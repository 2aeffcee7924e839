"""The lock that makes a process the only one that writes to a file.

It is on the file itself, whatever name leads there: a link or a deleted lock file
admits nobody else. It is a lock of flock, which SQLite's own locks do not meet.
"""

import errno
import fcntl
import os
from pathlib import Path
from typing import Self

from runtime.log import LogLocked, LogUnavailable, ReadOnlyLog

_held: set[tuple[int, int]] = set()
"""The files that this process has locked, by device and inode.

Closing any descriptor of a file takes away the locks that SQLite holds there for the
process: so one that is locked is never opened again only to find that out.
"""


class FileLock:
    """Close it after the database: the descriptor must outlive SQLite's locks."""

    def __init__(self, descriptor: int, identity: tuple[int, int]) -> None:
        self._descriptor = descriptor
        self._identity = identity

    @classmethod
    def of(cls, name: str) -> Self:
        """Lock a file, which is made if there is none. Raises a LogError."""
        try:
            path = Path(name)
            if path.exists() and _identity(path.stat()) in _held:
                raise LogLocked(f"this process writes to {name} already")
            descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
                raise ReadOnlyLog(f"{name} is not writable") from error
            raise LogUnavailable(f"{name}: {error}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise LogLocked(f"another process writes to {name}") from error
        identity = _identity(os.fstat(descriptor))
        _held.add(identity)
        return cls(descriptor, identity)

    def close(self) -> None:
        """Give the lock away; again, nothing happens."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            _held.discard(self._identity)
            os.close(descriptor)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
