"""What only time shows: memory that grows, a log that grows faster than its rounds.

Each line is judged by itself, and one that cannot be told from what was seen says so:
that is no pass.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from push22.load.sampling import Sample
from push22.load.slope import slope_of
from push22.load.stored import Stored

MEMORY_MIB_H_MAX = 30.0
"""Beside what a process's caches take to fill, which is over in the first quarter."""

P99_TIMES_MAX = 1.5
GROWTH_TIMES_MAX = 1.1
RECORDS_MIN = 1000
"""In the first quarter: beside fewer, pages that are not full yet are too much."""

_SETTLED_SHARE = 0.25
_HOUR_S = 3600
_MIB = 2**20

Verdict = Literal["well", "not well", "not told"]


class Line(msgspec.Struct, frozen=True):
    """One thing that was looked at: what was seen, and what of it."""

    what: str
    seen: str
    verdict: Verdict

    def __str__(self) -> str:
        return f"{self.what}: {self.seen}"


class Soak(msgspec.Struct, frozen=True, kw_only=True):
    """All lines. What is not well, or was not told, fails the soak."""

    hours: float
    lines: tuple[Line, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        return tuple(
            f"{line} ({line.verdict})" for line in self.lines if line.verdict != "well"
        )


class Observed(msgspec.Struct, frozen=True):
    """A constant load: samples, when rounds closed, p99 of first and last quarter.

    `violations` is what the audit said where its books are not sound.
    """

    samples: Sequence[Sample]
    closed: Sequence[float]
    p99_ms: tuple[float, float]
    stored: Stored | None = None
    violations: str = ""


def soak_of(seen: Observed) -> Soak:
    """Judge memory by process, the log, the tail and the books."""
    samples = seen.samples
    settled = samples[int(_SETTLED_SHARE * len(samples)) :]
    names = list(dict.fromkeys(name for sample in settled for name in sample.uses))
    lines = [memory_line(settled, name) for name in names]
    growth = growth_of(settled, seen.closed)
    lines += [_log_line(growth), *_stored_lines(samples, seen.stored)]
    lines += [_tail_line(seen.p99_ms), _books_line(seen.violations)]
    hours = (samples[-1].at - samples[0].at) / _HOUR_S if samples else 0.0
    return Soak(hours=hours, lines=tuple(lines))


def memory_line(samples: Sequence[Sample], name: str) -> Line:
    """Judge the slope of one process's memory by the bounds of what it may be."""
    points = [(s.at, s.uses[name].rss_bytes / _MIB) for s in samples if name in s.uses]
    what = f"memory of {name}"
    slope = slope_of(points)
    if slope is None:
        return Line(what, "too few samples", "not told")
    hourly = slope.scaled(_HOUR_S)
    text = (
        f"{hourly.value:+,.0f} MiB an hour ({hourly.low:+,.0f} to {hourly.high:+,.0f}"
    )
    text = f"{text}), {points[0][1]:,.0f} to {points[-1][1]:,.0f} MiB"
    if hourly.low > MEMORY_MIB_H_MAX:
        return Line(what, text, "not well")
    return Line(what, text, "well" if hourly.high <= MEMORY_MIB_H_MAX else "not told")


def _log_line(growth: tuple[float, float]) -> Line:
    first, second = growth
    what, text = "log a round", f"{first:,.0f} bytes, then {second:,.0f}"
    if not (first and second):
        return Line(what, text, "not told")
    is_more = second > GROWTH_TIMES_MAX * first
    return Line(what, text, "not well" if is_more else "well")


def ends_of(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Return where the first quarter begins, where it ends, and where all ends."""
    if len(samples) < 3:
        return ()
    return samples[0], samples[max(1, int(_SETTLED_SHARE * len(samples)))], samples[-1]


def _stored_lines(samples: Sequence[Sample], stored: Stored | None) -> list[Line]:
    """Hold the growth after the first quarter against the records of that time.

    The records and their bytes are counted in the file; what a record takes beside
    them (indices, answers, rows of its round) is what it took in the first quarter.
    """
    ends = ends_of(samples)
    if stored is None or not ends or len(stored.spans) != len(ends) - 1:
        return []
    what, (first, rest) = "log as computed", stored.spans
    early, grown = (after.held_bytes - b.held_bytes for b, after in pairwise(ends))
    if first.records < RECORDS_MIN or not (rest.records and ends[0].held_bytes):
        text = f"{first.records:,} records in the first quarter, {rest.records:,} after"
        return [Line(what, text, "not told")]
    beside = (early - first.record_bytes) / first.records
    computed = rest.record_bytes + rest.records * beside
    parts = ", ".join(f"{n} {s:,.0f}" for n, s in sorted(stored.page_bytes.items()))
    text = (
        f"{grown:,.0f} bytes grown, {computed:,.0f} computed from {rest.records:,}"
        f" records of {rest.record_bytes / rest.records:,.0f} bytes and"
        f" {beside:,.0f} beside each in the first quarter; {stored.rounds:,} rounds'"
        f" pages, each: {parts}; records alone {stored.record_bytes:,.0f}"
    )
    is_same = computed / GROWTH_TIMES_MAX <= grown <= computed * GROWTH_TIMES_MAX
    return [Line(what, text, "well" if is_same else "not well")]


def _tail_line(p99_ms: tuple[float, float]) -> Line:
    first, last = p99_ms
    text = f"{first:.1f} ms in the first quarter, {last:.1f} in the last"
    if not (first and last):
        return Line("p99 of an action", text, "not told")
    is_slower = last > P99_TIMES_MAX * first
    return Line("p99 of an action", text, "not well" if is_slower else "well")


def _books_line(violations: str) -> Line:
    text = violations or "0 violations"
    return Line("audit and verify", text, "not well" if violations else "well")


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
    """Rounds close in the order of their times."""
    begin, end = part
    rounds = bisect_left(closed, end.at) - bisect_left(closed, begin.at)
    return (end.log_bytes - begin.log_bytes) / rounds if rounds else 0.0
