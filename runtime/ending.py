"""Waiting for something to end, never longer than is said.

Whoever waits for a task and is cancelled passes that on, and waits on until the task
has heard of it: a client that does not would hold up everybody.
"""

import asyncio
from typing import Any


async def ends_within(seconds: float, ending: "asyncio.Future[Any]") -> bool:
    """Wait so long; tell whether it has ended. Who is cancelled leaves it behind."""
    try:
        done, _ = await asyncio.wait((ending,), timeout=seconds)
    except asyncio.CancelledError:
        leave_behind(ending)
        raise
    return bool(done)


def leave_behind(ending: "asyncio.Future[Any]") -> None:
    """Ask it to end, and care no more about how it does."""
    ending.add_done_callback(_unheard)
    ending.cancel()


def _unheard(ended: "asyncio.Future[Any]") -> None:
    if not ended.cancelled():
        ended.exception()
