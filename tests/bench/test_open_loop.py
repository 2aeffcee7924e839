"""The instrument of `make bench-kafka` sees a stall, whoever was asking meanwhile."""

import asyncio

import pytest

from bench.kafka import open_loop
from bench.kafka.open_loop import Found, OpenLoop
from contracts.envelope import Answer
from push22.casino import Casino, CasinoDoor
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.embedded import EmbeddedHost, Hearer

LOAD = 20.0
SECONDS = 2.0
STALL_S = 1.0


class Stalling:
    """A host that takes no command for a while."""

    def __init__(self, host: EmbeddedHost) -> None:
        self._host = host
        self.goes = asyncio.Event()
        self.goes.set()

    async def submit(self, body: bytes) -> Answer:
        await self.goes.wait()
        return await self._host.submit(body)

    def subscribe(self, hearer: Hearer) -> None:
        self._host.subscribe(hearer)

    async def settle(self) -> None:
        await self._host.settle()


class StallingDoor(CasinoDoor):
    """The embedded casino behind a door that stalls."""

    def __init__(self, casino: Casino) -> None:
        self.ambient = casino.ambient
        self.host = Stalling(casino.host)

    async def stall(self, *, after: float, seconds: float) -> None:
        await asyncio.sleep(after)
        self.host.goes.clear()
        await asyncio.sleep(seconds)
        self.host.goes.set()


async def run(*, stall_s: float) -> Found:
    """Play against a casino that stalls after a quarter of the time."""
    ambient = Ambient(SystemClock(), SystemEntropy(), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    running = asyncio.create_task(casino.host.run())
    door = StallingDoor(casino)
    players = OpenLoop(door)
    await players.open(int(LOAD))
    stalling = asyncio.create_task(door.stall(after=SECONDS / 4, seconds=stall_s))
    found = await players.run(LOAD, SECONDS)
    stalling.cancel()
    await casino.host.stop()
    await running
    return found


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it all happen within seconds."""
    monkeypatch.setattr(open_loop, "WARM_S", 0.0)
    monkeypatch.setattr(open_loop, "PACE_S", 0.02)
    monkeypatch.setattr(open_loop, "ROUND_S", 1.0)
    monkeypatch.setattr(open_loop, "DRAIN_S", 20.0)


def test_a_stall_is_seen_by_all_that_was_due_in_it() -> None:
    """Half of the time nothing is answered: half of what was due came late.

    Of the actions that wait at the door one a table is late in a closed loop; here
    also those that could not be sent, because nothing had been offered.
    """
    found = asyncio.run(run(stall_s=STALL_S))

    values = found.latency
    late = sum(
        item.count_added_in_this_iter_step
        for item in values.get_recorded_iterator()
        if item.value_iterated_to >= STALL_S * 0.1 * 1e6
    )
    assert found.actions == values.get_total_count()
    assert late >= 0.3 * found.actions
    assert values.get_max_value() >= STALL_S * 0.9 * 1e6


def test_every_round_that_began_is_played_to_its_end() -> None:
    """What was offered is what was closed, and each action is counted once."""
    found = asyncio.run(run(stall_s=0.0))

    assert found.unfinished == found.timed_out == found.refused == 0
    assert found.actions >= 2 * LOAD * SECONDS


def test_what_is_never_answered_counts_with_its_age(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A casino that stops for good does not look quick for it."""
    monkeypatch.setattr(open_loop, "DRAIN_S", 0.5)
    found = asyncio.run(run(stall_s=60.0))

    assert found.unfinished > 0
    assert found.latency.get_total_count() == found.actions + found.unfinished
    assert found.latency.get_max_value() >= 1e6
