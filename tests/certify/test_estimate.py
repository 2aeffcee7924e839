"""The edge and its error are those of the mean of rounds, worked out by hand."""

import random
from statistics import NormalDist, stdev

import pytest

from push22.certify.estimate import estimate
from tests.certify.samples import GivenBatch, GivenSample


def test_the_edge_is_what_the_house_keeps_of_the_initial_wagers() -> None:
    """480 of 80,000 are 0.6 %, whatever doubling and splitting added."""
    found = estimate(GivenSample())

    assert found.edge == pytest.approx(0.006)
    assert found.staked == pytest.approx(1.1)
    assert found.switch_share == pytest.approx(0.325)
    assert found.naturals_per_round == pytest.approx(0.095)


def test_the_interval_is_that_of_the_rounds_mean() -> None:
    """Squares of 12,000,000 about the mean: 173.42 a round, 8.67 the mean of 400."""
    found = estimate(GivenSample())

    assert found.deviation == pytest.approx((12_000_000 / 399) ** 0.5 / 200)
    assert found.margin == pytest.approx(1.959964 * found.deviation / 20)
    assert (found.low + found.high) / 2 == pytest.approx(found.edge)


def test_the_convergence_adds_batch_to_batch() -> None:
    """After each batch the edge of all rounds so far; the last is the edge itself."""
    found = estimate(GivenSample())

    assert [point.rounds for point in found.convergence] == [100, 200, 300, 400]
    assert [point.edge for point in found.convergence] == pytest.approx(
        [0.05, 0.0075, 0.005, 0.006]
    )
    assert found.convergence[-1].edge == found.edge
    assert found.convergence[-1].margin == found.margin


def sample_of(nets: list[int]) -> GivenSample:
    return GivenSample(
        rounds=len(nets),
        initial_minor=100 * len(nets),
        net_minor=sum(nets),
        net_squared=sum(net * net for net in nets),
        batches=(GivenBatch(len(nets), sum(nets)),),
    )


def test_the_deviation_is_that_of_the_list_of_nets() -> None:
    """Sums alone come to what the standard library makes of every single round."""
    chance = random.Random(3)
    nets = [chance.choice([-200, -100, 0, 100, 150, 200]) for _ in range(5000)]

    assert estimate(sample_of(nets)).deviation == pytest.approx(stdev(nets) / 100)


def test_nineteen_intervals_in_twenty_hold_the_edge() -> None:
    """2,000 samples of a wager whose edge is known: 95 % give or take three errors."""
    chance = random.Random(9)
    samples = 2000
    holds = 0
    for _ in range(samples):
        nets = chance.choices([-100, 100], weights=[0.505, 0.495], k=400)
        found = estimate(sample_of(nets))
        holds += found.low <= 0.01 <= found.high

    error = (0.95 * 0.05 / samples) ** 0.5
    assert holds / samples == pytest.approx(0.95, abs=3 * error)


def test_the_confidence_is_95_percent() -> None:
    """The factor of the interval leaves out 2.5 % on each side."""
    found = estimate(GivenSample())

    factor = found.margin / (found.deviation / 20)
    assert NormalDist().cdf(factor) == pytest.approx(0.975)
