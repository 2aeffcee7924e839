"""What a state owes is done after its commit, one by one, and again after a crash."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from contracts import catalog
from contracts import wallet_calls as c
from contracts.envelope import Answer
from push22.casino import SERVICES, Casino
from push22.follower import PLATFORM, Follower
from runtime.agenda import is_effect
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.effects import PAUSE_US, Attempt
from runtime.embedded import EmbeddedHost
from runtime.gauges import OwedCalls
from runtime.sqlite_file import SqliteFile

ALICE = "acme.alice"
STREAM = "wallet-acme.alice.EUR"


class Edge:
    """Stands in for an operator: notes what it is asked, answers when it is told."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, bool]] = []
        self.outcomes: list[c.CallOutcome] = []
        self.fault: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.under_way = 0
        self.most = 0

    async def perform(self, attempt: Attempt) -> c.RecordCall:
        owed = attempt.request
        player = attempt.stream.removeprefix("wallet-").rpartition(".")[0]
        self.asked.append((player, owed.attempts + 1, attempt.was_tried))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self.gate.wait()
            await asyncio.sleep(0)
        finally:
            self.under_way -= 1
        if self.fault is not None:
            raise self.fault
        outcome = self.outcomes.pop(0) if self.outcomes else c.CallOutcome.DONE
        return c.RecordCall(
            player, "EUR", owed.call.id, owed.attempts + 1, outcome, session="s-1"
        )


class Place:
    """A casino over one file, with an edge that can be watched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = ManualClock()
        self.ambient = Ambient(self.clock, SeededEntropy(1), KeyRing.in_memory())

    async def open(self, edge: Edge) -> None:
        file = SqliteFile.open(self.folder / "push22.sqlite3")
        self.casino = Casino.__new__(Casino)
        self.casino.ambient = self.ambient
        self.casino.host = EmbeddedHost(file, SERVICES, self.ambient)
        self.host = self.casino.host
        self.host.perform_by("wallet", edge.perform)
        self.follower = Follower(self.casino)
        await self.host.start()

    async def enter(self, player: str = ALICE) -> Answer:
        return await self.follower.send(c.OpenSession(player, "EUR", "once"), PLATFORM)

    async def pass_through(self) -> None:
        """Let tasks and steps take turns until nothing moves."""
        for _ in range(20):
            await self.host.settle()
            await asyncio.sleep(0)

    async def crash(self, edge: Edge) -> None:
        for runner in self.host.runners:
            await runner.stop()
        self.host.file.close()
        await self.open(edge)

    async def session(self, player: str = ALICE) -> str:
        state = await self.host.state("wallet", f"wallet-{player}.EUR")
        return state.operator.session


def pending(place: Place) -> float:
    """Return what Prometheus is told of calls that are owed."""
    [family] = OwedCalls(place.host.worker("wallet").deadlines).collect()
    assert family.name == "push22_wallet_pending"
    return family.samples[0].value


async def test_what_is_owed_is_done_and_recorded(tmp_path: Path) -> None:
    """The result is an event of the wallet; then nothing is owed any more."""
    place, edge = Place(tmp_path), Edge()
    await place.open(edge)
    await place.enter()
    await place.pass_through()

    assert edge.asked == [(ALICE, 1, False)]
    assert await place.session() == "s-1"
    assert await place.host.worker("wallet").log.agenda() == []
    await place.host.stop()


async def test_h10_a_crash_under_way_does_it_again_and_says_so(tmp_path: Path) -> None:
    """The same attempt, and whoever decides knows that it may be the second one."""
    place, edge = Place(tmp_path), Edge()
    await place.open(edge)
    edge.gate.clear()
    await place.enter()
    await place.pass_through()
    assert pending(place) == 1
    edge.gate.set()
    await place.crash(edge)
    await place.pass_through()
    assert pending(place) == 0

    assert edge.asked == [(ALICE, 1, False), (ALICE, 1, True)]
    assert await place.session() == "s-1"
    await place.host.stop()


async def test_an_attempt_that_failed_comes_again_when_it_is_due(
    tmp_path: Path,
) -> None:
    """Not before; the agenda says when, and the host wakes for it."""
    place, edge = Place(tmp_path), Edge()
    edge.outcomes = [c.CallOutcome.UNCERTAIN]
    await place.open(edge)
    await place.enter()
    await place.pass_through()
    (item,) = await place.host.worker("wallet").log.agenda()

    assert is_effect(item)
    assert place.host.next_due() == item.due_at > place.clock.now()
    assert len(edge.asked) == 1
    place.clock.advance_to(item.due_at)
    await place.pass_through()
    assert [attempt for _, attempt, _ in edge.asked] == [1, 2]
    await place.host.stop()


async def test_players_are_served_side_by_side_up_to_the_bound(tmp_path: Path) -> None:
    """One call a player at a time, a bounded number at once."""
    place, edge = Place(tmp_path), Edge()
    await place.open(edge)
    place.host.runners[0].parallel_max = 3
    edge.gate.clear()
    players = [f"acme.p{number}" for number in range(8)]
    for name in players:
        await place.enter(name)
        await place.enter(name)
    await place.pass_through()

    assert edge.most == 3
    assert place.host.next_due() is None
    edge.gate.set()
    await place.pass_through()
    assert sorted(name for name, _, _ in edge.asked) == sorted(players * 2)
    assert edge.most == 3
    await place.host.stop()


async def test_a_fault_of_the_edge_leaves_it_owed_for_later(tmp_path: Path) -> None:
    """An error in the edge is no answer: after a rest it is tried again.

    It may have come after the request had left: then the operator was asked before.
    """
    place, edge = Place(tmp_path), Edge()
    edge.fault = RuntimeError("a bug")
    await place.open(edge)
    await place.enter()
    await place.pass_through()
    assert len(edge.asked) == 1

    edge.fault = None
    place.clock.advance(seconds=PAUSE_US / 1_000_000)
    await place.pass_through()
    assert await place.session() == "s-1"
    assert edge.asked == [(ALICE, 1, False), (ALICE, 1, True)]
    await place.host.stop()


async def test_nobody_else_may_say_what_came_of_a_call(tmp_path: Path) -> None:
    """The command that records a call is not taken from outside, whoever sends it."""
    place, edge = Place(tmp_path), Edge()
    await place.open(edge)
    edge.gate.clear()
    await place.enter()
    await place.pass_through()
    state = await place.host.state("wallet", STREAM)
    call = state.operator.calls[0].call.id
    forged = c.RecordCall(ALICE, "EUR", call, 1, c.CallOutcome.DONE, session="mine")
    answer = await place.follower.send(forged, PLATFORM)

    assert not answer.accepted
    assert "from outside" in answer.reason
    assert await place.session() == ""
    await place.host.stop()


async def test_h10_an_outage_is_told_to_clocks_only(tmp_path: Path) -> None:
    """A stream that only owes an effect has no clock to extend."""
    place, edge = Place(tmp_path), Edge()
    await place.open(edge)
    edge.gate.clear()
    await place.enter()
    await place.pass_through()
    place.clock.advance(seconds=60)
    await place.crash(Edge())
    await place.pass_through()
    log = place.host.worker("wallet").log
    causes = [
        catalog.decode_envelope(record.body).cause
        for record in await log.read(0, 0, 100)
    ]

    assert await log.parked() == []
    assert {cause.kind for cause in causes if cause} == {"command"}
    await place.host.stop()


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_own_commands_are_commands(service: Any) -> None:
    """What only the runner sends is among what the service takes."""
    assert service.own_commands <= service.commands
