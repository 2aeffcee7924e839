"""Where records lie in the SQLite file, and files of the first schema."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from log_backends import draft
from test_log_sqlite import append

from runtime.log import Conflict, OlderSchema, Record
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import MEMORY, SqliteFile

FIRST = Path("runtime/migrations/0001_logs.sql")


def filled(log: SqliteLog) -> list[Record]:
    """Two streams in turn, over several segments, of two rounds."""
    written: list[Record] = []
    for version in range(1, 71):
        drafts = [draft(name, version) for name in ("a-1", "b-1")]
        drafts[0] = drafts[0]._replace(round_id=f"round-{1 + version // 40}")
        written += append(log, *drafts)
    return written


@pytest.mark.parametrize("after", [0, 1, 31, 32, 33, 63, 64, 65, 69, 70, 200])
def test_a_stream_is_read_after_any_version(after: int) -> None:
    """Also where the version is the first or last of a segment."""
    log = SqliteLog(SqliteFile.open(MEMORY), "toy")
    filled(log)

    found = asyncio.run(log.read_stream("b-1", after))

    assert [record.version for record in found] == list(range(after + 1, 71))
    assert {record.stream for record in found} <= {"b-1"}


def test_a_log_that_knows_nothing_yet_finds_versions_and_rounds() -> None:
    """A second view of the file goes on where the first one stopped."""
    file = SqliteFile.open(MEMORY)
    filled(SqliteLog(file, "toy"))
    again = SqliteLog(file, "toy")
    with pytest.raises(Conflict, match="b-1 is at 70"):
        append(again, draft("b-1", 70))
    append(again, draft("a-1", 71)._replace(round_id="round-1"))

    assert [r.version for r in file.records_of_round("round-1")] == [*range(1, 40), 71]
    assert file.query(
        "SELECT DISTINCT segment FROM records WHERE stream = 'a-1' AND version > 64"
    ) == [(129,)]


def test_the_file_itself_holds_versions_unique() -> None:
    """Whoever gets around the program can't write a version twice."""
    file = SqliteFile.open(MEMORY)
    filled(SqliteLog(file, "toy"))
    again = (
        "INSERT INTO records SELECT 1000, service, part, 1000, stream, version, type,"
        " round_id, hash, body, {}, 0 FROM records"
        " WHERE stream = 'a-1' AND version = {}"
    )
    for segment, version in ((1, 7), (1000, 33)):
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            file.execute(again.format(segment, version))


def old_file(path: Path) -> list[Record]:
    """Write a file as the first schema had it, with the records of today."""
    today = SqliteFile.open(MEMORY)
    filled(SqliteLog(today, "toy"))
    records = today.records_of_log("toy", 0, 0, 1000)
    with sqlite3.connect(path) as sql:
        sql.executescript(FIRST.read_text("utf-8") + "PRAGMA user_version = 1;")
        sql.execute("INSERT INTO incarnations VALUES ('toy', 'first')")
        head = ("toy", 0, len(records) + 1, records[-1].hash, 5)
        sql.execute("INSERT INTO heads VALUES (?, ?, ?, ?, ?)", head)
        sql.executemany(
            "INSERT INTO records (service, part, offset, stream, version, type,"
            " round_id, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [record[:7] + record[8:] for record in records],
        )
        sql.execute("INSERT INTO answers VALUES ('toy', 'p', 'c1', x'01', x'02', 3)")
    return records


def test_a_file_of_the_first_schema_keeps_every_record(tmp_path: Path) -> None:
    """Opening it moves the records, byte for byte, and guards them again."""
    path = tmp_path / "log.sqlite3"
    records = old_file(path)
    with pytest.raises(OlderSchema, match="schema 1"):
        SqliteFile.open(path, read_only=True)

    file = SqliteFile.open(path)
    log = SqliteLog(file, "toy")

    assert file.records_of_log("toy", 0, 0, 1000) == records
    assert file.records_of_stream("toy", "a-1", 40) == [
        r for r in records if r.stream == "a-1" and r.version > 40
    ]
    assert file.records_of_round("round-2") == [
        r for r in records if r.round_id == "round-2"
    ]
    assert asyncio.run(log.answers([("p", "c1")])) != []
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        file.execute("DELETE FROM records")
    append(log, draft("a-1", 71))
    file.close()
