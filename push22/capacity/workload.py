"""Rounds as the simulation knows them: which process comes after which.

Whatever a service sends goes to all who read its topic: one of them goes on with the
round, for the others it is a record like any other that nobody waits for.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial

import msgspec

from contracts.topics import PARTITIONS
from push22.capacity.costs import GATEWAY, KAFKA, LOGGED, POSTGRES, Costs
from push22.capacity.shape import readers
from push22.capacity.simulation import Simulation
from push22.load.settings import HEARER, PLAYERS
from runtime.distributed import event_topic

_TABLE, _WALLET = "table-orchestrator", "wallet"
_SHOE, _SETTLEMENT = "shoe", "settlement"


class Leg(msgspec.Struct, frozen=True):
    """One process that a step visits. `opens`: it takes a batch for that.

    `beside`: who hears of it as well, once it is done.
    """

    name: str
    opens: bool = False
    beside: tuple[str, ...] = ()


Path = tuple[Leg, ...]


class Step(msgspec.Struct, frozen=True):
    """`path`: up to what the player waits for. `rest`: before the next can come."""

    name: str
    path: Path
    rest: Path = ()


@cache
def heard(service: str) -> tuple[str, ...]:
    """Return who reads a service's events; of the gateways one is no player's."""
    found = readers()[event_topic(service).name]
    return (*found, HEARER) if GATEWAY in found else tuple(found)


def _path(*names: str, then: str = "") -> Path:
    """Lay a path through processes; `then` goes on from its last way through Kafka."""
    legs = []
    for at, name in enumerate(names):
        before, after = names[at - 1] if at else "", names[at + 1 : at + 2]
        is_read = before == KAFKA or (not before and name in LOGGED)
        is_last = KAFKA not in names[at + 1 :]
        on = {*after, then} if is_last else set(after)
        hears = heard(names[at - 2]) if (before, name) == (POSTGRES, KAFKA) else ()
        beside = tuple(who for who in hears if who not in on)
        legs.append(Leg(name, is_read or name == POSTGRES, beside))
    return tuple(legs)


_PLAYER = Leg(PLAYERS)
_ASKED = (GATEWAY, KAFKA, _TABLE, POSTGRES, KAFKA)
_TOLD = (_TABLE, POSTGRES, KAFKA, GATEWAY)
_BET = Step("bet", _path(*_ASKED, _WALLET, POSTGRES, KAFKA, *_TOLD))
_CARDS = (_SHOE, POSTGRES, KAFKA, *_TOLD)
_ACTION = Step(
    "action",
    _path(*_ASKED, GATEWAY, then=_SHOE),
    _path(*_CARDS),
)
_RAISE = Step(
    "action",
    _path(*_ASKED, GATEWAY, then=_WALLET),
    _path(_WALLET, POSTGRES, KAFKA, _TABLE, POSTGRES, KAFKA, *_CARDS),
)
_END = Step(
    "end",
    _path(_SETTLEMENT, POSTGRES, KAFKA, _WALLET, POSTGRES, KAFKA, *_TOLD),
)


def steps_of(actions: int, raises: int = 0) -> tuple[Step, ...]:
    """Return a round: a bet, so many actions, and the payments.

    Of the actions the first ones raise the stake, which the wallet is asked for.
    """
    plain = max(0, actions - raises)
    return (_BET, *([_RAISE] * (actions - plain)), *([_ACTION] * plain), _END)


def round_of(costs: Costs) -> tuple[Step, ...]:
    """Return a round as it was measured; what a wallet lays down tells of raises.

    One record is a bet's, and one is a payment's.
    """
    raises = round(costs.logs[_WALLET].records_per_round - 2)
    return steps_of(round(costs.actions_per_round), max(0, raises))


def visits(steps: tuple[Step, ...]) -> Counter[str]:
    """Count how often a round comes to each process: its cost is dealt out evenly."""
    legs = [leg for step in steps for leg in (*step.path, *step.rest)]
    return Counter(
        [PLAYERS] * (2 * len(steps))
        + [leg.name for leg in legs]
        + [name for leg in legs for name in leg.beside]
    )


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """How rounds are played: so many a second, `pace_s` between a player's actions."""

    steps: tuple[Step, ...]
    rate: float
    pace_s: float


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
        done = partial(self._heard, which, (step, steps), due)
        self._go(which[0], iter((_PLAYER, *step.path, _PLAYER)), done)

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

    def _go(self, key: int, path: Iterator[Leg], then: Callable[[], None]) -> None:
        leg = next(path, None)
        if leg is None:
            then()
            return
        on = partial(self._on, key, leg, partial(self._go, key, path, then))
        self._simulation.visit(leg.name, key, on, opens=leg.opens)

    def _on(self, key: int, leg: Leg, then: Callable[[], None]) -> None:
        for name in leg.beside:
            self._simulation.visit(name, key, _nothing)
        then()


def _nothing() -> None:
    """What follows on what nobody waits for."""
