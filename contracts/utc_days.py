"""UTC times as days and texts, by arithmetic alone: the language knows no clock.

Days are counted in eras of 400 years from 1 March 0000, so that a leap day comes last.
"""

from contracts.envelope import Micros

_MS_US = 1_000
_DAY_MS = 24 * 60 * 60 * 1_000
_DAYS_BEFORE_1970 = 719_468
_ERA_DAYS = 146_097
_YEAR_MAX = 9_999
"""ISO 8601 has four digits for a year, unless both sides have agreed on more."""


def day_of(at: Micros) -> str:
    """Return `2026-10-31`; nothing for a time beyond the calendar's four digits."""
    days = at // (_DAY_MS * _MS_US) + _DAYS_BEFORE_1970
    era, of_era = divmod(days, _ERA_DAYS)
    leaps = of_era // 1_460 - of_era // 36_524 + of_era // (_ERA_DAYS - 1)
    of_era_year = (of_era - leaps) // 365
    of_year = of_era - (365 * of_era_year + of_era_year // 4 - of_era_year // 100)
    from_march = (5 * of_year + 2) // 153
    day = of_year - (153 * from_march + 2) // 5 + 1
    month = (from_march + 2) % 12 + 1
    year = era * 400 + of_era_year + (month <= 2)
    return f"{year:04}-{month:02}-{day:02}" if 0 <= year <= _YEAR_MAX else ""


def moment_of(at: Micros) -> str:
    """Return `2026-10-31T18:30:00.125Z`; nothing where there is no such day."""
    day = day_of(at)
    seconds, ms = divmod(at // _MS_US % _DAY_MS, 1_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{day}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z" if day else ""
