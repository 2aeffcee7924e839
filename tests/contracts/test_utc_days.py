"""Days of UTC, held against Python's own calendar."""

import random
from datetime import UTC, date, datetime, timedelta

from contracts.utc_days import day_of, moment_of

DAY_US = 24 * 3600 * 1_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def test_every_day_has_its_name() -> None:
    """All of the years 1960 to 2410: leap years of each kind, first to last instant."""
    first = (date(1960, 1, 1) - EPOCH.date()).days
    for days in range(first, first + 450 * 365):
        expected = (EPOCH.date() + timedelta(days)).isoformat()
        assert day_of(days * DAY_US) == expected
        assert day_of((days + 1) * DAY_US - 1) == expected


def test_every_instant_has_its_name() -> None:
    """To the millisecond, rounded down, up to the last one of four digits."""
    source = random.Random(22)
    last = int((datetime(9999, 12, 31, tzinfo=UTC) - EPOCH).total_seconds())
    for _ in range(20_000):
        at = source.randrange(last * 1_000_000)
        moment = (EPOCH + timedelta(microseconds=at)).replace(tzinfo=None)
        assert moment_of(at) == moment.isoformat(timespec="milliseconds") + "Z"


def test_a_time_beyond_the_calendar_has_no_name() -> None:
    """Rather none than one that cannot be read."""
    assert day_of(2**60) == moment_of(2**60) == ""
