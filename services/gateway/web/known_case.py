"""The records of a case: from the copy of the log, and from what the door has heard."""

import asyncio

from litestar.concurrency import sync_to_thread

from runtime.bus_memory import Delivery
from services.gateway.door import Door
from services.gateway.heard_cases import newest_version
from services.gateway.problems import DoorReason, Refused

_LOOKS = 60
_PAUSE_S = 0.05


async def records_of(door: Door, case: str, version: int = 0) -> list[Delivery]:
    """Return them, up to a version at least that is known to be there.

    Raises Refused where the copy does not get so far in time: what was accepted is
    never said not to be.
    """
    for _ in range(_LOOKS):
        copied = await sync_to_thread(door.index.cases.records, case)
        found = door.heard_cases.after(case, copied)
        if newest_version(found) >= version:
            return found
        await asyncio.sleep(_PAUSE_S)
    raise Refused(DoorReason.NOT_AVAILABLE, f"{case} is not yet in the copy of the log")
