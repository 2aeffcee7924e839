"""Whether a measured point and what the simulation made of it are the same, in words.

Four things are compared: which rates are held, processor time by process, batches from
Kafka and appends, and how long an action takes. A latency of a rate that is not held
grows as long as the test goes on: it is compared only where measurement and simulation
both held the rate.
"""

import msgspec

from push22.capacity.costs import KAFKA, POSTGRES, Point
from push22.capacity.prediction import Predicted
from push22.load.settings import HOLDS_SHARE

CPU_SHARE = 0.2
CPU_LEAST = 0.02
"""Of a core: a difference that is smaller is none, whatever share it is."""

BATCHES_SHARE = 0.3
LATENCY_TIMES = 2.0

_WORDS = {True: "yes", False: "no"}

_OF_CORES = f"{100 * CPU_SHARE:.0f} % or {CPU_LEAST:g} of a core"
TOLERANCE = (
    f"tolerance: cores within {_OF_CORES}, batches within {100 * BATCHES_SHARE:.0f} %,",
    f"p50 and p99 within a factor of {LATENCY_TIMES:g}",
)

_BATCHES = {KAFKA: "batches from Kafka", POSTGRES: "appends"}


class Judged(msgspec.Struct, frozen=True):
    """One point; `differences`: what is out of tolerance, in words."""

    rounds_per_s: float
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return not self.differences

    def lines(self) -> list[str]:
        if self.agrees:
            return [f"{self.rounds_per_s:g} rounds/s: agree"]
        head = f"{self.rounds_per_s:g} rounds/s: disagree"
        return [head, *(f"  {text}" for text in self.differences)]


def judged(point: Point, foretold: Predicted, *, is_fitted: bool) -> Judged:
    """Compare both. `is_fitted`: the model's one free figure came from this p50."""
    found = [*_cores(point, foretold), *_batches(point, foretold)]
    held, holds = point.share >= HOLDS_SHARE, foretold.share >= HOLDS_SHARE
    if held != holds:
        found.append(f"held: measured {_WORDS[held]}, simulated {_WORDS[holds]}")
    elif held:
        found += _latencies(point, foretold, is_fitted=is_fitted)
    return Judged(point.rounds_per_s, tuple(found))


def _cores(point: Point, foretold: Predicted) -> list[str]:
    """Compare each process, and all together, of which both tell."""
    names = sorted(point.cores.keys() & foretold.cores.keys())
    pairs = {name: (point.cores[name], foretold.cores[name]) for name in names}
    measured = sum(one for one, _ in pairs.values())
    pairs["all"] = measured, sum(other for _, other in pairs.values())
    return [
        f"cores of {name}: measured {one:.2f}, simulated {other:.2f}"
        for name, (one, other) in pairs.items()
        if abs(one - other) > max(CPU_LEAST, CPU_SHARE * one)
    ]


def _batches(point: Point, foretold: Predicted) -> list[str]:
    """Compare what was taken from Kafka, and appended: costs depend on them.

    Costs of an earlier version have none to be compared.
    """
    return [
        f"{what}: measured {one:,.0f}/s, simulated {other:,.0f}/s"
        for name, what in _BATCHES.items()
        if name in point.batches_per_s
        for one, other in ((point.batches_per_s[name], foretold.batches_per_s[name]),)
        if abs(one - other) > BATCHES_SHARE * one
    ]


def _latencies(point: Point, foretold: Predicted, *, is_fitted: bool) -> list[str]:
    pairs = {"p99": (point.action_p99_ms, foretold.action_p99_ms)}
    if not is_fitted:
        pairs["p50"] = point.action_p50_ms, foretold.action_p50_ms
    return [
        f"{name}: measured {one:,.1f} ms, simulated {other:,.1f} ms"
        for name, (one, other) in sorted(pairs.items())
        if not one / LATENCY_TIMES <= other <= LATENCY_TIMES * one
    ]


def verdict(found: list[Judged], *, is_preliminary: bool) -> str:
    """Say it of all points; costs that other work has spoilt decide nothing."""
    wrong = sum(not each.agrees for each in found)
    word = f"disagrees with {wrong} of {len(found)}" if wrong else "agrees with all"
    state = " (PRELIMINARY)" if is_preliminary else ""
    return f"verdict{state}: the model {word} measured points"
