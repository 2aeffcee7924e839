"""Two load reports beside each other: what differs by more than equal runs do."""

from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from push22.load.environment import LOAD_BEFORE
from push22.load.report import Report, Run

Take = Callable[[Run], float]


class Difference(msgspec.Struct, frozen=True):
    """A figure in both reports, each by its runs; a spread needs two runs or more."""

    rate: float
    name: str
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def percent(self) -> float | None:
        old = median(self.before)
        return 100 * (median(self.after) - old) / old if old else None

    @property
    def is_beyond_spread(self) -> bool | None:
        """Tell whether no run of the one is among those of the other; none: unknown."""
        if min(len(self.before), len(self.after)) < 2:
            return None
        apart = min(self.after) > max(self.before), max(self.after) < min(self.before)
        return any(apart)


def differences(before: Report, after: Report) -> list[Difference]:
    """Compare at every rate that both reports have."""
    old, new = _by_rate(before.runs), _by_rate(after.runs)
    return [
        Difference(
            rate,
            name,
            tuple(take(run) for run in old[rate]),
            tuple(take(run) for run in new[rate]),
        )
        for rate in old
        if rate in new
        for name, take in _figures(old[rate] + new[rate])
    ]


def unlike(before: Report, after: Report) -> list[str]:
    """Name what else differs, and might explain a difference."""
    found: list[str] = []
    pairs = (
        (before.environment, after.environment),
        (_lasting(before), _lasting(after)),
        (_told(before), _told(after)),
    )
    for old, new in pairs:
        found += [
            f"{name}: {old.get(name, '-')} | {new.get(name, '-')}"
            for name in {**old, **new}
            if name != LOAD_BEFORE and old.get(name) != new.get(name)
        ]
    return found


def _lasting(report: Report) -> dict[str, str]:
    """Leave out what is another one in every test."""
    return {k: v for k, v in report.casino.items() if k not in ("door", "records")}


def _told(report: Report) -> dict[str, str]:
    found: dict[str, object] = msgspec.to_builtins(report.settings)
    return {name: str(value) for name, value in found.items()}


def _by_rate(runs: Sequence[Run]) -> dict[float, list[Run]]:
    found: dict[float, list[Run]] = {}
    for run in runs:
        found.setdefault(run.rate, []).append(run)
    return found


def _figures(runs: Sequence[Run]) -> list[tuple[str, Take]]:
    figures: list[tuple[str, Take]] = [
        ("achieved, rounds/s", lambda run: run.achieved),
        ("dropped", lambda run: float(run.dropped)),
    ]
    for step in dict.fromkeys(step for run in runs for step in run.steps):
        if all(step in run.steps and run.steps[step].response.count for run in runs):
            figures += [
                (f"{step} p50, ms", _quantile(step, "p50")),
                (f"{step} p99, ms", _quantile(step, "p99")),
            ]
    return figures


def _quantile(step: str, name: str) -> Take:
    return lambda run: float(getattr(run.steps[step].response, name))
