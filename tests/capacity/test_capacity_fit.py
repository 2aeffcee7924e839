"""Least squares find again what points were made of, and nothing below zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from push22.capacity.fit import fitted

_PART = st.floats(0, 5)
_COLUMNS = ((0.0, 0.0), (140.0, 4.0), (230.0, 10.0), (240.0, 16.0), (210.0, 22.0))
ROWS = [(1.0, *column) for column in _COLUMNS]


def values_of(parts: tuple[float, ...]) -> list[float]:
    return [sum(x * part for x, part in zip(row, parts, strict=True)) for row in ROWS]


def missed(parts: tuple[float, ...], values: list[float]) -> float:
    found = values_of(parts)
    return sum((one - other) ** 2 for one, other in zip(found, values, strict=True))


@given(_PART, _PART, _PART)
def test_three_parts_are_found_again(idle: float, batch: float, of: float) -> None:
    """Idle, of a batch, of a round: where batches do not grow as rounds do."""
    assert fitted(ROWS, values_of((idle, batch, of))) == pytest.approx(
        (idle, batch, of), abs=1e-4
    )


@given(
    st.lists(st.floats(0, 9), min_size=5, max_size=5),
    st.tuples(_PART, _PART, _PART),
)
def test_nothing_else_fits_better(
    values: list[float], other: tuple[float, ...]
) -> None:
    """Whatever was measured, and whatever one tries that is not below zero."""
    found = fitted(ROWS, values)

    assert min(found) >= 0
    assert missed(found, values) <= missed(other, values) + 1e-6


def test_what_would_be_negative_is_nothing() -> None:
    """A process that is the busier the fewer batches it has."""
    values = values_of((1.0, 0.0, 0.2))
    found = fitted(
        ROWS, [v - 0.001 * row[1] for v, row in zip(values, ROWS, strict=True)]
    )

    assert found[1] == 0.0
    assert found[2] > 0


def test_columns_that_say_the_same_share_nothing_out() -> None:
    """Batches that grow as rounds do: one of them has it all, and it is enough."""
    rows = [(1.0, 3.0 * at, at) for at in (0.0, 1.0, 2.0, 5.0)]
    found = fitted(rows, [0.5 + 2 * row[2] for row in rows])

    assert found[0] == pytest.approx(0.5)
    assert 3 * found[1] + found[2] == pytest.approx(2.0)
    assert 0.0 in found[1:]


def test_nothing_measured_is_nothing() -> None:
    """All of it idle, and idle at nothing."""
    assert fitted(ROWS, [0.0] * len(ROWS)) == (0.0, 0.0, 0.0)
