"""Leases and published offsets: one relay a partition, and none that is out of time."""

import asyncio

import pytest
from log_backends import draft
from postgres_place import Place

from runtime.log import Batch, Conflict

LONG = 60_000


async def test_a_lease_has_one_holder(place: Place) -> None:
    """Of eight that ask at once one gets it; given back, the next may have it."""
    async with place.log(connections=4) as log:
        asked = [log.relay.acquire_lease("relay-0", f"h{n}", LONG) for n in range(8)]
        found = [lease for lease in await asyncio.gather(*asked) if lease]
        assert len(found) == 1
        assert await log.relay.renew_lease(found[0], LONG)
        assert await log.relay.acquire_lease("relay-1", "h9", LONG)

        await log.relay.release_lease(found[0])
        again = await log.relay.acquire_lease("relay-0", "h8", LONG)
        assert again is not None
        assert again.token > found[0].token


async def test_a_lease_runs_out_by_the_clock_of_the_database(place: Place) -> None:
    """A holder that was paused can neither renew it nor take it from the next one."""
    async with place.log() as log:
        paused = await log.relay.acquire_lease("relay-0", "paused", LONG)
        assert paused is not None
        await place.execute("UPDATE leases SET expires_at = clock_timestamp()")
        assert not await log.relay.renew_lease(paused, LONG)

        heir = await log.relay.acquire_lease("relay-0", "heir", LONG)
        assert heir is not None
        await log.relay.release_lease(paused)
        assert await log.relay.renew_lease(heir, LONG)
        assert await log.relay.acquire_lease("relay-0", "third", LONG) is None


async def test_a_lease_is_held_for_as_long_as_was_asked(place: Place) -> None:
    """The time is in milliseconds."""
    async with place.log() as log:
        await log.relay.acquire_lease("relay-0", "h", 90_000)
        left = "extract(epoch FROM expires_at - clock_timestamp())"
        ((seconds,),) = await place.execute(f"SELECT {left} FROM leases")
        assert 60 < seconds <= 90


async def test_what_was_published_only_grows(place: Place) -> None:
    """Two relays that both sent are harmless: the greater offset stays."""
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", n) for n in (1, 2, 3)]))
        lease = await log.relay.acquire_lease("relay-0", "h", LONG)
        assert lease is not None
        assert await log.published(0) == 0

        await log.relay.note_published(0, 3, lease)
        await log.relay.note_published(0, 2, lease)
        assert await log.published(0) == 3


async def test_nothing_is_published_past_the_head_or_without_a_lease(
    place: Place,
) -> None:
    """A token that was overtaken, and a record that is not there, are refused."""
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", 1)]))
        paused = await log.relay.acquire_lease("relay-0", "paused", LONG)
        assert paused is not None
        with pytest.raises(Conflict, match="does not reach 2"):
            await log.relay.note_published(0, 2, paused)

        await place.execute("UPDATE leases SET expires_at = clock_timestamp()")
        assert await log.relay.acquire_lease("relay-0", "heir", LONG)
        with pytest.raises(Conflict, match="paused does not hold relay-0"):
            await log.relay.note_published(0, 1, paused)
        assert await log.published(0) == 0
