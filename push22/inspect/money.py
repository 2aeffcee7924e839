"""Money and time as people read them."""

import re
from datetime import UTC, datetime

from contracts.envelope import Micros

Range = tuple[int | None, int | None]
"""The least and the most, minor units, where they matter."""

_MONEY = re.compile(r"(-?)(\d{1,13})(?:\.(\d{1,2}))?")


def money(minor: int, *, signed: bool = False) -> str:
    """Show minor units: 12345 is 123.45, the way every command and document does.

    No float is involved, and nothing stands between thousands.
    """
    sign = "-" if minor < 0 else "+" if signed and minor > 0 else ""
    whole, cents = divmod(abs(minor), 100)
    return f"{sign}{whole}.{cents:02}"


def balance_line(round_id: str, balance_minor: int, currency: str) -> str:
    """Tell of a round that was played elsewhere, and of what the player has then."""
    return f"{round_id} balance {money(balance_minor)} {currency}"


def moment(at: Micros) -> str:
    """Show UTC to the second; an empty text for 0."""
    if not at:
        return ""
    return datetime.fromtimestamp(at // 1_000_000, tz=UTC).strftime("%Y-%m-%d %H:%M:%S")


def offset(at: Micros, since: Micros) -> str:
    """Show a time as seconds after another one, to the millisecond."""
    ms = (at - since) // 1000
    sign = "-" if ms < 0 else "+"
    return f"{sign}{abs(ms) // 1000}.{abs(ms) % 1000:03}"


def parse_moment(text: str) -> Micros:
    """Read `2026-10-31` or `2026-10-31T18:30`, as UTC. Raises ValueError."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        how = "write 2026-10-31 or 2026-10-31T18:30, as UTC"
        raise ValueError(f"{text!r} is no time: {how}") from error
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return int(read.timestamp()) * 1_000_000


def parse_money(text: str) -> int:
    """Read an amount as minor units: `-12.5` is -1250. Raises ValueError."""
    found = _MONEY.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no amount, as 10 or 10.50")
    sign, whole, cents = found.groups()
    minor = int(whole) * 100 + int((cents or "").ljust(2, "0"))
    return -minor if sign else minor


def parse_range(text: str) -> Range:
    """Read `10..50`, `10..`, `..50`, or one amount, as minor units."""
    if not text:
        return None, None
    if ".." not in text:
        only = parse_money(text)
        return only, only
    low, _, high = text.partition("..")
    if not low and not high:
        raise ValueError("a range has an amount before or after the dots")
    return parse_money(low) if low else None, parse_money(high) if high else None
