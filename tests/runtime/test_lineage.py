"""Which records belong to a log that has gone on under a new name (H3)."""

from collections.abc import Sequence

import pytest
from kafka_toys import message
from log_backends import draft

from runtime.bus_kafka import KafkaBus
from runtime.kafka_records import Arrived, read
from runtime.lineage import following, is_earlier
from runtime.log import NO_HASH, Head, Position, Record, chain
from runtime.log_sqlite import SqliteLog
from runtime.mirror import Mirror
from runtime.mirror_source import SourceName
from runtime.sqlite_file import MEMORY, SqliteFile
from services.archive import chain as checking

FIRST = chain("toy", Head("one", 0, 0, NO_HASH), [draft("a-1", 1), draft("a-1", 2)], 1)


def after(records: Sequence[Record], log: str, stream: str) -> list[Record]:
    """Return a record that goes on from others in another incarnation."""
    last = records[-1]
    head = Head(log, 0, last.offset, last.hash)
    return chain("toy", head, [draft(stream, 1)], 2)


SECOND = after(FIRST, "one~2", "b-1")
BACK = after([*FIRST, *SECOND], "one", "c-1")
LATER = after(FIRST[:1], "one~2", "d-1")
"""Of a log that had lost the second record."""


def test_the_names_of_a_log_follow_one_another() -> None:
    """One and its numbers are one log; any other name is another."""
    assert following("one") == "one~2"
    assert following("one~2") == "one~3"
    assert is_earlier("one", "one~2")
    assert not is_earlier("one~2", "one")
    assert not is_earlier("two", "one~2")
    assert not is_earlier("one~x", "one~2")
    assert not is_earlier("one~\u0662", "one~2")


def faults(records: Sequence[Record], log: str) -> list[str]:
    rows = [
        checking.Row(r.offset, r.stream, r.version, r.type, r.round_id, r.hash, r.body)
        for r in records
    ]
    head = checking.Head(records[-1].offset, records[-1].hash)
    found = checking.ChainCheck(log, 0, first=1).run(rows, head)
    return [fault.text for fault in found.faults]


def test_h3_a_chain_goes_on_under_a_new_name_and_never_back() -> None:
    """`verify` takes a later name after an earlier one, as the log itself says."""
    assert faults([*FIRST, *SECOND], "one~2") == []
    assert faults([*FIRST, *SECOND], "one") == [
        "it belongs to partition 0 of log one~2"
    ]
    back = faults([*FIRST, *SECOND, *BACK], "one~2")
    assert back == ["it belongs to partition 0 of log one"]


def test_h3_a_mirror_goes_on_and_learns_the_new_name() -> None:
    """Other partitions may still be in the earlier incarnation."""
    file = SqliteFile.open(MEMORY)
    mirror = Mirror(file)
    assert mirror.offer(FIRST).stored == 2
    assert mirror.offer(SECOND).stored == 1
    other = chain("toy", Head("one", 1, 0, NO_HASH), [draft("e-1", 1)], 1)
    assert mirror.offer(other).stored == 1
    assert mirror.position("toy", 0).incarnation == "one~2"
    assert mirror.halted == {}
    assert Mirror(file).position("toy", 1).incarnation == "one~2"
    file.close()


def test_h3_a_mirror_that_holds_what_was_lost_halts() -> None:
    """The same offset under another incarnation is no repeat but another story."""
    file = SqliteFile.open(MEMORY)
    mirror = Mirror(file)
    mirror.offer(FIRST)
    assert mirror.offer(LATER).stored == 0
    assert "fork" in mirror.halted[SourceName("toy", 0)]
    file.close()


@pytest.mark.parametrize(("stands", "waiting"), [("one", 0), ("one~2", 3)])
def test_h3_a_reader_halts_until_the_new_name_is_accepted(
    stands: str, waiting: int
) -> None:
    """Its position says which incarnation it reads; earlier records are still its."""
    file = SqliteFile.open(MEMORY)
    bus = KafkaBus(SqliteLog(file, "echo"), ("toy",), 1)
    bus.begin(Position("toy", 0, stands))
    for record in (*FIRST, *SECOND):
        arrived = read(message(record), "toy")
        assert isinstance(arrived, Arrived)
        bus.offer(arrived)

    assert bus.depth == waiting
    assert bool(bus.halted) == (not waiting)
    file.close()
