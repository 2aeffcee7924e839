"""Rounds as the simulation knows them: which process comes after which."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from contracts.topics import PARTITIONS
from push22.capacity.costs import ARCHIVE, GATEWAY, KAFKA, POSTGRES
from push22.capacity.simulation import Simulation
from push22.load.settings import HEARER, PLAYERS

Path = tuple[str, ...]

_TABLE, _WALLET = "table-orchestrator", "wallet"
_SHOE, _SETTLEMENT, _DESK = "shoe", "settlement", "desk"
_TO_TABLE = (GATEWAY, KAFKA, _TABLE, POSTGRES, KAFKA)
_BACK = (_TABLE, POSTGRES, KAFKA, GATEWAY)


class Step(msgspec.Struct, frozen=True):
    """`path`: up to what the player waits for. `rest`: before the next can come."""

    name: str
    path: Path
    rest: Path = ()


_BET = Step("bet", (*_TO_TABLE, _WALLET, POSTGRES, KAFKA, *_BACK))
_ACTION = Step("action", (*_TO_TABLE, GATEWAY), (_SHOE, POSTGRES, KAFKA, *_BACK))
_END = Step("end", (_SETTLEMENT, POSTGRES, KAFKA, _WALLET, POSTGRES, KAFKA, *_BACK))
BESIDE: tuple[Path, ...] = ((ARCHIVE,), (HEARER,), (_DESK,), (PLAYERS,))
"""What every step sets going that nobody waits for."""


def steps_of(actions: int) -> tuple[Step, ...]:
    """Return a round: a bet, so many actions, and the payments."""
    return (_BET, *([_ACTION] * actions), _END)


def visits(steps: tuple[Step, ...]) -> Counter[str]:
    """Count how often a round comes to each process: its cost is dealt out evenly."""
    beside = [name for path in BESIDE for name in path] * len(steps)
    return Counter(beside) + Counter(
        name for step in steps for name in (*step.path, *step.rest)
    )


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """How rounds are played: `hop_s` is Kafka's time beyond its processor's."""

    steps: tuple[Step, ...]
    rate: float
    pace_s: float
    hop_s: float = 0.0


class Rounds:
    """Rounds that begin by chance, an open loop; what came of them."""

    def __init__(self, simulation: Simulation, play: Play, *, since: float) -> None:
        self._simulation = simulation
        self._play = play
        self._since = since
        self.begun = 0
        self.closed = 0
        self.action_s: list[float] = []

    def arrive(self, until: float) -> None:
        """Plan all arrivals before anything happens."""
        source, at = self._simulation.source, 0.0
        while (at := at + source.expovariate(self._play.rate)) < until:
            key, steps = source.randrange(PARTITIONS), iter(self._play.steps)
            counts = at >= self._since
            self.begun += counts
            self._simulation.at(at, partial(self._next, (key, counts), steps, at))

    def _next(self, which: tuple[int, bool], steps: Iterator[Step], due: float) -> None:
        step = next(steps, None)
        if step is None:
            self.closed += which[1]
            return
        for path in BESIDE:
            self._go(which[0], iter(path), _nothing)
        done = partial(self._heard, which, (step, steps), due)
        self._go(which[0], iter(step.path), done)

    def _heard(
        self, which: tuple[int, bool], at: tuple[Step, Iterator[Step]], due: float
    ) -> None:
        """The player has seen it; the rest goes on while the player thinks."""
        step, steps = at
        if step.name == "action" and which[1]:
            self.action_s.append(self._simulation.now - due)
        self._go(which[0], iter(step.rest), partial(self._rested, which, steps, due))

    def _rested(
        self, which: tuple[int, bool], steps: Iterator[Step], due: float
    ) -> None:
        """The next step counts from when it was due, however late it can begin."""
        due += self._play.pace_s
        at = max(due, self._simulation.now)
        self._simulation.at(at, partial(self._next, which, steps, due))

    def _go(self, key: int, path: Iterator[str], then: Callable[[], None]) -> None:
        name = next(path, None)
        if name is None:
            then()
            return
        on = partial(self._go, key, path, then)
        if name == KAFKA and self._play.hop_s:
            self._simulation.visit(name, key, partial(self._hop, on))
        else:
            self._simulation.visit(name, key, on)

    def _hop(self, on: Callable[[], None]) -> None:
        self._simulation.at(self._simulation.now + self._play.hop_s, on)


def _nothing() -> None:
    """What follows on what nobody waits for."""
