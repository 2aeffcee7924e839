"""What one person decided alone about players today: looked up for the desk (H7).

The index with what follows it in its file, and what the door heard, are one sum. Where
either is known to be incomplete nothing is said: a second person decides then. Of two
proposals in one moment each may still not know of the other. The audit, which reads the
log, finds it (`alone_sum`).
"""

from collections.abc import Iterable

from litestar.concurrency import sync_to_thread

from contracts.alone import Counted
from contracts.desk import AloneDay
from contracts.utc_days import day_of
from services.gateway.door import Door
from services.gateway.proposals import DESK


async def alone_today(
    door: Door, players: Iterable[str], currency: str
) -> AloneDay | None:
    """Name the day and the players, and the most that was decided of one of them.

    Return `None` where that is not known.
    """
    if not door.casino.hears_all(DESK):
        return None
    day, names = day_of(door.casino.now()), tuple(sorted(set(players)))
    sums = []
    for name in names:
        counted = Counted(name, currency, day)
        found = await sync_to_thread(door.index.cases.alone, counted)
        if found is None:
            return None
        # Asked for last: what came into the index since was heard.
        sums.append(sum((found | door.alone.of(counted)).values()))
    return AloneDay(day, names, max(sums, default=0))
