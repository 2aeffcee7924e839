"""Files that somebody names to be judged: one that can't be read is no verdict.

It ends a command with exit code 2: 1 says that what was read is not as it should be.
"""

from pathlib import Path

from push22.errors import Failure


def given_bytes(path: Path) -> bytes:
    """Read a file that was named. Raises Failure."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> Failure:
    """Say why a file can't be read, and that nobody is accused of anything."""
    return Failure(str(path), f"{why(error)}; nothing was checked", exit_code=2)


def why(error: OSError) -> str:
    text = error.strerror or str(error)
    return f"cannot be read: {text[:1].lower()}{text[1:]}"
