"""The intervals of statements and reports: a day, a month, a year, or life to date."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from contracts.envelope import Micros
from push22.inspect.filters import micros_of

Interval = Literal["day", "month", "year", "life"]
Span = tuple[Micros, Micros]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which interval, in UTC.

    Parameters
    ----------
    interval
        A day, a month or a year; or all up to now.
    on
        A date in that day, month or year: 2026-10-31. Without it today.
    since
        Instead of an interval: from this time on, 2026-10-31 or 2026-10-31T18:30.
    until
        With `--since`: before this time; without it up to now.

    """

    interval: Interval = "life"
    on: str = ""
    since: str = ""
    until: str = ""


def span_of(asked: Asked, now: Micros) -> Span:
    """Return where the interval begins and before what it ends. Raises Failure."""
    if asked.since or asked.until:
        span = micros_of("--since", asked.since), micros_of("--until", asked.until)
        return span[0], span[1] or now
    if asked.interval == "life":
        return 0, now
    at = micros_of("--on", asked.on) or now
    day = datetime.fromtimestamp(at // 1_000_000, tz=UTC).replace(
        hour=0, minute=0, second=0
    )
    match asked.interval:
        case "day":
            ends = day, day + timedelta(days=1)
        case "month":
            first = day.replace(day=1)
            ends = first, (first + timedelta(days=32)).replace(day=1)
        case "year":
            first = day.replace(month=1, day=1)
            ends = first, first.replace(year=first.year + 1)
    return _micros(ends[0]), _micros(ends[1])


def _micros(at: datetime) -> Micros:
    return int(at.timestamp()) * 1_000_000
