"""The chances of the dealer's results, for many shoes at once.

A line's chance is the product of falling factorials of the shoe's counts over that of
its size, times its orders. Lines that begin alike share the beginning's product.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from push22.solver.dealer_hands import OUTCOMES, Line

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_AT_ONCE = 4096
"""Shoes per pass: their columns stay in the processor's cache."""


def dealer_odds(lines: tuple[Line, ...], shoes: Ints) -> Floats:
    """Return a row of chances by `OUTCOMES` for each row of a shoe's counts."""
    parts = [
        _odds(lines, shoes[start : start + _AT_ONCE])
        for start in range(0, len(shoes), _AT_ONCE)
    ]
    return np.concatenate(parts)


def _odds(lines: tuple[Line, ...], shoes: Ints) -> Floats:
    sums: dict[tuple[int, int], Floats] = defaultdict(
        lambda: np.zeros(len(shoes), dtype=np.float64)
    )
    for line, product in _products(lines, shoes):
        sums[line.outcome, sum(line.cards)] += line.orders * product
    odds = np.zeros((len(shoes), len(OUTCOMES)))
    sizes = shoes.sum(axis=1)
    for (outcome, drawn), total in sums.items():
        ways = np.ones(len(shoes))
        for taken in range(drawn):
            ways *= sizes - taken
        odds[:, outcome] += total / ways
    return odds


def _products(lines: tuple[Line, ...], shoes: Ints) -> Iterator[tuple[Line, Floats]]:
    """Yield each line with its number of ways to be drawn in one order."""
    begun: list[tuple[int, Floats]] = [(0, np.ones(len(shoes)))]
    left = _left(shoes)
    before: list[int] = []
    for line in lines:
        drawn = [rank for rank, count in enumerate(line.cards) for _ in range(count)]
        shared = _shared(before, drawn)
        del begun[shared + 1 :]
        for place in range(shared, len(drawn)):
            rank = drawn[place]
            taken = drawn[:place].count(rank)
            begun.append((rank, begun[-1][1] * left[rank][taken]))
        before = drawn
        yield line, begun[-1][1]


def _left(shoes: Ints) -> list[list[Floats]]:
    """By rank and cards taken: what is left of that rank, never less than none."""
    return [
        [np.maximum(shoes[:, rank] - taken, 0.0) for taken in range(18)]
        for rank in range(10)
    ]


def _shared(before: list[int], drawn: list[int]) -> int:
    count = 0
    for old, new in zip(before, drawn, strict=False):
        if old != new:
            break
        count += 1
    return count
