"""The agenda follows from the states: rows that differ are found and mended (H10)."""

import sqlite3
from pathlib import Path

import pytest
from toys import (
    SECOND,
    TOY,
    Total,
    envelopes,
    resume_counter,
    send,
    started,
)

from contracts import catalog
from contracts.envelope import Envelope
from runtime.agenda import agenda_faults, planned
from runtime.ambient import ManualClock
from runtime.sqlite_file import SqliteFile

ROWS = "SELECT stream, decision, kind, due_at FROM agenda"
CHANGES = {
    "later": f"UPDATE agenda SET due_at = due_at + {10**12}",
    "another decision": "UPDATE agenda SET decision = decision + 1",
    "another kind": "UPDATE agenda SET kind = 'mercy'",
}


async def _open_counter(path: Path, clock: ManualClock, change: str) -> list[object]:
    """Leave a log with one open deadline, changed by hand; return its true rows."""
    host = await started(SqliteFile.open(path), clock)
    await send(host, "c1", 60)
    await host.stop()
    with sqlite3.connect(path) as sql:
        rows = sql.execute(ROWS).fetchall()
        sql.execute(change)
    return rows


@pytest.mark.parametrize("change", CHANGES)
async def test_h10_changed_rows_are_mended_at_start(
    change: str, tmp_path: Path
) -> None:
    """H10: the deadline fires at the time that its state says."""
    path, clock = tmp_path / "log.sqlite3", ManualClock()
    rows = await _open_counter(path, clock, CHANGES[change])
    host = await started(SqliteFile.open(path), clock)
    await host.settle()
    assert host.file.query(ROWS) == rows
    clock.advance(seconds=60)
    await host.settle()

    types = [e.type for e in await envelopes(host, "toy")]
    assert types == ["toy.added.v1", "toy.expired.v1"]
    assert host.file.query(ROWS) == []
    await host.stop()


async def test_h10_deleted_rows_are_back_with_the_first_input(tmp_path: Path) -> None:
    """H10: even if that input itself changes nothing of what is owed."""
    path, clock = tmp_path / "log.sqlite3", ManualClock()
    rows = await _open_counter(path, clock, "DELETE FROM agenda")
    host = await started(SqliteFile.open(path), clock)
    assert host.next_due() is None
    assert (await send(host, "c2", 0)).reason == "nothing_to_add"

    assert host.file.query(ROWS) == rows
    assert host.next_due() == clock.now() + 60 * SECOND
    await host.stop()


async def test_h10_agenda_faults_names_streams_that_owe_something_else(
    tmp_path: Path,
) -> None:
    """H10: missing rows, and rows of what is not owed, each with its stream."""
    host = await started(SqliteFile.open(tmp_path / "log.sqlite3"))
    await send(host, "c1", 60)
    await send(host, "c2", 1, counter="b")
    records = await host.worker("toy").log.read(0, 0, 10)
    rows = await host.worker("toy").log.agenda()
    await host.stop()

    def history(stream: str) -> list[Envelope]:
        return [catalog.decode_envelope(r.body) for r in records if r.stream == stream]

    streams = {"counter-a", "counter-b"}
    owed = resume_counter(Total("b", 60, 1, 60 * SECOND))
    more = planned("counter-b", owed)
    assert list(agenda_faults(TOY, streams, rows, history)) == []
    (missing,) = agenda_faults(TOY, streams, [], history)
    (extra,) = agenda_faults(TOY, streams, [*rows, *more], history)
    assert (missing.stream, missing.text[:11]) == ("counter-a", "not planned")
    assert (extra.stream, extra.text[:7]) == ("counter-b", "planned")
