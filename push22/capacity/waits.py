"""How long something takes that is no work: drawn from what was measured."""

from collections.abc import Sequence

import msgspec


class Waits(msgspec.Struct, frozen=True):
    """`ends`: shares, and the seconds within which so many are; evenly in between."""

    ends: tuple[tuple[float, float], ...]
    times: float = 1.0

    def at(self, share: float) -> float:
        """Return the seconds within which this share of them is."""
        before, since = 0.0, 0.0
        for upto, seconds in self.ends:
            if share <= upto:
                part = (share - before) / (upto - before) if upto > before else 1.0
                return self.times * (since + part * (seconds - since))
            before, since = upto, seconds
        return self.times * since


def always(seconds: float) -> Waits:
    """Return one that does not vary."""
    return Waits(((0.0, seconds), (1.0, seconds)))


def spread_as(hops: Sequence[tuple[float, float]]) -> Waits:
    """Return waits whose median is a second, spread as shares by their upper ends."""
    found = Waits(tuple(hops))
    median = found.at(0.5)
    return Waits(found.ends, 1 / median) if median > 0 else always(1.0)
