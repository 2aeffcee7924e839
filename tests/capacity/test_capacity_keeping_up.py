"""What the formula lets one instance carry it does carry, where cores are free."""

from functools import cache, partial
from statistics import mean
from typing import NamedTuple

import pytest

from push22.capacity.costs import GATEWAY, LOGGED
from push22.capacity.instance import HOP_MAX_S, Instance
from push22.capacity.options import COMMITTED, Asked, costs_in
from push22.capacity.parts import instance_of
from push22.capacity.prediction import Machine, predicted
from push22.capacity.simulation import Simulation, Station

_UTILISATION = Asked().utilisation
_LONG_S = 20.0
_NAMES = (*LOGGED, GATEWAY)
_SLOWER = ("table-orchestrator", "wallet", GATEWAY)
_CORES = 64
_SOON_MS = 150.0
_HOP = (0.9, 1.25)
"""Of what is said: times of records that differ make long batches longer."""


class Ran(NamedTuple):
    """Seconds until a batch has ended; what had not ended half-way, and at last."""

    hops: list[float]
    half_way: int
    left: int
    cores: float
    batches_per_s: float


@cache
def one_of(name: str) -> Instance:
    """Return an instance as it was measured."""
    return instance_of(name, costs_in(COMMITTED))


def ran(one: Instance, rate: float, *names: str) -> Ran:
    """Send rounds through a chain of equal processes, each with a core of its own."""
    stations = tuple(_station(one, name) for name in names or ("x",))
    simulation = Simulation(stations, f"{rate:.3f}", spread="exponential")
    hops: list[float] = []
    begun, at = 0, 0.0

    def go(left: tuple[str, ...], since: float) -> None:
        if not left:
            hops.append((simulation.now - since) / len(stations))
            return
        simulation.visit(left[0], 0, partial(go, left[1:], since))

    all_of_it = tuple(station.name for station in stations)
    middle = 0
    while (at := at + simulation.source.expovariate(rate * one.batches)) < _LONG_S:
        begun += 1
        middle += at < _LONG_S / 2
        simulation.at(at, partial(go, all_of_it, at))
    simulation.run(_LONG_S / 2)
    half_way = middle - len(hops)
    simulation.run(_LONG_S)
    last = all_of_it[-1]
    worked, batches = simulation.worked_s(last), simulation.batches(last)
    left = begun - len(hops)
    return Ran(hops, half_way, left, worked / _LONG_S, batches / _LONG_S)


def _station(one: Instance, name: str) -> Station:
    return Station(
        name=name,
        seconds=one.per_round / one.batches,
        batch_seconds=one.per_batch,
        batch_max=int(one.batch_most),
        idle=one.idle,
    )


@pytest.mark.parametrize("name", _NAMES)
def test_one_instance_carries_what_it_may(name: str) -> None:
    """Always busy, and yet a hop takes as long as the formula says, and no longer."""
    one = one_of(name)
    most = one.most(_UTILISATION, HOP_MAX_S)
    assert most is not None
    found, said = ran(one, most), one.used(most)

    assert found.left < 3 * said.hop_s * most * one.batches
    assert _HOP[0] < mean(found.hops) / said.hop_s < _HOP[1]
    assert found.cores == pytest.approx(said.cores, abs=0.03)
    assert found.batches_per_s == pytest.approx(said.batches_per_s, rel=0.15)


@pytest.mark.parametrize("name", _SLOWER)
def test_beyond_what_it_carries_a_backlog_grows(name: str) -> None:
    """A fifth more than saturation: a sixth of what comes is left, ever more of it."""
    one = one_of(name)
    saturated = one.saturated
    assert saturated is not None
    found = ran(one, 1.2 * saturated)
    too_much = 0.2 * saturated * one.batches * _LONG_S

    assert found.left == pytest.approx(too_much, rel=0.25)
    assert found.left > 1.6 * found.half_way > 0


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_a_hop_takes_as_long_as_is_said_at_less(share: float) -> None:
    """From next to none waiting to batches of many."""
    one = one_of("table-orchestrator")
    rate = share * (one.saturated or 0.0)
    times = mean(ran(one, rate).hops) / one.used(rate).hop_s

    assert _HOP[0] < times < _HOP[1]


def test_a_chain_carries_what_each_of_it_does() -> None:
    """What leaves one in batches comes to the next in batches, which are no smaller."""
    one = one_of("table-orchestrator")
    most = one.most(_UTILISATION, HOP_MAX_S) or 0.0
    found, said = ran(one, most, "a", "b", "c"), one.used(most)

    assert found.left < 9 * said.hop_s * most * one.batches
    assert mean(found.hops) < 1.5 * said.hop_s
    assert found.batches_per_s < 1.1 * said.batches_per_s


def test_a_whole_casino_holds_the_rate_of_its_tightest_part() -> None:
    """All processes, one instance of each, and as many cores as they want."""
    costs, one = costs_in(COMMITTED), one_of("table-orchestrator")
    most, machine = one.most(_UTILISATION, HOP_MAX_S) or 0.0, Machine(cores=_CORES)
    found = predicted(costs, most, machine, 0.003)

    assert found.share > 0.99
    assert found.action_p99_ms < _SOON_MS
    assert found.cores["table-orchestrator"] <= 1


def test_a_whole_casino_does_not_hold_a_fifth_more_than_saturation() -> None:
    """It lacks a table-orchestrator: that one rests only while it waits for its log."""
    costs, machine = costs_in(COMMITTED), Machine(cores=_CORES)
    saturated = one_of("table-orchestrator").saturated or 0.0
    found = predicted(costs, 1.2 * saturated, machine, 0.003)

    assert found.action_p50_ms > 10 * _SOON_MS
    assert found.cores["table-orchestrator"] > 0.95
