"""The slope of a soak: robust, with bounds that are wide where little is known."""

import random

import pytest

from push22.load.slope import BLOCKS_LEAST, slope_of


def line(slope: float, noise: float, many: int = 600) -> list[tuple[float, float]]:
    chance = random.Random(3)
    return [(float(x), slope * x + noise * chance.gauss(0, 1)) for x in range(many)]


def test_a_straight_line_has_its_slope_and_no_doubt() -> None:
    """Both bounds are the slope itself."""
    found = slope_of(line(0.5, 0.0))

    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5))


def test_odd_values_do_not_move_it() -> None:
    """A twentieth of the samples is far off, as after a dump or a copy."""
    points = [(x, y + 1e6 * (x % 20 == 0)) for x, y in line(0.5, 0.1)]
    found = slope_of(points)

    assert found is not None
    assert found.value == pytest.approx(0.5, abs=0.01)


def test_the_bounds_hold_the_truth_and_grow_with_the_noise() -> None:
    """A flat line with noise is not told from a small slope, and says so."""
    quiet, loud = slope_of(line(0.0, 1.0)), slope_of(line(0.0, 100.0))

    assert quiet is not None
    assert loud is not None
    assert quiet.low <= 0.0 <= quiet.high
    assert loud.low <= 0.0 <= loud.high
    assert loud.high - loud.low > 10 * (quiet.high - quiet.low)


def test_few_points_say_nothing() -> None:
    """There is no slope of what was seen for some seconds."""
    assert slope_of([]) is None
    assert slope_of(line(1.0, 0.0, 2 * BLOCKS_LEAST - 1)) is None
    assert slope_of(line(1.0, 0.0, 2 * BLOCKS_LEAST)) is not None


def test_what_only_fills_up_at_the_beginning_is_wide_not_steep() -> None:
    """A cache that was full after a quarter is in the low bound."""
    found = slope_of([(float(x), min(x, 150.0)) for x in range(600)])

    assert found is not None
    assert found.low == 0.0
    assert found.value == 0.0
