"""When players arrive and what they are in the mood for: from the seed, and all before.

Nothing here knows how the casino does: that is what makes the loop open.
"""

import random
from collections.abc import Iterator

import msgspec

from push22.load.settings import Arrivals, Shares


class Mood(msgspec.Struct, frozen=True):
    """What one player does in one round, where it is offered."""

    switches: bool = False
    insures: bool = False
    splits: bool = True
    leaves: bool = False
    stalls: bool = False


class Tick(msgspec.Struct, frozen=True):
    """A round is due `at` so many seconds after the run began."""

    at: float
    mood: Mood


def ticks(
    rate: float, seconds: float, seed: str, how: tuple[Arrivals, Shares]
) -> Iterator[Tick]:
    """Return all arrivals of a run, `rate` a second in the mean."""
    arrivals, shares = how
    gaps, moods = _source(f"{seed}/gaps"), _source(f"{seed}/moods")
    number, at = 0, 0.0
    while True:
        number += 1
        at = number / rate if arrivals == "constant" else at + gaps.expovariate(rate)
        if at >= seconds:
            return
        yield Tick(at, _mood(moods, shares))


def _source(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a load that can be driven again


def _mood(source: random.Random, shares: Shares) -> Mood:
    """Always draw five times: a share that is changed changes its own moods only."""
    drawn = [source.random() for _ in range(5)]
    return Mood(
        switches=drawn[0] < shares.switch,
        insures=drawn[1] < shares.insure,
        splits=drawn[2] < shares.split,
        leaves=drawn[3] < shares.leave,
        stalls=drawn[4] < shares.stall,
    )
