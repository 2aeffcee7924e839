"""Faults on purpose: logs that crash at a chosen await, a bus that errs."""

import random
from collections.abc import Awaitable, Callable
from typing import Any

from runtime.bus_memory import Delivery, MemoryBus
from runtime.log import Log

_PLAIN = ("service", "partitions", "incarnation", "file", "is_shared")


class Crash(BaseException):
    """The process is gone. No code may catch it."""


class Fuse:
    """Counts awaits over all logs and blows at some of them, before or after."""

    def __init__(self, *at: int, after: bool = False) -> None:
        self.at = at
        self.after = after
        self.count = 0

    async def around(self, call: Callable[[], Awaitable[Any]]) -> Any:
        self.count += 1
        is_last = self.count in self.at
        if is_last and not self.after:
            raise Crash
        result = await call()
        if is_last:
            raise Crash
        return result


class CrashingLog:
    """A log whose every call may be the last thing that happens."""

    def __init__(self, log: Log, fuse: Fuse) -> None:
        self._log = log
        self._fuse = fuse

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._log, name)
        if name in _PLAIN:
            return found

        async def call(*values: Any) -> Any:
            return await self._fuse.around(lambda: found(*values))

        return call


class UnrulyBus(MemoryBus):
    """Delivers old records again, and keeps others back for a while."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self._rng = rng

    async def after(
        self, service: str, partition: int, offset: int, limit: int
    ) -> list[Delivery]:
        chance = self._rng.random()
        if chance < 0.2:
            return []
        if chance < 0.5 and offset:
            back = min(offset, self._rng.randint(1, 5))
            return await super().after(service, partition, offset - back, limit)
        few = self._rng.randint(1, 4) if chance < 0.8 else limit
        return await super().after(service, partition, offset, few)
