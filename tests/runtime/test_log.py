"""One suite for the log, run on a file and in memory."""

import asyncio
import multiprocessing
import os
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from toys import ALICE

from contracts import catalog
from runtime.log import (
    NO_HASH,
    AgendaItem,
    Batch,
    Conflict,
    Draft,
    LogLocked,
    LogUnavailable,
    Move,
    NewerSchema,
    Parked,
    Position,
    ReadOnlyLog,
    Snapshot,
    StoredAnswer,
)
from runtime.log_sqlite import ANSWERS_KEPT_MICROS, SqliteLog
from runtime.sqlite_file import MEMORY, SqliteFile


@pytest.fixture(params=["file", "memory"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteFile]:
    path = MEMORY if request.param == "memory" else tmp_path / "log.sqlite3"
    opened = SqliteFile.open(path)
    yield opened
    opened.close()


@pytest.fixture
def log(file: SqliteFile) -> SqliteLog:
    return SqliteLog(file, "toy")


def draft(stream: str, version: int, round_id: str = "", pad: int = 0) -> Draft:
    data = b'{"type":"toy.added.v1","pad":"' + b"x" * pad + b'"}'
    return Draft(stream, version, "toy.added.v1", data, "c", "c", ALICE, round_id)


def append(log: SqliteLog, *drafts: Draft, now: int = 1, **more: Any) -> Any:
    return asyncio.run(log.append(Batch(now, list(drafts), **more)))


def read(log: SqliteLog) -> Any:
    return asyncio.run(log.read(0, 0, 1000))


def test_offsets_and_versions_are_gapless_from_one(log: SqliteLog) -> None:
    """Offsets count in the partition, versions in the stream, both from one."""
    append(log, draft("a-1", 1), draft("b-1", 1))
    append(log, draft("a-1", 2))

    found = [(r.offset, r.stream, r.version) for r in read(log)]
    assert found == [(1, "a-1", 1), (2, "b-1", 1), (3, "a-1", 2)]


def test_each_record_is_linked_to_the_one_before(log: SqliteLog) -> None:
    """A link is SHA-256(previous || SHA-256(body)), from 32 zero bytes on."""
    written = append(log, draft("a-1", 1), draft("a-1", 2))

    link = NO_HASH
    for record in read(log):
        assert record.previous == link
        link = sha256(link + sha256(record.body).digest()).digest()
        assert record.hash == link
    assert written == read(log)
    assert asyncio.run(log.head(0)) == (2, link)


def test_an_envelope_says_where_it_stands(log: SqliteLog) -> None:
    """The stored bytes are the envelope, with its id, place and incarnation."""
    (record,) = append(log, draft("a-1", 1, "round-t-1"), now=5)

    envelope = catalog.decode_envelope(record.body)
    assert envelope.id == "a-1@1"
    assert (envelope.log, envelope.offset) == (log.incarnation, 1)
    assert (envelope.recorded_at, envelope.round_id) == (5, "round-t-1")


@pytest.mark.parametrize("version", [1, 3])
def test_a_version_that_is_not_the_next_is_a_conflict(
    log: SqliteLog, version: int
) -> None:
    """A repeated version and a skipped one both lose, and nothing is written."""
    append(log, draft("a-1", 1))

    with pytest.raises(Conflict):
        append(log, draft("b-1", 1), draft("a-1", version))
    assert [r.stream for r in read(log)] == ["a-1"]
    append(log, draft("a-1", 2))


def test_a_moved_position_is_a_conflict_and_takes_everything_back(
    log: SqliteLog,
) -> None:
    """Positions are compared and set in the transaction of the records."""
    place = Position("other", 0, "x", 4, NO_HASH)
    append(log, moves=[Move(place, 0)])

    with pytest.raises(Conflict):
        append(log, draft("a-1", 1), moves=[Move(place._replace(offset=9), 3)])
    assert read(log) == []
    assert asyncio.run(log.position("other", 0)) == place


def test_everything_of_a_batch_comes_back(log: SqliteLog) -> None:
    """Answers, agenda, snapshots and parked inputs are read as they were written."""
    answer = StoredAnswer("player:al", "c1", b"d", b"{}", 1)
    item = AgendaItem("a-1", 2, "patience", 77)
    parked = Parked("a-1", "record", "other", "why", b"body", 1)
    append(
        log,
        answers=[answer],
        agenda={"a-1": (item,)},
        parked=[parked],
        snapshots=[Snapshot("a-1", 3, b"{}")],
    )

    assert asyncio.run(log.answer("player:al", "c1")) == answer
    assert asyncio.run(log.agenda()) == [item]
    assert asyncio.run(log.parked()) == [parked._replace(id=1)]
    assert asyncio.run(log.snapshot("a-1")) == Snapshot("a-1", 3, b"{}")


def test_h10_an_agenda_replaces_the_rows_of_its_streams_only(log: SqliteLog) -> None:
    """A stream's deadlines are replaced whole; other streams keep theirs."""
    mine, other = AgendaItem("a-1", 1, "k", 5), AgendaItem("b-1", 1, "k", 6)
    append(log, agenda={"a-1": (mine,), "b-1": (other,)})
    append(log, agenda={"a-1": ()})

    assert asyncio.run(log.agenda()) == [other]


def test_h4_answers_are_forgotten_after_48_hours(log: SqliteLog) -> None:
    """An answer is kept 48 hours, then pruned by a later append."""
    append(log, answers=[StoredAnswer("player:al", "c1", b"d", b"{}", 1)], now=1)
    append(log, draft("a-1", 1), now=ANSWERS_KEPT_MICROS)
    assert asyncio.run(log.answer("player:al", "c1")) is not None

    append(log, draft("a-1", 2), now=2 * ANSWERS_KEPT_MICROS)
    assert asyncio.run(log.answer("player:al", "c1")) is None


@pytest.mark.parametrize("sql", ["UPDATE records SET body = ''", "DELETE FROM records"])
def test_the_database_refuses_to_change_a_record(file: SqliteFile, sql: str) -> None:
    """Law 7 is kept by triggers, not by good manners."""
    log = SqliteLog(file, "toy")
    append(log, draft("a-1", 1))

    with pytest.raises(sqlite3.IntegrityError, match="law 7"):
        file.execute(sql)
    assert len(read(log)) == 1


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


def test_a_reopened_log_goes_on_where_it_stood(tmp_path: Path) -> None:
    """Records, head and incarnation outlive the process."""
    path = tmp_path / "log.sqlite3"
    first = SqliteFile.open(path)
    log = SqliteLog(first, "toy")
    written = append(log, draft("a-1", 1))
    first.close()

    again = SqliteFile.open(path)
    reopened = SqliteLog(again, "toy")
    assert read(reopened) == written
    assert reopened.incarnation == log.incarnation
    append(reopened, draft("a-1", 2))
    again.close()


def test_a_newer_schema_is_refused_with_both_numbers(tmp_path: Path) -> None:
    """An old program does not touch the file of a newer one, not even to read."""
    path = tmp_path / "log.sqlite3"
    file = SqliteFile.open(path)
    file.execute("PRAGMA user_version = 99")
    file.close()

    for read_only in (False, True):
        with pytest.raises(NewerSchema, match=r"schema 99, this version knows 2"):
            SqliteFile.open(path, read_only=read_only)


def test_a_second_writer_is_refused_but_a_reader_is_not(tmp_path: Path) -> None:
    """The lock names the file; reading goes on beside the writer."""
    path = tmp_path / "log.sqlite3"
    file = SqliteFile.open(path)
    append(SqliteLog(file, "toy"), draft("a-1", 1))

    with pytest.raises(LogLocked, match=r"log\.sqlite3"):
        SqliteFile.open(path)
    reader = SqliteFile.open(path, read_only=True)
    assert len(reader.all_records("toy", 0, 10)) == 1
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
