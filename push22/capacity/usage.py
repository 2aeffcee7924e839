"""What a load report says of each process: cores, batches, and while nobody played."""

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from push22.capacity.costs import KAFKA, POSTGRES
from push22.load.report import Report, Second
from push22.load.settings import HOLDS_SHARE


class Usage(NamedTuple):
    """Means over a time: busy cores and batches a second by process, and rounds."""

    rounds_per_s: float
    cores: dict[str, float]
    batches: dict[str, float]


def is_closed(report: Report) -> bool:
    """As many rounds ended as were due: how fast they went is another question."""
    return report.runs[0].share >= HOLDS_SHARE


def usage(report: Report) -> Usage:
    """Return what was used while the rate was counted."""
    seconds = window(report)
    rounds = sum(second.closed for second in seconds) / len(seconds)
    return _usage(rounds, seconds)


def idle_usage(report: Report) -> Usage | None:
    """Return what was used before the first arrival, where that was measured."""
    return _usage(0.0, [report.idle.mean]) if report.idle is not None else None


def window(report: Report) -> tuple[Second, ...]:
    """Leave out the warm-up, and what came after the last arrival."""
    begin = int(report.settings.warm_up_s)
    return report.seconds[begin : begin + max(1, int(report.settings.seconds))]


def _usage(rounds: float, seconds: Sequence[Second]) -> Usage:
    """Kafka's batches are whoever's reads them; the database's are appends."""
    taken = _means([second.batches for second in seconds])
    appended = _means([second.appends for second in seconds])
    servers = {KAFKA: sum(taken.values()), POSTGRES: sum(appended.values())}
    batches = {**taken, **servers} if taken else {}
    return Usage(rounds, _means([second.cpu for second in seconds]), batches)


def _means(found: Sequence[dict[str, float]]) -> dict[str, float]:
    """A second in which a process told nothing is no second of its mean."""
    names = {name for each in found for name in each}
    return {n: mean(each[n] for each in found if n in each) for n in sorted(names)}
