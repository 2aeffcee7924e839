"""How fast something grows, and how sure that is.

The slope is Theil and Sen's: the median of the slopes between all pairs, which a few
odd values do not move. Samples a second apart are nearly the same one, so medians of
a few blocks are compared, and the bounds come from Kendall's count of pairs.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import ceil, sqrt
from statistics import median

import msgspec

Points = Sequence[tuple[float, float]]

BLOCKS = 12
BLOCKS_LEAST = 6
"""With fewer there are no bounds at all: nothing can be said."""

_Z95 = 1.96


class Slope(msgspec.Struct, frozen=True):
    """By time; between `low` and `high` with 95 % confidence."""

    value: float
    low: float
    high: float

    def scaled(self, by: float) -> "Slope":
        return Slope(self.value * by, self.low * by, self.high * by)


def slope_of(points: Points) -> Slope | None:
    """Return the slope of points in the order of their times; None: too few."""
    blocks = _blocks(points)
    many = len(blocks)
    if many < BLOCKS_LEAST:
        return None
    found = sorted((b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(blocks, 2))
    spread = _Z95 * sqrt(many * (many - 1) * (2 * many + 5) / 18)
    out = max(0, ceil((len(found) - spread) / 2) - 1)
    return Slope(median(found), found[out], found[-1 - out])


def _blocks(points: Points) -> list[tuple[float, float]]:
    """Return the middles of equally many points each, at least two in a block."""
    many = min(BLOCKS, len(points) // 2)
    if many < BLOCKS_LEAST:
        return []
    ends = [len(points) * number // many for number in range(many + 1)]
    parts = [points[a:b] for a, b in pairwise(ends)]
    return [(median(at for at, _ in p), median(y for _, y in p)) for p in parts]
