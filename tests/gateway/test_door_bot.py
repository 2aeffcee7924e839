"""The bot behind the door counts each round once, and orders what the view asks for."""

import asyncio
import contextlib
from typing import Any

import pytest
from fake_door import ROUND, YOU, Visit, fake_door, view

from push22.door_bot import CannotPlay, DoorBot, Stakes

NEXT = "round-t1-2"
BOX = {
    "box": 1,
    "seat": "p1",
    "pending": False,
    "ready": True,
    "wagers_minor": [1000, 1000],
    "side_wagers_minor": {},
    "hands": [],
    "insurance": {},
}


def round_of(round_id: str, phase: str, *boxes: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = view(1)["round"]
    return {**shown, "round_id": round_id, "phase": phase, "boxes": list(boxes)}


async def seated(door: Visit, seats: dict[str, str]) -> None:
    await door.hear()
    await door.say({**YOU, "seats": seats})
    await door.hear()


async def ordered(heard: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Wait for the first order; return all that were heard."""
    while not any(message["kind"] == "command" for message in heard):
        await asyncio.sleep(0.01)
    return [x["order"] for x in heard if x["kind"] == "command"]


async def test_a_round_that_is_closed_already_is_not_counted_again() -> None:
    """It stays in the view until the next one opens: that one is bet on."""

    async def scene(door: Visit) -> None:
        await seated(door, {ROUND: "p1"})
        await door.snapshot(1)
        await door.delta(2, table={"round": round_of(ROUND, "closed", BOX)})
        await asyncio.sleep(0.1)
        await door.delta(3, table={"round": round_of(NEXT, "betting")})
        await door.stay()

    async with fake_door(scene) as (live, heard):
        await live.watch("t1")
        await live.until(lambda: live.tables["t1"].seq == 2)
        playing = asyncio.create_task(DoorBot(live, "t1", Stakes()).play())
        async with asyncio.timeout(20):
            orders = await ordered(heard)
        is_done = playing.done()
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing

    assert not is_done
    assert [(x["do"], x["round_id"], x["box"]) for x in orders] == [("bet", NEXT, 1)]


async def test_a_round_whose_end_was_not_seen_is_over() -> None:
    """After a lost connection another round may be in its place."""

    async def scene(door: Visit) -> None:
        await seated(door, {ROUND: "p1"})
        await door.snapshot(1)
        await door.delta(2, table={"round": round_of(ROUND, "turn", BOX)})
        await asyncio.sleep(0.1)
        await door.delta(3, table={"round": round_of(NEXT, "betting")})
        await door.stay()

    async with fake_door(scene) as (live, _):
        await live.watch("t1")
        await live.until(lambda: live.tables["t1"].seq == 2)
        played = await DoorBot(live, "t1", Stakes()).play()

    assert played == ROUND


@pytest.mark.parametrize("reason", ["below_minimum", "too_many_boxes", "malformed"])
async def test_a_bet_that_is_never_taken_ends_the_play(reason: str) -> None:
    """Asking again would change nothing."""

    async def scene(door: Visit) -> None:
        await seated(door, {})
        await door.snapshot(1)
        order = await door.hear()
        await door.problem(409, reason, order["id"])
        await door.stay()

    async with fake_door(scene) as (live, _):
        with pytest.raises(CannotPlay, match=reason):
            await DoorBot(live, "t1", Stakes()).play()


async def test_the_lowest_free_boxes_side_by_side_are_taken() -> None:
    """Others keep theirs, and a bet that comes too late is left for the next round."""
    others = {**BOX, "box": 2, "seat": "p7"}

    async def scene(door: Visit) -> None:
        await seated(door, {})
        await door.snapshot(1)
        await door.delta(2, table={"round": round_of(ROUND, "betting", others)})
        order = await door.hear()
        await door.problem(409, "betting_closed", order["id"])
        await door.delta(3, version=9)
        await asyncio.sleep(0.05)
        await door.delta(4, table={"round": round_of(NEXT, "betting", others)})
        await door.stay()

    async with fake_door(scene) as (live, heard):
        await live.watch("t1")
        await live.until(lambda: live.tables["t1"].seq == 2)
        playing = asyncio.create_task(DoorBot(live, "t1", Stakes(boxes=2)).play())
        async with asyncio.timeout(20):
            while sum(x["kind"] == "command" for x in heard) < 2:
                await asyncio.sleep(0.01)
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing

    orders = [x["order"] for x in heard if x["kind"] == "command"]
    assert [(x["round_id"], x["box"]) for x in orders] == [(ROUND, 3), (NEXT, 3)]
