"""What only time shows: memory that grows, a log that grows faster than its rounds."""

from collections.abc import Sequence

import msgspec

from push22.load.sampling import Sample

MEMORY_MIB_H_MAX = 30.0
"""Beside what a process's caches take to fill, which is over in the warm-up."""

P99_TIMES_MAX = 1.5
GROWTH_TIMES_MAX = 1.1
_SETTLED_SHARE = 0.25
_HOUR_S = 3600
_MIB = 2**20


class Soak(msgspec.Struct, frozen=True, kw_only=True):
    """`findings` names what is not as it should be; empty: nothing.

    Bytes are those that the log's files grew for a round, in the test's halves.
    """

    hours: float
    mib_an_hour: dict[str, float]
    bytes_a_round: tuple[float, float]
    p99_ms: tuple[float, float]
    findings: tuple[str, ...]


def soak_of(
    samples: Sequence[Sample], closed: Sequence[float], p99_ms: tuple[float, float]
) -> Soak:
    """Judge the samples of a constant load; `p99_ms` of the first and last quarter."""
    settled = samples[int(_SETTLED_SHARE * len(samples)) :]
    names = settled[-1].uses if settled else {}
    slopes = {name: memory_slope(settled, name) for name in names}
    growth = growth_of(settled, closed)
    found = [
        f"{name} grows by {slope:.0f} MiB an hour"
        for name, slope in slopes.items()
        if slope > MEMORY_MIB_H_MAX
    ]
    if growth[1] > GROWTH_TIMES_MAX * growth[0] > 0:
        found.append(f"a round takes {growth[1]:,.0f} bytes after {growth[0]:,.0f}")
    if p99_ms[1] > P99_TIMES_MAX * p99_ms[0]:
        found.append(f"p99 went from {p99_ms[0]:.1f} to {p99_ms[1]:.1f} ms")
    hours = (samples[-1].at - samples[0].at) / _HOUR_S if samples else 0.0
    return Soak(
        hours=hours,
        mib_an_hour={name: round(slope, 1) for name, slope in slopes.items()},
        bytes_a_round=growth,
        p99_ms=p99_ms,
        findings=tuple(found),
    )


def memory_slope(samples: Sequence[Sample], name: str) -> float:
    """Return MiB an hour by the straight line that fits best."""
    points = [(s.at, s.uses[name].rss_bytes / _MIB) for s in samples if name in s.uses]
    if len(points) < 2:
        return 0.0
    middle = sum(at for at, _ in points) / len(points)
    mean = sum(size for _, size in points) / len(points)
    across = sum((at - middle) ** 2 for at, _ in points)
    along = sum((at - middle) * (size - mean) for at, size in points)
    return along / across * _HOUR_S if across else 0.0


def growth_of(
    samples: Sequence[Sample], closed: Sequence[float]
) -> tuple[float, float]:
    """Return the bytes a round by which the log grew in either half."""
    if len(samples) < 3:
        return 0.0, 0.0
    half = len(samples) // 2
    parts = ((samples[0], samples[half]), (samples[half], samples[-1]))
    first, second = (_growth(part, closed) for part in parts)
    return first, second


def _growth(part: tuple[Sample, Sample], closed: Sequence[float]) -> float:
    begin, end = part
    rounds = sum(begin.at <= at < end.at for at in closed)
    return (end.log_bytes - begin.log_bytes) / rounds if rounds else 0.0
