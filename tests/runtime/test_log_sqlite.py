"""What only a SQLite file does: locking, refusing, filling up, being shared."""

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from log_backends import draft

from runtime.log import (
    Batch,
    Draft,
    LogLocked,
    LogUnavailable,
    NewerSchema,
    ReadOnlyLog,
)
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import MEMORY, SqliteFile


@pytest.fixture(params=["file", "memory"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteFile]:
    path = MEMORY if request.param == "memory" else tmp_path / "log.sqlite3"
    opened = SqliteFile.open(path)
    yield opened
    opened.close()


def append(log: SqliteLog, *drafts: Draft, now: int = 1, **more: Any) -> Any:
    return asyncio.run(log.append(Batch(now, list(drafts), **more)))


def read(log: SqliteLog) -> Any:
    return asyncio.run(log.read(0, 0, 1000))


def test_services_share_a_file_and_nothing_else(file: SqliteFile) -> None:
    """Each service has its own offsets; a round is found over all of them."""
    one, two = SqliteLog(file, "toy"), SqliteLog(file, "echo")
    append(one, draft("a-1", 1, "round-t-1"))
    append(two, draft("a-1", 1, "round-t-1"), draft("b-1", 1))

    assert [r.offset for r in read(two)] == [1, 2]
    assert file.services() == ["echo", "toy"]
    found = [r.service for r in file.records_of_round("round-t-1")]
    assert found == ["toy", "echo"]


def test_a_full_disk_is_named_and_leaves_nothing_half_written(
    file: SqliteFile,
) -> None:
    """An append that does not fit is rolled back; the log goes on when it fits."""
    log = SqliteLog(file, "toy")
    append(log, draft("a-1", 1))
    (pages,) = file.execute("PRAGMA page_count").fetchone()
    file.execute(f"PRAGMA max_page_count = {pages + 2}")

    with pytest.raises(LogUnavailable, match="full"):
        append(log, draft("b-1", 1), draft("a-1", 2, pad=100_000))
    assert [r.stream for r in read(log)] == ["a-1"]
    file.execute("PRAGMA max_page_count = 100000")
    append(log, draft("b-1", 1), draft("a-1", 2))


def test_a_newer_schema_is_refused_with_both_numbers(tmp_path: Path) -> None:
    """An old program does not touch the file of a newer one, not even to read."""
    path = tmp_path / "log.sqlite3"
    file = SqliteFile.open(path)
    file.execute("PRAGMA user_version = 99")
    file.close()

    for read_only in (False, True):
        with pytest.raises(NewerSchema, match=r"schema 99, this version knows 3"):
            SqliteFile.open(path, read_only=read_only)


def test_a_second_writer_is_refused_but_a_reader_is_not(tmp_path: Path) -> None:
    """The lock names the file; reading goes on beside the writer."""
    path = tmp_path / "log.sqlite3"
    file = SqliteFile.open(path)
    append(SqliteLog(file, "toy"), draft("a-1", 1))

    with pytest.raises(LogLocked, match=r"log\.sqlite3"):
        SqliteFile.open(path)
    reader = SqliteFile.open(path, read_only=True)
    assert len(reader.records_of_log("toy", 0, 0, 10)) == 1
    reader.close()
    file.close()
    SqliteFile.open(path).close()


def _open_as_nobody(path: str, answer: Any) -> None:
    if os.getuid() == 0:
        os.setuid(65534)
    answer.put(_refused_by(lambda: SqliteFile.open(path)))


def _refused_by(open_it: Callable[[], SqliteFile]) -> str:
    try:
        open_it().close()
    except ReadOnlyLog as error:
        return str(error)
    return "opened"


def test_a_read_only_directory_is_named() -> None:
    """Where nothing can be written, the refusal says which directory."""
    folder = Path("/tmp") / f"push22-read-only-{os.getpid()}"
    folder.mkdir(mode=0o555)
    try:
        context = multiprocessing.get_context("spawn")
        answer: Any = context.SimpleQueue()
        args = (str(folder / "log.sqlite3"), answer)
        child = context.Process(target=_open_as_nobody, args=args)
        child.start()
        child.join(30)
        assert not answer.empty()
        assert str(folder) in answer.get()
    finally:
        folder.rmdir()
