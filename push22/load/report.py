"""The report of a load test as data: `report.json` is this, field by field."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from push22.load.books import Books
from push22.load.chaos import Trouble
from push22.load.found import Found, Timeline
from push22.load.histograms import Times, curve
from push22.load.sampling import Sample
from push22.load.settings import HOLDS_SHARE, Settings, Slo
from push22.load.soak import Soak
from push22.load.volumes import Volumes

_CURVES = ("bet", "funds", "action", "settled")
_ENDS = 2
_MEASURED_SHARE = 0.5


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One run at one rate, without its warm-up. `why_not`: why the rate is not held."""

    rate: float
    seconds: float
    due: int
    dropped: int
    closed: int
    left: int
    stalled: int
    failed: int
    unfinished: int
    achieved: float
    share: float
    steps: dict[str, Times]
    late: Times
    actions: dict[str, int]
    errors: dict[str, int]
    curves: dict[str, list[tuple[float, float]]]
    why_not: tuple[str, ...]

    @property
    def is_held(self) -> bool:
        return not self.why_not


class Second(msgspec.Struct, frozen=True):
    """One second of the whole test. `cpu` in cores, `rss_mib` by process.

    `batches` and `appends` in a second; a report of an earlier version has none.
    """

    at: float = 0.0
    due: int = 0
    closed: int = 0
    dropped: int = 0
    lag_s: float = 0.0
    backlog: float = 0.0
    log_bytes: int = 0
    cpu: dict[str, float] = {}
    rss_mib: dict[str, float] = {}
    collections: dict[str, int] = {}
    batches: dict[str, float] = {}
    appends: dict[str, float] = {}


_NOTHING = Second()


class Idle(msgspec.Struct, frozen=True, kw_only=True):
    """Before the first arrival, players' tables open: `mean` of so many seconds."""

    seconds: float
    mean: Second
    volumes: Volumes | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """`books` comes first: no figure means anything where it is not sound.

    `hops`: of the records that were handled by another service while rates were
    counted, how many were under way for no longer, by seconds. `unmeasured`: whose use
    was not heard of most of the time, in words.
    """

    books: Books
    verdict: str
    is_met: bool
    made_at: str
    environment: dict[str, str]
    casino: dict[str, str]
    settings: Settings
    runs: tuple[Run, ...]
    knee: float | None
    seconds: tuple[Second, ...]
    soak: Soak | None = None
    chaos: Trouble | None = None
    volumes: Volumes | None = None
    idle: Idle | None = None
    hops: dict[str, float] = {}
    unmeasured: str = ""


def run_of(found: Found, slo: Slo) -> Run:
    """Read what a run has counted."""
    ended = found.closed + found.left
    steps = {name: step.times() for name, step in found.steps.items()}
    share = ended / found.due if found.due else 0.0
    return Run(
        rate=found.rate,
        seconds=found.seconds,
        due=found.due,
        dropped=found.dropped,
        closed=found.closed,
        left=found.left,
        stalled=found.stalled,
        failed=found.failed,
        unfinished=found.unfinished,
        achieved=ended / found.seconds,
        share=share,
        steps=steps,
        late=found.late.times(),
        actions=dict(sorted(found.actions.items())),
        errors=dict(found.errors.most_common()),
        curves={name: curve(found.steps[name].response) for name in _CURVES},
        why_not=_why_not(share, steps["action"], slo),
    )


def _why_not(share: float, action: Times, slo: Slo) -> tuple[str, ...]:
    found = []
    if share < HOLDS_SHARE:
        found.append(f"{100 * share:.1f} % of the rounds that were due")
    if not action.response.count:
        found.append("no action was answered")
    if action.response.p50 > slo.p50_ms:
        found.append(f"p50 {action.response.p50:.1f} ms")
    if action.response.p99 > slo.p99_ms:
        found.append(f"p99 {action.response.p99:.1f} ms")
    return tuple(found)


def is_over(run: Run, slo: Slo) -> bool:
    """Tell whether a ramp ends here: the rate is not reached, or far too slowly."""
    return run.share < HOLDS_SHARE or run.steps["action"].response.p99 > slo.p99_ms


def knee_of(runs: Sequence[Run], slo: Slo) -> float | None:
    """Return the highest rate before the first that is over; none if the first is."""
    held = None
    for run in runs:
        if is_over(run, slo):
            return held
        held = run.rate
    return held


def verdict_of(runs: Sequence[Run], settings: Settings) -> tuple[bool, str]:
    """Return whether the objective is met by every run, and a sentence."""
    slo = settings.slo
    goal = f"Objective p50 {slo.p50_ms:g} ms, p99 {slo.p99_ms:g} ms"
    if settings.is_ramp:
        held = [run.rate for run in runs if run.is_held]
        best = f"met up to {max(held):g} rounds/s" if held else "MISSED at every rate"
        return bool(held), f"{goal}: {best}"
    missed = [
        f"run {number}: {', '.join(run.why_not)}"
        for number, run in enumerate(runs, 1)
        if run.why_not
    ]
    return not missed, f"{goal}: " + (
        "MISSED; " + "; ".join(missed) if missed else "met"
    )


def seconds_of(
    timeline: Timeline, samples: Sequence[Sample], begun: float
) -> tuple[Second, ...]:
    """Count by seconds since the beginning, each beside what was sampled in it."""
    counts: dict[int, Counter[str]] = {}
    for name in ("due", "closed", "dropped"):
        for at in getattr(timeline, name):
            counts.setdefault(int(at - begun), Counter())[name] += 1
    sampled = _sampled(samples, begun)
    last = max((*counts, *sampled), default=-1)
    return tuple(
        replace(sampled.get(at, _NOTHING), at=float(at), **counts.get(at, Counter()))
        for at in range(last + 1)
    )


def errors_in(runs: Iterable[Run]) -> Counter[str]:
    """Count why rounds failed; those that found no player are only dropped."""
    found: Counter[str] = Counter()
    for run in runs:
        found.update(run.errors)
        found["not ended in time"] += run.unfinished
    return +found


def unmeasured(names: Iterable[str], seconds: Sequence[Second]) -> str:
    """Say which processes were sampled in less than half of the seconds, if any."""
    seen = {name: sum(name in second.cpu for second in seconds) for name in names}
    missing = [
        f"{name} in {len(seconds) - count} of {len(seconds)} seconds"
        for name, count in seen.items()
        if count < len(seconds) * _MEASURED_SHARE
    ]
    return f"not measured: {', '.join(missing)}" if missing else ""


def _sampled(samples: Sequence[Sample], begun: float) -> dict[int, Second]:
    return {
        int(sample.at - begun): between(before, sample)
        for before, sample in pairwise(samples)
    }


def between(before: Sample, sample: Sample) -> Second:
    """Return what was used between two samples, as of one second."""
    passed = sample.at - before.at
    pairs = {
        name: (before.uses[name], used)
        for name, used in sample.uses.items()
        if name in before.uses
    }
    return Second(
        lag_s=sample.lag_s,
        backlog=sample.backlog,
        log_bytes=sample.log_bytes,
        cpu={
            n: round(_grown(b.cpu_s, u.cpu_s, passed), 3) for n, (b, u) in pairs.items()
        },
        rss_mib={n: round(u.rss_bytes / 2**20, 1) for n, u in sample.uses.items()},
        collections={n: u.collections for n, u in sample.uses.items()},
        batches={
            name: _grown(old.batches or 0, new.batches, passed)
            for name, (old, new) in pairs.items()
            if new.batches is not None
        },
        appends={
            name: _grown(old.appends or 0, new.appends, passed)
            for name, (old, new) in pairs.items()
            if new.appends is not None
        },
    )


def _grown(before: float, now: float, passed: float) -> float:
    """A process that began again counts from zero."""
    return round(max(0.0, now - before) / passed, 4)


def hops_in(samples: Sequence[Sample], since: float, until: float) -> dict[str, float]:
    """Return how many more hops each bucket has had by the end of a time."""
    within = [sample for sample in samples if since <= sample.at <= until]
    if len(within) < _ENDS:
        return {}
    first, last = within[0].hops, within[-1].hops
    return {end: max(0.0, many - first.get(end, 0.0)) for end, many in last.items()}
