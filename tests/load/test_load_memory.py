"""What the players' side keeps of a round: its times, and nothing that goes on."""

import asyncio
from typing import Any

import pytest

from push22.client import OperatorClient
from push22.load.crowd import Crowd
from push22.load.found import Found, Timeline
from push22.load.schedule import Mood
from push22.load.settings import Settings
from push22.load.tasks import Tasks
from push22.load.visitor import Visitor, _trusted


class Quick(Visitor):
    """A player whose rounds are over at once."""

    def __init__(self) -> None:
        super().__init__(_NOBODY, "http://127.0.0.1:1", ("p", "EUR", "t"))

    async def play(self, due: float, mood: Mood, found: Found, pace_s: float) -> str:
        del due, mood, found, pace_s
        return "closed"

    async def settle(self) -> None:
        await asyncio.sleep(0)


_NOBODY: OperatorClient = None  # type: ignore[assignment] # nobody is launched


async def test_a_round_that_is_over_leaves_two_times_and_no_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As many tasks after 40 rounds as after 20: none, while the run goes on."""
    most: list[int] = []
    begin = Tasks.begin

    def noting(tasks: Tasks, doing: Any) -> None:
        begin(tasks, doing)
        most.append(len(tasks))

    monkeypatch.setattr(Tasks, "begin", noting)
    for seconds in (0.2, 0.4):
        most.clear()
        crowd = Crowd([Quick() for _ in range(9)], Settings(seconds=seconds))
        found = await crowd.run(1, 100.0, 0.0)
        await crowd.close()

        assert found.closed == found.due > 50 * seconds
        assert max(most) < found.due
        kept: Timeline = crowd.timeline
        assert len(kept.due) == len(kept.closed) == found.due
        assert (kept.due.itemsize, kept.closed.itemsize) == (8, 8)
        assert len(crowd._after) == 0


async def test_what_is_over_is_forgotten_and_what_it_raised_is_told() -> None:
    """A bug in a round does not hide among thousands of rounds."""
    tasks = Tasks()
    for _ in range(100):
        tasks.begin(asyncio.sleep(0))
    await asyncio.sleep(0.01)
    assert len(tasks) == 0

    async def wrong() -> None:
        raise ZeroDivisionError

    tasks.begin(wrong())
    with pytest.raises(ZeroDivisionError):
        await tasks.drain(1.0)


async def test_what_takes_too_long_is_cancelled() -> None:
    """And that is no failure."""
    tasks = Tasks()
    tasks.begin(asyncio.sleep(60))

    await tasks.drain(0.01)

    assert len(tasks) == 0


async def test_who_leaves_closes_the_connection_and_all_share_the_certificates() -> (
    None
):
    """A launch anew begins with nothing of the one before."""
    visitor = Quick()
    http = visitor._http = visitor._from_its_address()

    await visitor.leave()

    assert http.is_closed
    assert visitor._http is None
    assert _trusted() is _trusted()
