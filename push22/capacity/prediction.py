"""What the simulation foretells of a machine: utilisation, latency, and the knee.

The processor time of a batch is that measured; that of a round is dealt out over the
processes that it visits. What is no processor time (Kafka's waits, the relay's pauses)
is spread as hops were measured, and its median is taken from the lowest measured rate:
everything above that is foretold.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from push22.capacity.costs import (
    ARCHIVE,
    GATEWAY,
    KAFKA,
    LOGGED,
    POSTGRES,
    PROCESSES,
    Costs,
    Point,
)
from push22.capacity.line import Line, line
from push22.capacity.simulation import Simulation, Station
from push22.capacity.waits import Waits, spread_as
from push22.capacity.workload import Play, Rounds, Step, round_of, visits
from push22.load.sampling import EVERY_S
from push22.load.settings import DRAIN_S, HEARER, HOLDS_SHARE, PLAYERS, Slo
from runtime.archive_host import PATIENCE_MS
from runtime.service_app import MEANWHILE_MS

_SEED = "capacity"
_SAMPLER = "the load's sampler"
_MILLI = 1000
_KNEE_STEPS = 6
_HOP_STEPS = 8
_BATCH_MAX = 2000
_RATE_MAX = 100_000.0
_WARM_UP_S, _COUNTED_S = 5.0, 30.0
_READERS = (*LOGGED, ARCHIVE, GATEWAY, HEARER)


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """All processes on so many cores, as a load test has them."""

    cores: int
    pace_s: float = 0.2


class Predicted(msgspec.Struct, frozen=True, kw_only=True):
    """As a measured point; `cores` busy, and batches, by process."""

    rounds_per_s: float
    action_p50_ms: float
    action_p99_ms: float
    share: float
    cores: dict[str, float]
    batches_per_s: dict[str, float]

    def is_over(self, slo: Slo) -> bool:
        return self.share < HOLDS_SHARE or self.action_p99_ms > slo.p99_ms


def predicted(costs: Costs, rate: float, machine: Machine, hop_s: float) -> Predicted:
    """Simulate one rate; half of all ways through Kafka take no longer than `hop_s`."""
    steps = round_of(costs)
    stations = stations_of(costs, steps, machine, hop_s)
    simulation = Simulation(
        stations, f"{_SEED}/{rate:g}", cores=machine.cores, spread="exponential"
    )
    play = Play(steps=steps, rate=rate, pace_s=machine.pace_s)
    rounds = Rounds(simulation, play, since=_WARM_UP_S)
    until = _WARM_UP_S + _COUNTED_S
    rounds.arrive(until)
    simulation.run(_WARM_UP_S)
    before = _used(simulation, stations)
    simulation.run(until)
    after = _used(simulation, stations)
    _drain(simulation, rounds, until)
    times = sorted(rounds.action_s) or [0.0]
    found = {
        name: tuple(
            (b - a) / _COUNTED_S for a, b in zip(before[name], now, strict=True)
        )
        for name, now in after.items()
    }
    cores = {name: each for name, (each, _) in found.items()}
    # A report counts the sampler with the players: both are the load's.
    cores[PLAYERS] += cores.pop(_SAMPLER)
    return Predicted(
        rounds_per_s=rate,
        action_p50_ms=_MILLI * quantile(times, 0.5),
        action_p99_ms=_MILLI * quantile(times, 0.99),
        share=rounds.closed / max(1, rounds.begun),
        cores=cores,
        batches_per_s={
            name: found[name][1] + costs.processes[name].idle_batches_per_s
            for name in PROCESSES
        },
    )


def _used(
    simulation: Simulation, stations: Sequence[Station]
) -> dict[str, tuple[float, float]]:
    return {
        s.name: (simulation.worked_s(s.name), simulation.batches(s.name))
        for s in stations
    }


def _drain(simulation: Simulation, rounds: Rounds, since: float) -> None:
    """Let what has begun come to its end, for as long as a load test would wait."""
    for second in range(1, int(DRAIN_S) + 1):
        if rounds.closed == rounds.begun:
            return
        simulation.run(since + second)


def stations_of(
    costs: Costs, steps: tuple[Step, ...], machine: Machine, hop_s: float
) -> tuple[Station, ...]:
    """Return every process, the load's own players among them."""
    counts = visits(steps)
    return (
        *(_process(name, costs, counts[name]) for name in _READERS),
        replace(
            _server(KAFKA, costs, counts[KAFKA], machine), after=_hops(costs, hop_s)
        ),
        _server(POSTGRES, costs, counts[POSTGRES], machine),
        *_players(costs, counts[PLAYERS]),
    )


def _hops(costs: Costs, median_s: float) -> Waits | None:
    """Spread a median as the measured hops are spread, if they are known."""
    if not median_s:
        return None
    shape = spread_as([(hop.share, hop.up_to_ms) for hop in costs.hops])
    return replace(shape, times=shape.times * median_s)


def _server(name: str, costs: Costs, visited: int, machine: Machine) -> Station:
    """As many at once as there are cores; each request by itself."""
    cost = costs.processes[name]
    return Station(
        name=name,
        seconds=cost.cpu_ms_per_round / _MILLI / visited,
        batch_seconds=cost.cpu_ms_per_batch / _MILLI,
        servers=machine.cores,
        idle=cost.idle_cores / machine.cores,
        merges=False,
    )


def _process(name: str, costs: Costs, visited: int) -> Station:
    """The archive waits for a good deal at once."""
    cost = costs.processes[name]
    return Station(
        name=name,
        seconds=cost.cpu_ms_per_round / _MILLI / visited,
        batch_seconds=cost.cpu_ms_per_batch / _MILLI,
        batch_max=_BATCH_MAX,
        idle=cost.idle_cores,
        pause_s=PATIENCE_MS / _MILLI if name == ARCHIVE else 0.0,
        source=KAFKA,
        log=POSTGRES if name in LOGGED else "",
        meanwhile_s=MEANWHILE_MS / _MILLI if name in LOGGED else 0.0,
    )


def _players(costs: Costs, visited: int) -> tuple[Station, Station]:
    """A process of theirs asks all others for their metrics each second.

    That is all that they do at no rate. It is one piece of work, of which players feel
    nothing but that a core is taken.
    """
    points = [(p.closed_per_s, p.cores.get(PLAYERS, 0.0)) for p in costs.points]
    laid = line(points) if len(points) > 1 else Line(0.0, 0.0)
    return (
        Station(name=PLAYERS, seconds=laid.slope / visited),
        Station(name=_SAMPLER, seconds=0.0, idle=laid.start, tick_s=EVERY_S),
    )


def hop_of(costs: Costs, machine: Machine) -> float:
    """Return the median way through Kafka, beyond processor time and queues.

    It is sought: that with which the lowest rate's median is what was measured.
    """
    lowest = min(costs.points, key=lambda point: point.rounds_per_s)
    low, high = 0.0, lowest.action_p50_ms / _MILLI
    for _ in range(_HOP_STEPS):
        middle = (low + high) / 2
        found = predicted(costs, lowest.closed_per_s, machine, middle)
        if found.action_p50_ms > lowest.action_p50_ms:
            high = middle
        else:
            low = middle
    return low


def compared(
    costs: Costs, machine: Machine, hop_s: float
) -> tuple[tuple[Point, Predicted], ...]:
    """Return each measured point beside what the simulation makes of its arrivals.

    They come by chance: of a rate that was held as many ended as came.
    """
    return tuple(
        (
            point,
            predicted(
                costs,
                point.closed_per_s
                if point.share >= HOLDS_SHARE
                else point.rounds_per_s,
                machine,
                hop_s,
            ),
        )
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
