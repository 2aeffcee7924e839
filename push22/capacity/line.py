"""The straight line through measured points, by least squares."""

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

Points = Sequence[tuple[float, float]]


class Line(NamedTuple):
    """`start`: what is there at no rate. Not resolved: noise hides a round's part."""

    slope: float
    start: float
    is_resolved: bool = True


def line(points: Points) -> Line:
    """Return the line, neither part of it below zero.

    Where noise has it begin below zero, or fall, it is laid through zero instead: all
    that was measured counts as the rounds' then, which is never too little.
    """
    x0, y0 = mean(x for x, _ in points), mean(y for _, y in points)
    spread = sum((x - x0) ** 2 for x, _ in points)
    slope = sum((x - x0) * (y - y0) for x, y in points) / spread
    start = y0 - slope * x0
    if slope < 0 or start < 0:
        return Line(_through_zero(points), 0.0, is_resolved=slope >= 0)
    return Line(slope, start)


def _through_zero(points: Points) -> float:
    return sum(x * y for x, y in points) / sum(x * x for x, _ in points)
