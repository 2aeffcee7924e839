"""What does not end holds up nobody, and nothing it says later is an error of ours."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from runtime.ending import ends_within, leave_behind


class Deaf:
    """Hears of being cancelled, and goes on until it is let go; then it fails."""

    def __init__(self) -> None:
        self.heard = 0
        self.let_go = asyncio.Event()

    async def run(self) -> None:
        while not self.let_go.is_set():
            try:
                await self.let_go.wait()
            except asyncio.CancelledError:
                self.heard += 1
        raise OSError("too late")


@pytest.fixture
def complaints() -> list[dict[str, Any]]:
    """What the loop says of errors that nobody looked at."""
    return []


async def test_what_ends_in_time_is_told() -> None:
    """Its result is there for whoever wants it."""
    ending = asyncio.ensure_future(asyncio.sleep(0, "ended"))
    assert await ends_within(5, ending)
    assert ending.result() == "ended"


async def test_the_deaf_are_left_behind(complaints: list[dict[str, Any]]) -> None:
    """Time is over: they are asked to end, and nobody waits for it."""
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: complaints.append(context)
    )
    deaf = Deaf()
    ending = asyncio.ensure_future(deaf.run())
    assert not await ends_within(0.01, ending)
    leave_behind(ending)
    await asyncio.sleep(0)
    assert deaf.heard == 1
    deaf.let_go.set()
    await asyncio.wait((ending,))
    del ending
    await asyncio.sleep(0)
    assert complaints == []


async def test_who_is_cancelled_meanwhile_goes_at_once() -> None:
    """And has asked it to end: nothing lives on that nobody knows of."""
    deaf = Deaf()
    ending = asyncio.ensure_future(deaf.run())
    waiting = asyncio.ensure_future(ends_within(60, ending))
    await asyncio.sleep(0)
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait_for(waiting, 5)
    await asyncio.sleep(0)
    assert waiting.cancelled()
    assert deaf.heard == 1
    deaf.let_go.set()
    await asyncio.wait((ending,))
