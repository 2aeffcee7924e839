"""Costs from load reports: what is there without rounds, told from what a round adds.

A line is laid through the points of all rates, by least squares: its slope is the cost
of a round, where it begins is the cost of being there. A rate that was not held is no
point of it: there processes idle less. What is in the logs is divided by the rounds.
"""

from collections.abc import Callable, Sequence
from statistics import mean, median

import msgspec

from push22.capacity.costs import (
    LOGGED,
    PROCESSES,
    Costs,
    Door,
    Flow,
    LogCost,
    Measured,
    Point,
    ProcessCost,
    TopicCost,
)
from push22.capacity.line import Line, line
from push22.load.report import Report, Second
from push22.load.segments import Lain
from push22.load.settings import HOLDS_SHARE
from push22.load.volumes import Volumes

_RATES_MIN = 2
_NOT_ACTIONS = ("leave", "stall")


class Unusable(msgspec.Struct, frozen=True):
    """Why no costs follow from these reports."""

    reason: str


def costs_from(
    reports: Sequence[Report], door: Door, sections: dict[str, str], *, noisy: bool
) -> Costs | Unusable:
    """Return the costs of a round; one report for each rate."""
    reason = _why_not(reports)
    if reason:
        return Unusable(reason)
    held = [report for report in reports if _is_held(report)]
    rounds = sum(_closed(report) for report in reports)
    volumes = [v for report in reports if (v := report.volumes) is not None]
    last = max(reports, key=lambda report: report.runs[0].rate)
    return Costs(
        measured=Measured(
            made_at=last.made_at,
            commit=last.environment.get("commit", "unknown"),
            machine={**last.environment, **_facts(last)},
            sections=sections,
            is_preliminary=noisy,
            unresolved=tuple(n for n in PROCESSES if not _line(n, held).is_resolved),
        ),
        actions_per_round=_actions(reports),
        archive_bytes=_flow(reports, lambda v: v.archive_bytes),
        wal_bytes=_flow(reports, lambda v: v.wal_bytes),
        commits=_flow(reports, lambda v: v.commits),
        door=door,
        processes={name: _process(name, held) for name in PROCESSES},
        logs={name: _log(name, volumes, rounds) for name in LOGGED},
        topics={
            name: _topic(name, reports)
            for name in sorted({name for v in volumes for name in v.topics})
        },
        points=tuple(map(_point, sorted(reports, key=lambda r: r.runs[0].rate))),
    )


def _why_not(reports: Sequence[Report]) -> str:
    """Name what is wrong, report by report, in the order in which it matters."""
    for report in reports:
        rate = f"the report at {report.runs[0].rate:g}/s" if report.runs else "a report"
        if not report.books.is_sound:
            return f"{rate}: its books are not sound"
        if len(report.runs) != 1:
            return f"{rate} has {len(report.runs)} runs: one report for each rate"
        if report.volumes is None or not report.volumes.topics:
            return f"{rate} has no volumes: only --broker on local servers has"
        missing = set(PROCESSES) - set(_busy(report))
        if missing:
            return f"{rate} tells nothing of {', '.join(sorted(missing))}"
        if not _closed(report):
            return f"{rate}: no round was closed"
    held = {report.runs[0].rate for report in reports if _is_held(report)}
    if len(held) < _RATES_MIN:
        return f"two rates that were held are needed at least, not {len(held)}"
    return ""


def _is_held(report: Report) -> bool:
    """As many rounds ended as were due: how fast is another question."""
    return report.runs[0].share >= HOLDS_SHARE


def _process(name: str, reports: Sequence[Report]) -> ProcessCost:
    laid = _line(name, reports)
    memory = [
        second.rss_mib[name]
        for report in reports
        for second in _window(report)
        if name in second.rss_mib
    ]
    return ProcessCost(
        cpu_ms_per_round=round(1000 * laid.slope, 3),
        idle_cores=round(laid.start, 4),
        rss_mib=max(memory),
    )


def _line(name: str, reports: Sequence[Report]) -> Line:
    return line([(_point(r).closed_per_s, _busy(r)[name]) for r in reports])


def _log(name: str, volumes: Sequence[Volumes], rounds: int) -> LogCost:
    found = [v.logs[name] for v in volumes if name in v.logs]
    return LogCost(
        records_per_round=round(sum(log.records for log in found) / rounds, 3),
        body_bytes_per_round=round(sum(log.body_bytes for log in found) / rounds, 1),
        disk_bytes_per_round=round(sum(log.disk_bytes for log in found) / rounds, 1),
        beside_bytes_per_round=round(
            max(0, sum(log.beside_bytes for log in found)) / rounds, 1
        ),
    )


def _topic(name: str, reports: Sequence[Report]) -> TopicCost:
    laid = _flow(reports, lambda v: _lain(v, name).bytes)
    return TopicCost(
        bytes_per_round=laid.per_round,
        idle_bytes_per_s=laid.idle_per_s,
        records_per_round=_flow(reports, lambda v: _lain(v, name).records).per_round,
        batches_per_round=_flow(reports, lambda v: _lain(v, name).batches).per_round,
    )


def _lain(volumes: Volumes, name: str) -> Lain:
    return volumes.topics.get(name, Lain())


def _flow(reports: Sequence[Report], take: Callable[[Volumes], int]) -> Flow:
    """Volumes are of the whole test: so are the rounds and the time they go with."""
    points = [
        (_closed(report) / seconds, max(0, take(report.volumes)) / seconds)
        for report in reports
        if report.volumes is not None
        for seconds in (len(report.seconds),)
    ]
    laid = line(points)
    return Flow(per_round=round(laid.slope, 3), idle_per_s=round(laid.start, 3))


def _point(report: Report) -> Point:
    run, seconds = report.runs[0], _window(report)
    response = run.steps["action"].response
    return Point(
        rounds_per_s=run.rate,
        closed_per_s=round(sum(s.closed for s in seconds) / len(seconds), 3),
        action_p50_ms=response.p50,
        action_p99_ms=response.p99,
        share=round(run.share, 4),
        cores={name: round(busy, 4) for name, busy in _busy(report).items()},
    )


def _busy(report: Report) -> dict[str, float]:
    """Return the cores that each process kept busy while the rate was counted."""
    found: dict[str, list[float]] = {}
    for second in _window(report):
        for name, cores in second.cpu.items():
            found.setdefault(name, []).append(cores)
    return {name: mean(values) for name, values in found.items()}


def _window(report: Report) -> tuple[Second, ...]:
    """Leave out the warm-up, and what came after the last arrival."""
    begin = int(report.settings.warm_up_s)
    return report.seconds[begin : begin + max(1, int(report.settings.seconds))]


def _closed(report: Report) -> int:
    """Volumes are of the whole test, warm-up and end included."""
    return sum(second.closed for second in report.seconds)


def _actions(reports: Sequence[Report]) -> float:
    found = []
    for report in reports:
        run = report.runs[0]
        sent = sum(n for name, n in run.actions.items() if name not in _NOT_ACTIONS)
        found.append(sent / max(1, run.closed + run.left))
    return round(median(found), 3)


def _facts(report: Report) -> dict[str, str]:
    return {k: v for k, v in report.casino.items() if k not in ("door", "broker")}
