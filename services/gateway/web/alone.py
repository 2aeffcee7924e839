"""What one person decided alone about players today: looked up for the desk (H7).

The index with what follows it in its file, what the door heard, and what it has sent
and not heard of, are one sum. Where it is known to be incomplete nothing is said: a
second person decides then. Of two doors neither knows what the other has sent and not
heard of. The audit, which reads the log, finds it (`alone_sum`).
"""

from collections.abc import Iterable

from litestar.concurrency import sync_to_thread
from msgspec.structs import replace

from contracts.alone import Counted
from contracts.desk import AloneDay
from contracts.utc_days import day_of
from services.gateway.door import Door
from services.gateway.problems import REUSED, Refused
from services.gateway.proposals import DESK, Key, Proposal, is_same


async def reckoned(
    door: Door, key: Key, proposal: Proposal, players: Iterable[str]
) -> Proposal:
    """Add the day, the players, and the most that was decided of one of them.

    It counts from now on, as if it were decided. Under a key that is under way it is
    what was sent. Raises Refused where that was something else.
    """
    day, names = day_of(door.casino.now()), tuple(sorted(set(players)))
    counted = [Counted(name, proposal.currency, day) for name in names]
    indexed = [await sync_to_thread(door.index.cases.alone, one) for one in counted]
    # From here on nothing waits: nobody else reckons between the sum and its promise.
    if sent := under_way(door, key, proposal):
        return sent
    if not door.casino.hears_all(DESK):
        return proposal
    sums = []
    for one, found in zip(counted, indexed, strict=True):
        if found is None:
            return proposal
        known = sum((found | door.alone.of(one)).values())
        sums.append(known + door.promised.minor(one))
    proposal = replace(proposal, alone=AloneDay(day, names, max(sums, default=0)))
    door.promised.add(key, proposal)
    return proposal


def under_way(door: Door, key: Key, proposal: Proposal) -> Proposal | None:
    """Return what was sent under this key and is not heard of. Raises Refused."""
    sent = door.promised.find(key)
    if sent is not None and not is_same(sent, proposal):
        raise Refused(REUSED, key.name)
    return sent
