"""Least squares of which no part is below zero, for a handful of unknowns.

With so few, every choice of parts that are not zero is solved, and the best of those
that cost nothing negative is taken: that is the optimum, and needs no iteration.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

Rows = Sequence[Sequence[float]]

_SINGULAR = 1e-9
"""Of a column's own size: what is left of it beside others is no part of its own."""


def fitted(rows: Rows, values: Sequence[float]) -> tuple[float, ...]:
    """Return what each column counts for; of equally good answers the shortest."""
    best, least = (0.0,) * len(rows[0]), _missed(rows, values, (0.0,) * len(rows[0]))
    for found in _candidates(rows, values):
        missed = _missed(rows, values, found)
        if min(found) >= 0 and missed < least * (1 - _SINGULAR):
            best, least = found, missed
    return best


def _candidates(rows: Rows, values: Sequence[float]) -> Iterator[tuple[float, ...]]:
    columns = range(len(rows[0]))
    for many in range(1, len(columns) + 1):
        for chosen in combinations(columns, many):
            parts = _solved([[row[at] for at in chosen] for row in rows], values)
            if parts is not None:
                known = dict(zip(chosen, parts, strict=True))
                yield tuple(known.get(at, 0.0) for at in columns)


def _missed(rows: Rows, values: Sequence[float], parts: Sequence[float]) -> float:
    return sum(
        (value - sum(x * part for x, part in zip(row, parts, strict=True))) ** 2
        for row, value in zip(rows, values, strict=True)
    )


def _solved(rows: Rows, values: Sequence[float]) -> list[float] | None:
    """Solve the normal equations; none where columns say the same."""
    many = len(rows[0])
    grid = [
        [
            *(sum(row[i] * row[j] for row in rows) for j in range(many)),
            sum(row[i] * value for row, value in zip(rows, values, strict=True)),
        ]
        for i in range(many)
    ]
    sizes = [grid[i][i] for i in range(many)]
    for at in range(many):
        if grid[at][at] <= _SINGULAR * sizes[at]:
            return None
        for other in (i for i in range(many) if i != at):
            times = grid[other][at] / grid[at][at]
            grid[other] = [
                x - times * y for x, y in zip(grid[other], grid[at], strict=True)
            ]
    return [grid[at][many] / grid[at][at] for at in range(many)]
