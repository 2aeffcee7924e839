"""What a casino uses while nobody plays: measured before the first arrival.

Nothing is asked in between, so the samples themselves cost next to nothing of it.
"""

import asyncio

import httpx

from push22.load.places import Place
from push22.load.report import Idle, between
from push22.load.sampling import Sampler
from push22.load.volumes import volumes_of

SETTLES_S = 3.0
"""What opening the tables has set going comes to its end before that."""


async def idle_at(
    place: Place, seconds: float, *, settles_s: float = SETTLES_S
) -> Idle | None:
    """Wait so long, and tell what was used meanwhile; none if it is not asked for."""
    if not seconds:
        return None
    await asyncio.sleep(settles_s)
    sampler, laid = Sampler(place), await volumes_of(place)
    async with httpx.AsyncClient() as http:
        first = await sampler.sample(http)
        await asyncio.sleep(seconds)
        last = await sampler.sample(http)
    now = await volumes_of(place)
    return Idle(
        seconds=round(last.at - first.at, 3),
        mean=between(first, last),
        volumes=now - laid if now and laid else None,
    )
