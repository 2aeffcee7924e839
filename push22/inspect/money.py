"""Money and time as people read them."""

from datetime import UTC, datetime

from contracts.envelope import Micros


def money(minor: int, *, signed: bool = False) -> str:
    """Show minor units: 12345 is 123.45. No float is involved."""
    sign = "-" if minor < 0 else "+" if signed and minor > 0 else ""
    whole, cents = divmod(abs(minor), 100)
    return f"{sign}{whole}.{cents:02}"


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
    read = datetime.fromisoformat(text)
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return int(read.timestamp()) * 1_000_000
