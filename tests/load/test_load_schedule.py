"""The schedule of a load test: from its seed alone, and open whatever happens."""

from itertools import pairwise
from statistics import mean, pstdev

import pytest

from push22.load.schedule import ticks
from push22.load.settings import Shares

SHARES = Shares(switch=0.5, insure=0.1, split=0.8, leave=0.05, stall=0.25)


def test_the_same_seed_gives_the_same_arrivals_and_moods() -> None:
    """A load can be driven again, and another seed is another load."""
    first = list(ticks(20, 30, "1/1", ("poisson", SHARES)))

    assert first == list(ticks(20, 30, "1/1", ("poisson", SHARES)))
    assert first != list(ticks(20, 30, "2/1", ("poisson", SHARES)))


def test_poisson_arrivals_come_at_the_rate_in_the_mean_and_spread_as_they_should() -> (
    None
):
    """The mean gap is 1/rate, and so is its deviation: clusters are part of it."""
    times = [tick.at for tick in ticks(50, 400, "7/1", ("poisson", SHARES))]
    gaps = [after - before for before, after in pairwise(times)]

    assert len(times) == pytest.approx(20_000, rel=0.03)
    assert mean(gaps) == pytest.approx(0.02, rel=0.03)
    assert pstdev(gaps) == pytest.approx(0.02, rel=0.05)
    assert times == sorted(times)


def test_constant_arrivals_are_evenly_apart() -> None:
    """Nothing is left to chance but the moods."""
    times = [tick.at for tick in ticks(4, 2.1, "1", ("constant", SHARES))]

    assert times == [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]


def test_moods_come_in_their_shares_and_a_changed_share_changes_no_other_mood() -> None:
    """What is compared between two loads differs in one thing only."""
    moods = [t.mood for t in ticks(50, 400, "3", ("poisson", SHARES))]
    other = Shares(switch=0.5, insure=0.9, split=0.8, leave=0.05, stall=0.25)
    changed = [t.mood for t in ticks(50, 400, "3", ("poisson", other))]

    assert mean(mood.stalls for mood in moods) == pytest.approx(0.25, abs=0.02)
    assert mean(mood.leaves for mood in moods) == pytest.approx(0.05, abs=0.01)
    assert [m.switches for m in moods] == [m.switches for m in changed]
    assert [m.stalls for m in moods] == [m.stalls for m in changed]
    assert mean(mood.insures for mood in changed) == pytest.approx(0.9, abs=0.02)
