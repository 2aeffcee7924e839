"""One process writes to a log, whatever name it came by (law 1)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.log import LogLocked
from runtime.sqlite_file import SqliteFile

OPEN = (
    "import sys; from runtime.sqlite_file import SqliteFile;"
    " SqliteFile.open(sys.argv[1])"
)


def opened_elsewhere(path: Path) -> str:
    """Open the log in another process; return what it says on its way out."""
    words = [sys.executable, "-c", OPEN, str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stderr


def through_a_link(path: Path) -> Path:
    link = path.parent / "link.sqlite3"
    link.symlink_to(path)
    return link


def through_a_hard_link(path: Path) -> Path:
    link = path.parent / "other.sqlite3"
    os.link(path, link)
    return link


def with_lock_files_deleted(path: Path) -> Path:
    for beside in path.parent.glob("*.lock"):
        beside.unlink()
    return path


WAYS = [through_a_link, through_a_hard_link, with_lock_files_deleted]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_no_other_name_admits_a_second_writer(way: object, tmp_path: Path) -> None:
    """Law 1: the lock is on the file, in this process and in every other one."""
    path = tmp_path / "log.sqlite3"
    file = SqliteFile.open(path)
    assert callable(way)
    other = way(path)

    assert "LogLocked" in opened_elsewhere(other)
    with pytest.raises(LogLocked):
        SqliteFile.open(other)
    assert "LogLocked" in opened_elsewhere(path)

    file.close()
    assert opened_elsewhere(path) == ""
    SqliteFile.open(path).close()


def test_a_refused_writer_leaves_the_locks_of_sqlite(tmp_path: Path) -> None:
    """Law 1: being refused takes nothing from a transaction that is under way."""
    path = tmp_path / "log.sqlite3"
    file = SqliteFile.open(path)
    with file.transaction():
        with pytest.raises(LogLocked):
            SqliteFile.open(path)
        words = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=0);"
        words += " c.execute('BEGIN IMMEDIATE')"
        asked = [sys.executable, "-c", words, str(path)]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    file.close()

    assert "database is locked" in done.stderr
