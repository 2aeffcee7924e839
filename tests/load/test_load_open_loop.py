"""A stalled casino slows no arrival, and its stall is in every time that it cost."""

import asyncio
from time import perf_counter
from typing import Any, cast

from push22.client import Problem, Refused
from push22.load.crowd import Crowd
from push22.load.found import Found
from push22.load.report import run_of
from push22.load.schedule import Mood, ticks
from push22.load.settings import Settings, Slo

RATE = 20.0
SECONDS = 2.0
STALL_S = 1.2


class FakeVisitor:
    """A player at a door that answers nothing for a while."""

    def __init__(self, door: "FakeDoor") -> None:
        self._door = door

    async def play(self, due: float, mood: Mood, found: Found, pace_s: float) -> str:
        self._door.came.append(perf_counter())
        sent = perf_counter()
        await self._door.answer()
        found.note("action", due, sent)
        return "left" if mood.leaves else "closed"

    async def settle(self) -> None:
        pass

    async def leave(self) -> None:
        pass


class FakeDoor:
    """Answers at once, but never between two times."""

    def __init__(self, stall_s: float) -> None:
        self.came: list[float] = []
        self._open_at = perf_counter() + stall_s

    async def answer(self) -> None:
        await asyncio.sleep(max(0.0, self._open_at - perf_counter()))


def settings_of(**changed: Any) -> Settings:
    usual = {"seconds": SECONDS, "arrivals": "constant", "pace_s": 0.0}
    return Settings(**{**usual, **changed})


def driven(players: int, stall_s: float) -> tuple[Found, FakeDoor]:
    async def run() -> tuple[Found, FakeDoor]:
        door = FakeDoor(stall_s)
        visitors = cast("Any", [FakeVisitor(door) for _ in range(players)])
        crowd = Crowd(visitors, settings_of())
        found = await crowd.run(1, RATE, 0.0)
        await crowd.close()
        return found, door

    return asyncio.run(run())


def test_a_stalled_casino_slows_no_arrival() -> None:
    """With players enough, as many rounds begin as are due, stall or none."""
    due = len(list(ticks(RATE, SECONDS, "1/1", ("constant", settings_of().shares))))

    found, door = driven(players=60, stall_s=STALL_S)

    assert found.due == due == len(door.came)
    assert found.dropped == 0
    begun_in_the_stall = sum(at < door._open_at for at in door.came)
    assert begun_in_the_stall > 0.8 * RATE * STALL_S


def test_what_was_due_in_a_stall_has_waited_for_it() -> None:
    """Not one slow sample, but one for each action that was due in it."""
    found, _ = driven(players=60, stall_s=STALL_S)
    response = found.steps["action"].response

    waited = sum(
        item.count_added_in_this_iter_step
        for item in response.get_recorded_iterator()
        if item.value_iterated_to > 100_000
    )
    assert waited >= 0.7 * RATE * STALL_S


def test_without_a_free_player_a_tick_is_dropped_and_counted() -> None:
    """The only player is held for longer than a tick may wait."""
    found, door = driven(players=1, stall_s=1.6)

    assert found.dropped > 0
    assert found.dropped + len(door.came) == found.due
    assert run_of(found, Slo()).share < 0.95
    assert not run_of(found, Slo()).is_held


def test_times_count_from_when_a_step_was_due_and_from_when_it_was_sent() -> None:
    """The response time has the wait for a player in it; the service time has not."""
    found = Found(1.0, 1.0)
    now = perf_counter()

    found.note("action", now - 2.0, now - 0.5)
    times = found.steps["action"].times()

    assert 2000 <= times.response.p50 < 2200
    assert 500 <= times.service.p50 < 700


def test_what_fails_is_counted_by_its_reason_and_the_player_comes_again() -> None:
    """A refused bet is no reason to lose a player, nor to hide it."""

    class Refusing(FakeVisitor):
        async def play(self, *_: Any) -> str:
            raise Refused(Problem("box_taken", 409))

    async def run() -> Found:
        visitors = cast("Any", [Refusing(FakeDoor(0))])
        crowd = Crowd(visitors, settings_of(seconds=0.6))
        found = await crowd.run(1, RATE, 0.0)
        await crowd.close()
        return found

    found = asyncio.run(run())
    assert found.errors == {"box_taken": found.due}
    assert found.failed == found.due > 5
