"""Waits are drawn as they were measured, about the median that is asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from push22.capacity.simulation import Simulation, Station
from push22.capacity.waits import Waits, always, spread_as

_HOPS = [(0.0, 0.005), (0.5, 0.01), (0.9, 0.02), (1.0, 0.1)]


@given(st.floats(0, 1))
def test_what_does_not_vary_is_always_the_same(share: float) -> None:
    """Whatever is drawn."""
    assert always(0.25).at(share) == pytest.approx(0.25)


def test_within_a_bucket_waits_are_even() -> None:
    """Half of the way between its ends for half of its share."""
    waits = Waits(((0.5, 2.0), (1.0, 6.0)))

    assert [waits.at(x) for x in (0.0, 0.25, 0.5, 0.75, 1.0)] == [
        0.0,
        1.0,
        2.0,
        4.0,
        6.0,
    ]


def test_the_median_is_one_and_the_rest_beside_it() -> None:
    """Ten milliseconds were the median; the slowest took ten times as long."""
    waits = spread_as(_HOPS)

    assert waits.at(0.5) == 1.0
    assert waits.at(0.9) == pytest.approx(2.0)
    assert waits.at(1.0) == pytest.approx(10.0)


@pytest.mark.parametrize("hops", [[], [(1.0, 0.0)]])
def test_what_was_not_measured_does_not_vary(hops: list[tuple[float, float]]) -> None:
    """A median and nothing else."""
    assert spread_as(hops).at(0.99) == 1.0


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_takes_no_shorter(one: float, other: float) -> None:
    """Buckets that are empty stand between others."""
    waits = Waits(((0.2, 1.0), (0.2, 2.0), (1.0, 3.0)))
    low, high = sorted((one, other))

    assert waits.at(low) <= waits.at(high)


def test_nobody_works_while_jobs_are_under_way() -> None:
    """All of a batch is under way for the same time, and the server goes on."""
    station = Station(name="x", seconds=1.0, batch_max=2, after=always(5.0))
    simulation = Simulation((station,), "s")
    ends: list[float] = []
    for _ in range(4):
        simulation.visit("x", 0, lambda: ends.append(simulation.now))
    simulation.run(30)

    assert ends == [7.0, 7.0, 9.0, 9.0]
    assert simulation.worked_s("x") == 4.0
