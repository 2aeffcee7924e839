"""What the simulation foretells of a machine: utilisation, latency, and the knee.

The processor time of a round, as measured, is dealt out over the processes that it
visits. Latency without any queue (Kafka's waits, the relay's pauses) is no processor
time: it is taken from the lowest measured rate, and everything above it is foretold.
"""

from collections.abc import Sequence

import msgspec

from push22.capacity.costs import KAFKA, POSTGRES, PROCESSES, Costs, Point
from push22.capacity.line import Line, line
from push22.capacity.simulation import Simulation, Station
from push22.capacity.workload import Play, Rounds, Step, steps_of, visits
from push22.load.settings import DRAIN_S, HOLDS_SHARE, PLAYERS, Slo

_SEED = "capacity"
_MILLI = 1000
_KNEE_STEPS = 6
_RATE_MAX = 100_000.0
_WARM_UP_S, _COUNTED_S = 5.0, 30.0


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """All processes on so many cores, as a load test has them."""

    cores: int
    pace_s: float = 0.2


class Predicted(msgspec.Struct, frozen=True, kw_only=True):
    """As a measured point; `cores` busy by process."""

    rounds_per_s: float
    action_p50_ms: float
    action_p99_ms: float
    share: float
    cores: dict[str, float]

    def is_over(self, slo: Slo) -> bool:
        return self.share < HOLDS_SHARE or self.action_p99_ms > slo.p99_ms


def predicted(costs: Costs, rate: float, machine: Machine, hop_s: float) -> Predicted:
    """Simulate one rate."""
    steps = steps_of(round(costs.actions_per_round))
    stations = stations_of(costs, steps, machine)
    simulation = Simulation(
        stations, f"{_SEED}/{rate:g}", cores=machine.cores, spread="exponential"
    )
    play = Play(steps=steps, rate=rate, pace_s=machine.pace_s, hop_s=hop_s)
    rounds = Rounds(simulation, play, since=_WARM_UP_S)
    until = _WARM_UP_S + _COUNTED_S
    rounds.arrive(until)
    simulation.run(_WARM_UP_S)
    before = {s.name: simulation.worked_s(s.name) for s in stations}
    simulation.run(until)
    after = {s.name: simulation.worked_s(s.name) for s in stations}
    _drain(simulation, rounds, until)
    times = sorted(rounds.action_s) or [0.0]
    return Predicted(
        rounds_per_s=rate,
        action_p50_ms=_MILLI * quantile(times, 0.5),
        action_p99_ms=_MILLI * quantile(times, 0.99),
        share=rounds.closed / max(1, rounds.begun),
        cores={name: (after[name] - before[name]) / _COUNTED_S for name in after},
    )


def _drain(simulation: Simulation, rounds: Rounds, since: float) -> None:
    """Let what has begun come to its end, for as long as a load test would wait."""
    for second in range(1, int(DRAIN_S) + 1):
        if rounds.closed == rounds.begun:
            return
        simulation.run(since + second)


def stations_of(
    costs: Costs, steps: tuple[Step, ...], machine: Machine
) -> tuple[Station, ...]:
    """Return every process, the load's own players among them."""
    counts = visits(steps)
    points = [(p.closed_per_s, p.cores.get(PLAYERS, 0.0)) for p in costs.points]
    players = line(points) if len(points) > 1 else Line(0.0, 0.0)
    found = {
        name: (costs.processes[name].cpu_ms_per_round, costs.processes[name].idle_cores)
        for name in PROCESSES
    }
    found[PLAYERS] = _MILLI * players.slope, players.start
    several = {KAFKA: machine.cores, POSTGRES: machine.cores}
    return tuple(
        Station(
            name=name,
            seconds=spent_ms / _MILLI / counts[name],
            servers=several.get(name, 1),
            idle=rest / several.get(name, 1),
        )
        for name, (spent_ms, rest) in found.items()
    )


def hop_of(costs: Costs, machine: Machine) -> float:
    """Return what each way through Kafka takes beyond processor time and queues."""
    lowest = min(costs.points, key=lambda point: point.rounds_per_s)
    bare = predicted(costs, lowest.closed_per_s, machine, 0.0)
    steps = steps_of(round(costs.actions_per_round))
    hops = next(step for step in steps if step.name == "action").path.count(KAFKA)
    missing_ms = lowest.action_p50_ms - bare.action_p50_ms
    return max(0.0, missing_ms / _MILLI / hops)


def compared(
    costs: Costs, machine: Machine, hop_s: float
) -> tuple[tuple[Point, Predicted], ...]:
    """Return each measured point beside what the simulation makes of its rate."""
    return tuple(
        (point, predicted(costs, point.rounds_per_s, machine, hop_s))
        for point in costs.points
    )


def knee(costs: Costs, machine: Machine, hop_s: float, slo: Slo) -> float:
    """Return the highest rate that is held: doubled until it is not, then halved in."""
    low, high = 0.0, 1.0
    while high < _RATE_MAX and not predicted(costs, high, machine, hop_s).is_over(slo):
        low, high = high, 2 * high
    for _ in range(_KNEE_STEPS):
        middle = (low + high) / 2
        if predicted(costs, middle, machine, hop_s).is_over(slo):
            high = middle
        else:
            low = middle
    return low


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that so many are not above."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
