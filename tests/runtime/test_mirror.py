"""What a mirror takes in of toy logs, what it refuses, and how much it holds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from log_backends import draft

from contracts.envelope import Cause
from runtime.log import (
    NO_HASH,
    Batch,
    Draft,
    Head,
    LogUnavailable,
    Position,
    Record,
    chain,
)
from runtime.log_sqlite import SqliteLog
from runtime.mirror import Mirror
from runtime.mirror_copy import copy
from runtime.mirror_mark import IsMirror, IsNoMirror, refuse_casino, refuse_mirror
from runtime.mirror_source import SourceName
from runtime.sqlite_file import MEMORY, SqliteFile

TOY, ECHO = SourceName("toy", 0), SourceName("echo", 3)


def records(source: SourceName, *drafts: Draft, log: str = "one") -> list[Record]:
    return chain(source.service, Head(log, source.partition, 0, NO_HASH), drafts, 1)


def counted(count: int) -> list[Record]:
    """Return records of toys; each is the first of its stream."""
    return records(TOY, *[draft(f"toy-{n}", 1) for n in range(count)])


def echoes(count: int) -> list[Record]:
    """Return what the echo made of each toy's first record."""
    return records(
        ECHO,
        *[
            draft(f"echo-{n}", 1)._replace(cause=Cause("event", f"toy-{n}@1", 1))
            for n in range(count)
        ],
    )


@pytest.fixture
def file() -> Iterator[SqliteFile]:
    opened = SqliteFile.open(MEMORY)
    yield opened
    opened.close()


def stored(file: SqliteFile) -> list[str]:
    """Return the streams of all records in the order of their places."""
    return [name for (name,) in file.query("SELECT stream FROM records ORDER BY place")]


def test_an_effect_waits_for_its_cause(file: SqliteFile) -> None:
    """What came too early is placed right behind what it answers."""
    mirror = Mirror(file)

    assert mirror.offer(echoes(2)).stored == 0
    assert mirror.waiting == {ECHO: "toy-0@1"}
    assert mirror.offer(counted(2)).stored == 4
    assert mirror.waiting == {}

    assert sorted(stored(file)) == ["echo-0", "echo-1", "toy-0", "toy-1"]
    for number in range(2):
        order = stored(file)
        assert order.index(f"toy-{number}") < order.index(f"echo-{number}")


def test_the_events_of_an_input_stay_behind_its_first(file: SqliteFile) -> None:
    """An event without a cause of its own waits with the one that has it."""
    first = draft("echo-0", 1)._replace(cause=Cause("event", "toy-0@1", 1))
    mirror = Mirror(file)

    mirror.offer(records(ECHO, first, draft("echo-0", 2), draft("echo-9", 1)))
    mirror.offer(counted(1))

    assert stored(file) == ["toy-0", "echo-0", "echo-0", "echo-9"]


def test_repeats_are_dropped_and_a_gap_asks_again(file: SqliteFile) -> None:
    """Nothing is taken from behind a gap; it says after which offset to read."""
    mirror, all_ = Mirror(file), counted(6)

    assert mirror.offer([*all_[:2], *all_[:2]]) == (2, {})
    assert mirror.offer(all_[3:]) == (0, {TOY: 2})
    assert mirror.offer([all_[4], all_[2]]) == (1, {TOY: 3})
    assert mirror.position("toy", 0) == Position("toy", 0, "one", 3, all_[2].hash)
    assert mirror.offer(all_) == (3, {})
    assert file.records_of_log("toy", 0, 0, 10) == all_


def test_another_history_halts_its_source_only(file: SqliteFile) -> None:
    """A fork and another incarnation are named; other sources go on."""
    mirror = Mirror(file)
    mirror.offer(counted(2))
    forked = records(TOY, draft("toy-0", 1), draft("other", 1), draft("more", 1))
    foreign = records(SourceName("toy", 1), draft("toy-7", 1), log="two")

    mirror.offer([*forked, *foreign, *echoes(1)])

    assert mirror.halted[TOY].startswith("toy/0 offset 2, other@1: fork: ")
    halted = mirror.halted[SourceName("toy", 1)]
    assert halted == "toy/1 offset 1, toy-7@1: it is of log two, not one"
    assert mirror.offer(counted(9)[2:]).stored == 0
    assert mirror.wanted("toy", 0) == (2, 0)
    assert stored(file) == ["toy-0", "toy-1", "echo-0"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"body": b'{"id"'}, "it is no record"),
        ({"hash": bytes(32)}, "chain: its bytes are not those"),
        ({"stream": "toy-9"}, "it calls itself toy-0@1"),
        ({"round_id": "round-t1-1"}, "it calls itself toy-0@1"),
        ({"version": 2}, "it calls itself toy-0@1"),
    ],
)
def test_a_record_must_be_what_it_is_said_to_be(
    change: dict[str, object], says: str, file: SqliteFile
) -> None:
    """Bytes, link and index must agree before anything is stored."""
    (record,) = counted(1)
    mirror = Mirror(file)

    mirror.offer([record._replace(**change)])  # type: ignore[arg-type]

    assert says in mirror.halted[TOY]
    assert stored(file) == []


def test_a_stream_has_no_holes_and_one_partition(file: SqliteFile) -> None:
    """A version that does not go on halts its source, whatever the chain says."""
    mirror = Mirror(file)

    mirror.offer(records(TOY, draft("toy-0", 1), draft("toy-0", 3), draft("toy-1", 1)))

    assert mirror.halted == {TOY: "toy/0 offset 2, toy-0@3: the stream is at 1"}
    assert stored(file) == ["toy-0"]


def test_a_cause_that_names_no_record_halts_its_source(file: SqliteFile) -> None:
    """Nobody writes such a record; waiting for it would never end."""
    odd = draft("echo-0", 1)._replace(cause=Cause("event", "toy-0", 1))
    mirror = Mirror(file)

    mirror.offer(records(ECHO, odd))

    assert "which names no record" in mirror.halted[ECHO]


def test_held_records_are_bounded(
    file: SqliteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not fit is read again once there is room; nothing else is lost."""
    monkeypatch.setattr("runtime.mirror_source.HELD_MAX", 5)
    mirror, effects = Mirror(file), echoes(12)

    assert mirror.offer(effects) == (0, {ECHO: 5})
    assert mirror.wanted("echo", 3) == (5, 0)
    for record in counted(12):
        mirror.offer([record])
    after, room = mirror.wanted("echo", 3)
    assert (after, room) == (5, 5)
    while after < len(effects):
        mirror.offer(effects[after : after + room])
        after, room = mirror.wanted("echo", 3)

    assert file.records_of_log("echo", 3, 0, 20) == effects


def test_what_was_held_is_read_again_after_a_restart(tmp_path: Path) -> None:
    """A new mirror begins at the heads, and finds the causes that are there."""
    path = tmp_path / "mirror.sqlite3"
    opened = SqliteFile.open(path)
    mirror = Mirror(opened)
    mirror.offer([*counted(1), *echoes(3)])
    assert mirror.wanted("echo", 3)[0] == 3
    opened.close()

    opened = SqliteFile.open(path)
    mirror = Mirror(opened)
    assert mirror.wanted("echo", 3)[0] == 1
    assert mirror.offer(echoes(3)[1:]).stored == 0
    assert mirror.offer(counted(3)).stored == 4
    opened.close()


def test_a_failed_transaction_leaves_nothing_and_is_read_again(
    tmp_path: Path,
) -> None:
    """On a full disk the offer is undone whole; with room again all goes on."""
    opened = SqliteFile.open(tmp_path / "mirror.sqlite3")
    mirror = Mirror(opened)
    many = records(TOY, *[draft(f"toy-{n}", 1, pad=3000) for n in range(100)])
    mirror.offer(many[:3])
    opened.execute("PRAGMA max_page_count = 80")

    with pytest.raises(LogUnavailable, match="full"):
        mirror.offer(many)
    assert mirror.position("toy", 0).offset == 3
    assert mirror.wanted("toy", 0)[0] == 3

    opened.execute("PRAGMA max_page_count = 100000")
    assert mirror.offer(many).stored == 97
    assert opened.records_of_log("toy", 0, 0, 1000) == many
    opened.close()


class EndlessLog(SqliteLog):
    """A log to which more is added each time somebody looks at it."""

    async def read(self, partition: int, after: int, limit: int) -> list[Record]:
        version = await self.stream_version("toy-0")
        await self.append(Batch(1, [draft("toy-0", version + 1)]))
        return await super().read(partition, after, limit)


async def test_a_copy_ends_while_the_log_goes_on(file: SqliteFile) -> None:
    """It is done when all is there that was there when it began."""
    source = SqliteFile.open(MEMORY)
    log = EndlessLog(source, "toy")
    await log.append(Batch(1, [draft("toy-0", 1)]))

    copied = await copy([log], Mirror(file, partitions=1))

    assert copied == {"toy": 2}
    source.close()


def test_a_casino_does_not_write_into_a_mirror(tmp_path: Path) -> None:
    """Neither by its path nor as an open log, before or after the first record."""
    path = tmp_path / "log.sqlite3"
    opened = SqliteFile.open(path)
    Mirror(opened)

    with pytest.raises(IsMirror, match="can be read, not played on"):
        refuse_mirror(path)
    with pytest.raises(IsMirror):
        SqliteLog(opened, "toy")
    refuse_casino(path)
    opened.close()


def test_nothing_is_copied_into_a_casinos_log(tmp_path: Path) -> None:
    """A file with a log of its own is left as it is."""
    path = tmp_path / "log.sqlite3"
    refuse_casino(path)
    refuse_mirror(path)
    opened = SqliteFile.open(path)
    refuse_casino(path)
    SqliteLog(opened, "toy")

    with pytest.raises(IsNoMirror, match="a casino's own logs"):
        refuse_casino(path)
    with pytest.raises(IsNoMirror):
        Mirror(opened)
    refuse_mirror(path)
    SqliteLog(opened, "toy")
    opened.close()
