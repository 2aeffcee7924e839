"""One suite for the log, run over SQLite, on disk and in memory, and PostgreSQL."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from log_backends import (
    Backend,
    LogUnderTest,
    PostgresBackend,
    SqliteBackend,
    draft,
)

from contracts import catalog
from runtime.log import (
    NO_HASH,
    AgendaItem,
    ChainBroken,
    Conflict,
    LogError,
    Move,
    NewerSchema,
    Parked,
    Position,
    Snapshot,
    StoredAnswer,
)
from runtime.log_sqlite import ANSWERS_KEPT_MICROS
from runtime.sqlite_file import MEMORY


@pytest.fixture(params=["file", "memory", "postgres"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    opened: Backend
    if request.param == "postgres":
        cluster = request.getfixturevalue("cluster")
        opened = PostgresBackend(cluster, request.getfixturevalue("database"))
    else:
        in_memory = request.param == "memory"
        opened = SqliteBackend(MEMORY if in_memory else tmp_path / "log.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def log(backend: Backend) -> LogUnderTest:
    return backend.open()


def test_offsets_and_versions_are_gapless_from_one(log: LogUnderTest) -> None:
    """Offsets count in the partition, versions in the stream, both from one."""
    log.append(draft("a-1", 1), draft("b-1", 1))
    log.append(draft("a-1", 2))

    found = [(r.offset, r.stream, r.version) for r in log.read()]
    assert found == [(1, "a-1", 1), (2, "b-1", 1), (3, "a-1", 2)]


def test_each_record_is_linked_to_the_one_before(log: LogUnderTest) -> None:
    """A link is SHA-256(previous || SHA-256(body)), from 32 zero bytes on."""
    written = log.append(draft("a-1", 1), draft("a-1", 2))

    link = NO_HASH
    for record in log.read():
        assert record.previous == link
        link = sha256(link + sha256(record.body).digest()).digest()
        assert record.hash == link
    assert written == log.read()
    assert log.ask("head", 0) == (2, link)


def test_an_envelope_says_where_it_stands(log: LogUnderTest) -> None:
    """The stored bytes are the envelope, with its id, place and incarnation."""
    (record,) = log.append(draft("a-1", 1, "round-t-1"), now=5)

    envelope = catalog.decode_envelope(record.body)
    assert envelope.id == "a-1@1"
    assert (envelope.log, envelope.offset) == (log.incarnation, 1)
    assert (envelope.recorded_at, envelope.round_id) == (5, "round-t-1")


@pytest.mark.parametrize("version", [1, 3])
def test_a_version_that_is_not_the_next_is_a_conflict(
    log: LogUnderTest, version: int
) -> None:
    """A repeated version and a skipped one both lose, and nothing is written."""
    log.append(draft("a-1", 1))

    with pytest.raises(Conflict):
        log.append(draft("b-1", 1), draft("a-1", version))
    assert [r.stream for r in log.read()] == ["a-1"]
    log.append(draft("a-1", 2))


def test_a_moved_position_is_a_conflict_and_takes_everything_back(
    log: LogUnderTest,
) -> None:
    """Positions are compared and set in the transaction of the records."""
    place = Position("other", 0, "x", 4, NO_HASH)
    log.append(moves=[Move(place, 0)])

    with pytest.raises(Conflict):
        log.append(draft("a-1", 1), moves=[Move(place._replace(offset=9), 3)])
    assert log.read() == []
    assert log.ask("position", "other", 0) == place


def test_everything_of_a_batch_comes_back(log: LogUnderTest) -> None:
    """Answers, agenda, snapshots and parked inputs are read as they were written."""
    answer = StoredAnswer("player:al", "c1", b"d", b"{}", 1)
    item = AgendaItem("a-1", 2, "patience", 77)
    parked = Parked("a-1", "record", "other", "why", b"body", 1)
    log.append(
        answers=[answer],
        agenda={"a-1": (item,)},
        parked=[parked],
        snapshots=[Snapshot("a-1", 3, b"{}")],
    )

    assert log.ask("answers", [("player:al", "c1")]) == [answer]
    assert log.ask("agenda") == [item]
    assert log.ask("parked") == [parked._replace(id=1)]
    assert log.ask("snapshot", "a-1") == Snapshot("a-1", 3, b"{}")


def test_h10_an_agenda_replaces_the_rows_of_its_streams_only(log: LogUnderTest) -> None:
    """A stream's deadlines are replaced whole; other streams keep theirs."""
    mine, other = AgendaItem("a-1", 1, "k", 5), AgendaItem("b-1", 1, "k", 6)
    log.append(agenda={"a-1": (mine,), "b-1": (other,)})
    log.append(agenda={"a-1": ()})

    assert log.ask("agenda") == [other]


def test_h4_answers_are_forgotten_after_48_hours(log: LogUnderTest) -> None:
    """An answer is kept 48 hours, then pruned by a later append."""
    log.append(answers=[StoredAnswer("player:al", "c1", b"d", b"{}", 1)], now=1)
    log.append(draft("a-1", 1), now=ANSWERS_KEPT_MICROS)
    assert log.ask("answers", [("player:al", "c1")]) != []

    log.append(draft("a-1", 2), now=2 * ANSWERS_KEPT_MICROS)
    assert log.ask("answers", [("player:al", "c1")]) == []


def test_h4_who_forgets_answers_notes_how_late_it_was(log: LogUnderTest) -> None:
    """Also a batch without a record, which notes no time by itself."""
    parked = Parked("a-1", "command", "", "why", b"", 1)
    log.append(parked=[parked], now=ANSWERS_KEPT_MICROS)

    assert log.ask("alive_at") == ANSWERS_KEPT_MICROS


def test_h4_no_answer_is_forgotten_without_the_note_of_the_time(
    backend: Backend, log: LogUnderTest
) -> None:
    """Both are one transaction: else a clock set back would take it again."""
    log.append(answers=[StoredAnswer("player:al", "c1", b"d", b"{}", 1)], now=1)
    backend.execute(backend.stop_time)
    parked = Parked("a-1", "command", "", "why", b"", 1)

    with pytest.raises(LogError):
        log.append(parked=[parked], now=2 * ANSWERS_KEPT_MICROS)
    assert log.ask("answers", [("player:al", "c1")]) != []


@pytest.mark.parametrize("sql", ["UPDATE records SET body = ''", "DELETE FROM records"])
def test_the_database_refuses_to_change_a_record(
    backend: Backend, log: LogUnderTest, sql: str
) -> None:
    """Law 7 is kept by triggers, not by good manners."""
    log.append(draft("a-1", 1))

    with pytest.raises(backend.refusal, match="law 7"):
        backend.execute(sql)
    assert len(log.read()) == 1


def test_services_share_a_database_and_nothing_else(
    backend: Backend, log: LogUnderTest
) -> None:
    """Each service has its own streams, offsets and incarnation."""
    other = backend.open("echo")
    log.append(draft("a-1", 1))
    other.append(draft("a-1", 1), draft("b-1", 1))

    assert [r.offset for r in log.read()] == [1]
    assert [r.offset for r in other.read()] == [1, 2]
    assert log.incarnation != other.incarnation


def test_a_stream_is_read_from_where_it_was_left(log: LogUnderTest) -> None:
    """A stream's tail has its links, though other streams lie between."""
    log.append(draft("a-1", 1), draft("b-1", 1), draft("a-1", 2))

    whole = log.read()
    assert log.ask("read_stream", "a-1", 0) == [whole[0], whole[2]]
    assert log.ask("read_stream", "a-1", 1) == [whole[2]]
    assert log.ask("stream_version", "a-1") == 2
    assert log.ask("read", 0, 1, 1) == [whole[1]]


def test_streams_follow_one_another_by_name(log: LogUnderTest) -> None:
    """Of all partitions, each once, in the order of code points: no collation's."""
    for name in ("a-10", "a-2", "a_b-1", "B-1"):
        log.append(draft(name, 1), draft(name, 2))
    found, name = list[str](), ""
    while name := log.ask("stream_after", name):
        found.append(name)
    assert found == ["B-1", "a-10", "a-2", "a_b-1"]


def test_what_was_parked_is_resolved_once(log: LogUnderTest) -> None:
    """An input that no longer waits cannot be retried or discarded again."""
    log.append(parked=[Parked("a-1", "record", "other", "why", b"body", 1)])
    log.ask("resolve_parked", 1, "discarded", "support", "a duplicate")

    assert log.ask("parked") == []
    with pytest.raises(Conflict, match="does not wait"):
        log.append(draft("a-1", 1), unparked=[1])
    assert log.read() == []


def test_the_same_undecodable_bytes_wait_once(log: LogUnderTest) -> None:
    """Anyone may write to a command topic, as often and as long as they like."""
    junk = Parked("", "undecodable", "", "why", bytes(64 * 1024), 1)
    log.append(parked=[junk])
    log.append(parked=[junk, junk._replace(body=b"else")])

    assert [item.body for item in log.ask("parked")] == [junk.body, b"else"]


def test_names_of_any_length_and_letters_come_back(log: LogUnderTest) -> None:
    """Ids of commands come from outside: they may be long, or hold a NUL."""
    odd = "\0\\0\u2660\\" + "x" * 60_000
    answer = StoredAnswer("player:al", odd, b"d", b"{}", 1)
    parked = Parked(odd, "command", "", "why \0", b"", 1)
    log.append(answers=[answer], parked=[parked])

    assert log.ask("answers", [("player:al", odd)]) == [answer]
    assert log.ask("answers", [("player:al", odd.replace("\0", "\\0"))]) == []
    assert log.ask("parked") == [parked._replace(id=1)]
    assert log.ask("stream_version", odd) == 0


def test_h10_the_time_of_life_only_grows(log: LogUnderTest) -> None:
    """Writing and saying so both show that the service runs."""
    log.append(draft("a-1", 1), now=7)
    assert log.ask("alive_at") == 7
    log.ask("note_alive", 9)
    log.ask("note_alive", 8)
    assert log.ask("alive_at") == 9


@pytest.mark.parametrize("backend", ["file", "postgres"], indirect=True)
def test_a_reopened_log_goes_on_where_it_stood(backend: Backend) -> None:
    """Records, head and incarnation outlive the process."""
    log = backend.open()
    written = log.append(draft("a-1", 1))

    reopened = backend.reopen()
    assert reopened.read() == written
    assert reopened.incarnation == log.incarnation
    reopened.append(draft("a-1", 2))


def test_a_head_that_does_not_fit_its_records_is_refused(
    backend: Backend, log: LogUnderTest
) -> None:
    """A log whose end was tampered with, or restored in part, is not written to."""
    log.append(draft("a-1", 1))
    backend.execute("UPDATE heads SET " + backend.next_offset + " = 9")

    with pytest.raises(ChainBroken, match="head is at 8"):
        backend.open()


@pytest.mark.parametrize("backend", ["file", "postgres"], indirect=True)
def test_a_newer_schema_is_refused_with_both_numbers(backend: Backend) -> None:
    """An old program does not touch the log of a newer one."""
    backend.execute(backend.newer_schema)

    with pytest.raises(NewerSchema, match=r"schema 99, this version knows \d"):
        backend.reopen()
