"""From a sample to the house's edge: point, 95 % interval, and how it came to rest.

The edge is what the house keeps of each unit of initial wager. Every round starts with
the same wagers, so the ratio of the sums is a plain mean of rounds, and its error is
that of a mean.
"""

from itertools import accumulate
from math import sqrt
from statistics import NormalDist

import msgspec

from push22.certify.sample import Sample

CONFIDENCE = 0.95
_DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Point(msgspec.Struct, frozen=True):
    """The edge after so many rounds, and half the width of its interval."""

    rounds: int
    edge: float
    margin: float


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """Fractions of the initial wager, not percent; `deviation` is that of one round.

    `staked` is the whole stake per initial wager. Shares are of rounds.
    """

    rounds: int
    edge: float
    margin: float
    deviation: float
    staked: float
    switch_share: float
    naturals_per_round: float
    convergence: tuple[Point, ...]

    @property
    def low(self) -> float:
        return self.edge - self.margin

    @property
    def high(self) -> float:
        return self.edge + self.margin


def estimate(sample: Sample) -> Estimate:
    """Estimate from two rounds or more: one has no spread."""
    rounds = sample.rounds
    wager = sample.initial_minor / rounds
    mean = sample.net_minor / rounds
    spread = (sample.net_squared - sample.net_minor * mean) / (rounds - 1)
    deviation = sqrt(spread) / wager
    return Estimate(
        rounds=rounds,
        edge=-mean / wager,
        margin=_margin(deviation, rounds),
        deviation=deviation,
        staked=sample.staked_minor / sample.initial_minor,
        switch_share=sample.switches / rounds,
        naturals_per_round=sample.naturals / rounds,
        convergence=_convergence(sample, wager, deviation),
    )


def _convergence(sample: Sample, wager: float, deviation: float) -> tuple[Point, ...]:
    counts = accumulate(batch.rounds for batch in sample.batches)
    nets = accumulate(batch.net_minor for batch in sample.batches)
    return tuple(
        Point(rounds, -net / (rounds * wager), _margin(deviation, rounds))
        for rounds, net in zip(counts, nets, strict=True)
    )


def _margin(deviation: float, rounds: int) -> float:
    return _DEVIATIONS * deviation / sqrt(rounds)
