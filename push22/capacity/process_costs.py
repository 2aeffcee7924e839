"""A process's processor time, told apart: without rounds, for a batch, for a round.

Of each report there are two points: nobody plays, and its rate. Least squares through
all of them find the three, none below zero. A rate whose rounds were not closed is no
point: what was begun there and what was ended are not the same.
"""

from collections.abc import Sequence
from statistics import mean

from push22.capacity.costs import POSTGRES, Commits, ProcessCost
from push22.capacity.fit import fitted
from push22.capacity.usage import Usage, idle_usage, is_closed, usage, window
from push22.load.report import Report

_MILLI = 1000


class Told:
    """What reports say of all processes: each once at its rate, and idle."""

    def __init__(self, reports: Sequence[Report]) -> None:
        self._reports = reports
        usable = [report for report in reports if is_closed(report)]
        self._loaded = sorted(map(usage, usable), key=lambda each: each.rounds_per_s)
        found = map(idle_usage, reports)
        self._idle = [each for each in found if each is not None]

    def cost(self, name: str) -> ProcessCost:
        """Where nothing grows with play, all that was measured is taken as rounds'."""
        idle, batch, each_round = self._parts(name)
        if not batch and not each_round:
            idle, each_round = 0.0, self._through_zero(name)
        lowest = self._loaded[0]
        return ProcessCost(
            cpu_ms_per_batch=round(_MILLI * batch, 4),
            cpu_ms_per_round=round(_MILLI * each_round, 3),
            idle_cores=round(idle, 4),
            batches_per_round=round(self._beyond(name, lowest) / _rate(lowest), 3),
            idle_batches_per_s=round(self._idle_batches(name), 2),
            rss_mib=self._rss_mib(name),
        )

    def is_resolved(self, name: str) -> bool:
        """Tell whether a round's own part was found, and not only that of batches."""
        return self._parts(name)[2] > 0

    def commits(self) -> Commits:
        """Volumes are of the whole test: so are their rounds; appends are a mean."""
        rows, values = [], []
        for report in self._reports:
            if report.volumes is not None and is_closed(report):
                many = len(report.seconds)
                rounds = sum(second.closed for second in report.seconds) / many
                rows.append((1.0, self._beyond(POSTGRES, usage(report)), rounds))
                values.append(report.volumes.commits / many)
            if report.idle is not None and report.idle.volumes is not None:
                rows.append((1.0, 0.0, 0.0))
                values.append(report.idle.volumes.commits / report.idle.seconds)
        idle, append, each_round = fitted(rows, values)
        return Commits(
            per_append=round(append, 4),
            per_round=round(each_round, 3),
            idle_per_s=round(idle, 3),
        )

    def _parts(self, name: str) -> tuple[float, ...]:
        rows = [(1.0, self._beyond(name, u), u.rounds_per_s) for u in self._loaded]
        values = [each.cores[name] for each in self._loaded]
        idle = [each.cores[name] for each in self._idle]
        return fitted([*rows, *[(1.0, 0.0, 0.0)] * len(idle)], [*values, *idle])

    def _beyond(self, name: str, found: Usage) -> float:
        """Return the batches that came because somebody plays."""
        return max(0.0, found.batches[name] - self._idle_batches(name))

    def _idle_batches(self, name: str) -> float:
        return mean(each.batches.get(name, 0.0) for each in self._idle)

    def _through_zero(self, name: str) -> float:
        pairs = [(each.rounds_per_s, each.cores[name]) for each in self._loaded]
        return sum(x * y for x, y in pairs) / sum(x * x for x, _ in pairs)

    def _rss_mib(self, name: str) -> float:
        seconds = [s for r in self._reports if is_closed(r) for s in window(r)]
        return max(second.rss_mib[name] for second in seconds if name in second.rss_mib)


def _rate(found: Usage) -> float:
    return max(found.rounds_per_s, 1e-9)
