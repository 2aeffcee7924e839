"""What one person decided alone about players today: looked up for the desk (H7).

The index follows the log by a moment: of two cases in that moment each may not know of
the other. The audit, which reads the log, finds it (`alone_sum`).
"""

from collections.abc import Iterable

from litestar.concurrency import sync_to_thread

from contracts.desk import AloneDay
from contracts.utc_days import day_of
from services.gateway.door import Door


async def alone_today(door: Door, players: Iterable[str], currency: str) -> AloneDay:
    """Name the day and the players, and the most that was decided of one of them."""
    day, names = day_of(door.casino.now()), tuple(sorted(set(players)))
    cases = door.index.cases
    sums = [
        await sync_to_thread(cases.alone_minor, name, currency, day) for name in names
    ]
    return AloneDay(day, names, max(sums, default=0))
