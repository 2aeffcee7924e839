"""Deadlines and outages: an open decision is never lost or hurried (H10)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from toys import (
    ECHO,
    TOY,
    ambient,
    envelopes,
    memory,
    send,
    started,
)

from runtime import parked
from runtime.ambient import ManualClock
from runtime.embedded import EmbeddedHost
from runtime.service import DeadlinePassed
from runtime.sqlite_file import SqliteFile


async def test_h10_a_deadline_fires_once_at_its_time() -> None:
    """Not before, not twice, and by the clock that the host was given."""
    clock = ManualClock()
    host = await started(memory(), clock)
    await send(host, "c1", 60)
    clock.advance(seconds=59)
    await host.settle()
    assert len(await envelopes(host, "toy")) == 1
    clock.advance(seconds=1)
    await host.settle()
    await host.settle()

    expired = (await envelopes(host, "toy"))[1:]
    assert [e.type for e in expired] == ["toy.expired.v1"]
    assert expired[0].caused_by == "deadline:counter-a#1:patience"
    assert expired[0].actor.kind == "timeout"
    assert host.next_due() is None


async def test_h10_a_command_before_the_deadline_comes_first() -> None:
    """A command that waits when the deadline is due is handled before it."""
    clock = ManualClock()
    host = await started(memory(), clock)
    await send(host, "c1", 60)
    clock.advance(seconds=60)
    assert (await send(host, "c2", 1)).accepted

    types = [e.type for e in await envelopes(host, "toy")]
    assert types == ["toy.added.v1", "toy.added.v1"]


async def test_h10_a_deadline_that_changes_nothing_and_stays_open_is_a_fault() -> None:
    """It would fire for ever, so its stream is set aside; a retry fires it again."""
    quiet = replace(TOY.deciders["counter"], decide=_deaf_to_deadlines)
    clock = ManualClock()
    service = replace(TOY, deciders={"counter": quiet})
    host = EmbeddedHost(memory(), (service, ECHO), ambient(clock))
    await host.start()
    await send(host, "c1", 60)
    clock.advance(seconds=60)
    await host.settle()
    worker = host.worker("toy")
    (item,) = await worker.log.parked()
    assert (item.kind, worker.aside) == ("deadline", {"counter-a"})
    # Mended, as a new version would be.
    entry = await worker.states.load("counter-a")
    entry.decider = TOY.deciders["counter"]

    assert await parked.retry(worker, "counter-a") == (1, "")
    expired = (await envelopes(host, "toy"))[-1]
    assert expired.caused_by == "deadline:counter-a#1:patience"


def _deaf_to_deadlines(message: Any, state: Any, context: Any) -> Any:
    if isinstance(message, DeadlinePassed):
        return ()
    return TOY.deciders["counter"].decide(message, state, context)


async def test_h10_an_outage_extends_open_deadlines(tmp_path: Path) -> None:
    """The stream with an open deadline hears of it first, the others do not."""
    path, clock = tmp_path / "log.sqlite3", ManualClock()
    host = await started(SqliteFile.open(path), clock)
    await send(host, "c1", 60)
    await send(host, "c2", 1, counter="b")
    await host.stop()
    clock.advance(seconds=100)
    again = await started(SqliteFile.open(path), clock)
    await again.settle()

    events = (await envelopes(again, "toy"))[2:]
    assert [(e.stream, e.type) for e in events] == [("counter-a", "toy.extended.v1")]
    assert events[0].caused_by.startswith("outage:")
    clock.advance(seconds=60)
    await again.settle()
    assert (await envelopes(again, "toy"))[-1].type == "toy.expired.v1"
    await again.stop()
