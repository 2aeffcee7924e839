"""A load that is interrupted ends its rounds before the clients that play them."""

import asyncio
from contextlib import suppress
from typing import Any

from push22.load.crowd import Crowd
from push22.load.settings import Settings


class Visitor:
    """A player whose round does not end, and who can't play once he has left."""

    def __init__(self) -> None:
        self.is_there = True
        self.played = 0

    async def play(self, *_: Any) -> str:
        self.played += 1
        while True:
            await asyncio.sleep(0.01)
            assert self.is_there, "the player is at the table"

    async def settle(self) -> None:
        while True:
            await asyncio.sleep(0.01)
            assert self.is_there, "the player is at the table"

    async def leave(self) -> None:
        self.is_there = False


async def test_nothing_goes_on_after_an_interruption() -> None:
    """No task is left whose error would be printed when the program ends."""
    visitors: list[Any] = [Visitor() for _ in range(4)]
    crowd = Crowd(visitors, Settings(players=4, rates=(50.0,), seconds=60.0))
    before = asyncio.all_tasks()
    running = asyncio.create_task(crowd.run(1, 50.0, 0.0))
    async with asyncio.timeout(30):
        while not all(visitor.played for visitor in visitors):
            await asyncio.sleep(0.01)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    await crowd.close()

    assert asyncio.all_tasks() == before
    assert not any(visitor.is_there for visitor in visitors)
