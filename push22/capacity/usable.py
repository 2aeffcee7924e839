"""Whether load reports tell enough for costs to follow; nothing is made up."""

from collections.abc import Sequence

from push22.capacity.costs import PROCESSES
from push22.capacity.usage import Usage, idle_usage, is_closed, usage
from push22.load.report import Report
from push22.load.settings import HOLDS_SHARE

_RATES_MIN = 2


def why_not(reports: Sequence[Report]) -> str:
    """Name what is wrong, report by report, in the order in which it matters."""
    for report in reports:
        reason = _of_one(report)
        if reason:
            return reason
    closed = {report.runs[0].rate for report in reports if is_closed(report)}
    if len(closed) < _RATES_MIN:
        return (
            f"two rates are needed at least whose rounds were closed,"
            f" {100 * HOLDS_SHARE:.0f} % of those due, not {len(closed)}"
        )
    if all(report.idle is None for report in reports):
        return "no report has an idle time: one of them needs push22 load --idle 20"
    return ""


def _of_one(report: Report) -> str:
    rate = f"the report at {report.runs[0].rate:g}/s" if report.runs else "a report"
    if not report.books.is_sound:
        return f"{rate}: its books are not sound"
    if len(report.runs) != 1:
        return f"{rate} has {len(report.runs)} runs: one report for each rate"
    if report.volumes is None or not report.volumes.topics:
        return f"{rate} has no volumes: only --broker on local servers has"
    if not sum(second.closed for second in report.seconds):
        return f"{rate}: no round was closed"
    idle = idle_usage(report)
    untold = _untold(usage(report)) or (_untold(idle) if idle is not None else "")
    return f"{rate} {untold}" if untold else ""


def _untold(found: Usage) -> str:
    missing = set(PROCESSES) - set(found.cores)
    if missing:
        return f"tells nothing of {', '.join(sorted(missing))}"
    if not found.batches:
        return "counts no batches: a version before this one made it"
    missing = set(PROCESSES) - set(found.batches)
    if missing:
        return f"counts no batches of {', '.join(sorted(missing))}"
    return ""
