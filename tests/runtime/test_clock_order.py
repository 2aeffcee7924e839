"""Time never runs back behind the log, so nothing forgotten is taken again (H4)."""

from pathlib import Path

import pytest
from toys import SECOND, command, envelopes, memory, send, started

from runtime import clock_order
from runtime.ambient import ManualClock
from runtime.sqlite_file import SqliteFile

DAYS = 3 * 24 * 3600


async def _jumped(path: Path) -> int:
    """Let a casino answer c1, forget that answer days later, and stop."""
    clock = ManualClock()
    host = await started(SqliteFile.open(path), clock)
    await send(host, "c1", 5)
    clock.advance(seconds=DAYS)
    await send(host, "c2", 5, issued=clock.now())
    assert await host.worker("toy").log.answers([("player:local.alice", "c1")]) == []
    await host.stop()
    return clock.now()


async def test_law_3_a_clock_that_was_set_back_is_refused(tmp_path: Path) -> None:
    """Law 3, H4: the error names both times."""
    late = await _jumped(tmp_path / "log.sqlite3")
    file = SqliteFile.open(tmp_path / "log.sqlite3")
    with pytest.raises(clock_order.ClockBehind) as refused:
        await started(file, ManualClock(late - DAYS * SECOND))
    file.close()

    assert "2026-01-04 00:00:00" in str(refused.value)
    assert "2026-01-01 00:00:00" in str(refused.value)


async def test_law_3_time_stands_still_until_a_slow_clock_has_caught_up(
    tmp_path: Path,
) -> None:
    """Law 3, H4: a clock a little behind is borne, and nothing is taken twice."""
    late = await _jumped(tmp_path / "log.sqlite3")
    clock = ManualClock(late - clock_order.BEHIND_MAX_US)
    host = await started(SqliteFile.open(tmp_path / "log.sqlite3"), clock)

    assert (await send(host, "c1", 5)).reason == "command_expired"
    assert [e.recorded_at for e in await envelopes(host, "toy")][-1] == late
    clock.advance(seconds=6)
    await send(host, "c3", 5, issued=clock.now())
    assert (await envelopes(host, "toy"))[-1].recorded_at == late + SECOND
    await host.stop()


async def test_law_3_a_clock_set_back_while_it_runs_changes_nothing() -> None:
    """Law 3, H4: also a clock that goes back within the process stands still."""
    clock = ManualClock()
    host = await started(memory(), clock)
    await send(host, "c1", 5)
    early = clock.now()
    clock.advance(seconds=DAYS)
    await send(host, "c2", 5, issued=clock.now())
    clock._now = early

    assert (await host.submit(command("c1", 5))).reason == "command_expired"


async def test_law_3_what_forgets_answers_says_how_late_it_was(tmp_path: Path) -> None:
    """Law 3: a batch without a record prunes too, and is noted with it."""
    clock = ManualClock()
    host = await started(SqliteFile.open(tmp_path / "log.sqlite3"), clock)
    await send(host, "c1", 5)
    clock.advance(seconds=DAYS)
    worker = host.worker("toy")
    host.submit_nowait(b"junk")
    await worker.cycle()

    assert await worker.log.answers([("player:local.alice", "c1")]) == []
    assert await worker.log.alive_at() == clock.now()
    await host.stop()
