"""Costs from load reports: what is there without rounds, told from what a round adds.

One report for each rate; what is idle comes from the time before the first arrival.
What is in the logs is divided by the rounds.
"""

from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from push22.capacity.costs import (
    LOGGED,
    PROCESSES,
    Costs,
    Door,
    Flow,
    Hop,
    LogCost,
    Measured,
    Point,
    TopicCost,
)
from push22.capacity.line import line
from push22.capacity.process_costs import Told
from push22.capacity.usable import why_not
from push22.capacity.usage import is_closed, usage
from push22.load.report import Report
from push22.load.segments import Lain
from push22.load.volumes import Volumes

_NOT_ACTIONS = ("leave", "stall")
_MILLI = 1000


class Unusable(msgspec.Struct, frozen=True):
    """Why no costs follow from these reports."""

    reason: str


def costs_from(
    reports: Sequence[Report], door: Door, sections: dict[str, str], *, noisy: bool
) -> Costs | Unusable:
    """Return the costs of a round; one report for each rate."""
    reason = why_not(reports)
    if reason:
        return Unusable(reason)
    reports = sorted(reports, key=_rate)
    told = Told(reports)
    rounds = sum(_closed(report) for report in reports)
    volumes = [v for report in reports if (v := report.volumes) is not None]
    last = reports[-1]
    return Costs(
        measured=Measured(
            made_at=last.made_at,
            commit=last.environment.get("commit", "unknown"),
            machine={**last.environment, **_facts(last)},
            sections=sections,
            is_preliminary=noisy,
            unresolved=tuple(n for n in PROCESSES if not told.is_resolved(n)),
        ),
        actions_per_round=_actions(reports),
        archive_bytes=_flow(reports, lambda v: v.archive_bytes),
        wal_bytes=_flow(reports, lambda v: v.wal_bytes),
        commits=told.commits(),
        door=door,
        processes={name: told.cost(name) for name in PROCESSES},
        logs={name: _log(name, volumes, rounds) for name in LOGGED},
        topics={
            name: _topic(name, reports)
            for name in sorted({name for v in volumes for name in v.topics})
        },
        hops=_hops(next(report for report in reports if is_closed(report))),
        points=tuple(map(_point, reports)),
    )


def _rate(report: Report) -> float:
    return report.runs[0].rate


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
    points = []
    for report in reports:
        if report.volumes is not None:
            many = len(report.seconds)
            points.append((_closed(report) / many, max(0, take(report.volumes)) / many))
        idle = report.idle
        if idle is not None and idle.volumes is not None:
            points.append((0.0, max(0, take(idle.volumes)) / idle.seconds))
    laid = line(points)
    return Flow(per_round=round(laid.slope, 3), idle_per_s=round(laid.start, 3))


def _hops(report: Report) -> tuple[Hop, ...]:
    """Return shares by upper ends; what took longer than the last is left out."""
    ends = sorted((float(end), many) for end, many in report.hops.items())
    ends = [(end, many) for end, many in ends if end < float("inf")]
    total = ends[-1][1] if ends else 0.0
    if not total:
        return ()
    return tuple(
        Hop(up_to_ms=round(_MILLI * end, 3), share=round(many / total, 4))
        for end, many in ends
    )


def _point(report: Report) -> Point:
    run, used = report.runs[0], usage(report)
    response = run.steps["action"].response
    return Point(
        rounds_per_s=run.rate,
        closed_per_s=round(used.rounds_per_s, 3),
        action_p50_ms=response.p50,
        action_p99_ms=response.p99,
        share=round(run.share, 4),
        cores={name: round(busy, 4) for name, busy in used.cores.items()},
        batches_per_s={name: round(many, 2) for name, many in used.batches.items()},
    )


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
