"""The simulation agrees with what queueing theory knows, and makes no time up."""

from functools import partial
from statistics import mean

import pytest

from push22.capacity.simulation import Simulation, Spread, Station

_SERVICE_S = 0.01
_JOBS = 40_000


def waits(load: float, spread: Spread) -> list[float]:
    """Return how long each job waited at one server with arrivals by chance."""
    station = Station(name="x", seconds=_SERVICE_S, batch_max=1)
    simulation = Simulation((station,), f"{load}", spread=spread)
    found: list[float] = []

    def done(came: float) -> None:
        found.append(simulation.now - came)

    def come(at: float) -> None:
        simulation.visit("x", 0, partial(done, at))

    at = 0.0
    for _ in range(_JOBS):
        at += simulation.source.expovariate(load / _SERVICE_S)
        simulation.at(at, partial(come, at))
    simulation.run(at + 100)
    return [time - _SERVICE_S for time in found]


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_a_constant_server_waits_as_pollaczek_and_khinchine_say(load: float) -> None:
    """M/D/1: the mean wait is rho s / 2 (1 - rho)."""
    expected = load * _SERVICE_S / (2 * (1 - load))

    assert mean(waits(load, "constant")) == pytest.approx(expected, rel=0.08)


def test_a_server_by_chance_waits_twice_as_long() -> None:
    """M/M/1: the mean wait is rho s / (1 - rho)."""
    expected = 0.6 * _SERVICE_S / (1 - 0.6)

    assert mean(waits(0.6, "exponential")) == pytest.approx(expected, rel=0.1)


def test_no_core_is_used_twice() -> None:
    """Three processes that always have work get two cores, and leave none idle."""
    stations = tuple(Station(name=n, seconds=0.003, batch_max=1) for n in "abc")
    simulation = Simulation(stations, "s", cores=2)
    for station in stations:
        for _ in range(10_000):
            simulation.visit(station.name, 0, lambda: None)
    simulation.run(6.0)
    worked = [simulation.worked_s(station.name) for station in stations]

    assert sum(worked) == pytest.approx(12.0, abs=0.01)
    assert max(worked) - min(worked) < 0.01


def test_what_waited_is_one_batch_and_ends_at_once() -> None:
    """Ten jobs at once, and an eleventh that comes while they are done."""
    station = Station(name="x", seconds=1.0)
    simulation = Simulation((station,), "s")
    ends: list[float] = []
    for at in [0.0] * 10 + [4.0]:
        then = partial(simulation.visit, "x", 0, lambda: ends.append(simulation.now))
        simulation.at(at, then)
    simulation.run(100)

    assert ends == [10.0] * 10 + [11.0]


def test_partitions_of_one_server_do_not_wait_for_another() -> None:
    """Keys 0 and 2 are of the first of two servers, key 1 is of the second."""
    station = Station(name="x", seconds=1.0, servers=2, batch_max=1)
    simulation = Simulation((station,), "s")
    ends: list[tuple[int, float]] = []
    for key in range(3):
        simulation.visit("x", key, partial(_note, ends, key, simulation))
    simulation.run(10)

    assert ends == [(0, 1.0), (1, 1.0), (2, 2.0)]


def _note(ends: list[tuple[int, float]], key: int, simulation: Simulation) -> None:
    ends.append((key, simulation.now))


def test_what_is_done_without_work_takes_its_share() -> None:
    """A quarter of a core is a quarter of a core over ten seconds."""
    simulation = Simulation((Station(name="x", seconds=0.0, idle=0.25),), "s")
    simulation.run(10.0)

    assert simulation.worked_s("x") == pytest.approx(2.5, abs=0.01)


def test_equal_seeds_are_equal_runs() -> None:
    """Everything that is drawn comes from the seed."""
    assert waits(0.5, "exponential") == waits(0.5, "exponential")
