"""A casino that has played twice as many rounds holds no more of them in memory."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from house import House, house
from sizes import sizes_of, unbound_caches
from test_client_live import QUICK, at_door, player

from push22.client import Bet, Live, OperatorClient, Problem, Ready
from push22.door_bot import DoorBot, Stakes
from push22.watching import Watching
from runtime import ambient, bus_memory, deadlines, states
from runtime.remembered import Remembered
from services.gateway import feeds, tokens

ROUNDS = 40

WALLET = sys.modules["services.wallet.evolve"]
"""The package calls a function by the module's name."""

BOUNDS: tuple[tuple[Any, str, int], ...] = (
    (Remembered, "generation", 8),
    (ambient, "_UNSEALED_KEPT", 2),
    (bus_memory, "_TAIL", 16),
    (deadlines, "_HEAP_LEAST", 16),
    (states, "_KEPT", 16),
    (feeds, "KEPT", 8),
    (tokens, "_KNOWN_MAX", 4),
    (WALLET, "ROUNDS_KEPT", 4),
)
"""What is bounded by a number is flat from there on: here that comes soon."""


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name, value in BOUNDS:
        assert getattr(place, name) > value
        monkeypatch.setattr(place, name, value)


async def played(the: House, at: tuple[OperatorClient, str]) -> None:
    """Let a player come, play a round, be refused twice and go."""
    async with await player(*at) as alice, alice.live(QUICK) as live:
        name = await DoorBot(live, "t1", Stakes()).play()
        assert isinstance(await live.order(Ready(name)), Problem)
        assert isinstance(await live.order(Bet(name, 2, (1000, 1000))), Problem)
        await live.until(lambda: takes_bets(live))
    the.clock.advance(seconds=60)
    await the.settled()


def takes_bets(live: Live) -> bool:
    shown = live.tables["t1"].view.round
    return shown is not None and shown.phase == "betting"


def held(the: House, watching: Watching) -> Counter[str]:
    app: Any = the.app
    while not hasattr(app, "state"):
        app = app.app
    roots = the.casino, the.port, the.door, watching, app.state.present
    # How much a record says is not by how many rounds were played.
    return sizes_of(*roots, leaves=(bus_memory.Delivery,))


def grown(before: Counter[str], after: Counter[str]) -> dict[str, tuple[int, int]]:
    """Return what has grown by half a member a round or more."""
    return {
        name: (before[name], size)
        for name, size in after.items()
        if size - before[name] >= ROUNDS / 2
    }


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("_small")
async def test_what_the_casino_and_its_door_hold_does_not_grow_by_rounds(
    tmp_path: Path,
) -> None:
    """Sessions, commands and refusals are forgotten as rounds are."""
    async with house(tmp_path) as the, at_door(the, 10_000_000) as at:
        watching = Watching(the.casino.now)
        the.casino.host.subscribe(watching.hear)
        for _ in range(ROUNDS):
            await played(the, at)
        before, caches = held(the, watching), unbound_caches()
        for _ in range(ROUNDS):
            await played(the, at)
        after = held(the, watching)

    assert sum(watching._audit.ended.values()) == 2 * ROUNDS
    assert after["Felt._round"] > 0, "the walk has found the tables"
    assert after["MemoryBus._tails[]"] > 0, "and what was committed last"
    assert grown(before, after) == {}
    assert grown(Counter(caches), Counter(unbound_caches())) == {}


class Hoarder:
    """Keeps each in a list that a function closes over."""

    def __init__(self) -> None:
        everything: list[int] = []
        self.hear = everything.append
        self.told = lambda: everything


def test_a_list_in_a_closure_is_found() -> None:
    """What is looked for is found where it is well hidden."""
    one, other = Hoarder(), Hoarder()
    for each in range(ROUNDS):
        other.hear(each)
    del one.hear, other.hear

    Hoarder.__module__ = "push22.tests"
    [(name, found)] = grown(sizes_of([one]), sizes_of([other])).items()

    assert name.endswith("<lambda>()")
    assert found == (0, ROUNDS)
