"""Ends a command on SIGINT or SIGTERM where nothing is half done.

The signal cancels the main task, which notices where it waits: between two commits.
"""

import asyncio
import signal
from collections.abc import Coroutine

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(main: Coroutine[object, object, int]) -> int:
    """Run to the end, or to a signal: then return 128 and its number, as shells do."""
    caught: list[int] = []

    async def guarded() -> int:
        task = asyncio.current_task()
        assert task is not None

        def stop(number: int) -> None:
            caught.append(number)
            task.cancel()

        for number in _SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, stop, number)
        return await main

    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        if not caught:
            raise
        return 128 + caught[0]
