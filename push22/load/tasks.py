"""What goes on beside: each is forgotten once it is over; what it raised is told."""

import asyncio
from collections.abc import Coroutine


class Tasks:
    """Those that have not ended. A test of hours begins very many."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None

    def __len__(self) -> int:
        return len(self._running)

    def begin(self, doing: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(doing)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            self._failure = self._failure or task.exception()

    async def drain(self, within_s: float) -> None:
        """Wait, then cancel what still goes on. Raises the first failure."""
        if self._running:
            _, late = await asyncio.wait(tuple(self._running), timeout=within_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self._failure is not None:
            raise self._failure
