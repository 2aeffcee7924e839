"""Asking sources for what did not come, while everything else goes on (H5).

A source that is away holds up what reads its missing records, and nothing else: each
partition is asked for by itself, beside the loop, and again after a while.
"""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from runtime.bus_kafka import KafkaBus, Key, Missing
from runtime.kafka_records import Arrived
from runtime.log import LogUnavailable, Position
from runtime.metrics import GAPS
from runtime.pull import Puller
from runtime.telemetry import get_logger

_log = get_logger("runtime.gaps")

RETRY_S = 0.5
"""A source that did not answer is asked again after so long."""


class Pulled(NamedTuple):
    """What a source gave after an offset; empty: it has nothing there."""

    after: int
    items: list[Arrived]
    is_empty: bool


class Gaps:
    """The pulls that are under way for one bus."""

    def __init__(self, bus: KafkaBus, puller: Puller) -> None:
        self._bus = bus
        self._puller = puller
        self._pulls: dict[Key, asyncio.Task[Pulled]] = {}
        self._not_before: dict[Key, float] = {}

    def fill(self, positions: Iterable[Position]) -> None:
        """Take in what came, and ask for what is missing before the loop goes on."""
        now = asyncio.get_running_loop().time()
        for position in positions:
            key = position.source, position.partition
            self._take_in(key)
            gap = self._bus.missing(position)
            is_due = now >= self._not_before.get(key, 0.0)
            if gap is not None and is_due and key not in self._pulls:
                GAPS.labels(self._bus.service, key[0]).inc()
                self._pulls[key] = asyncio.create_task(self._pull(key, gap))

    def _take_in(self, key: Key) -> None:
        task = self._pulls.get(key)
        if task is not None and task.done():
            del self._pulls[key]
            found = task.result()
            self._bus.fill(key, found.items)
            if found.is_empty:
                self._bus.refute(key, found.after)

    async def _pull(self, key: Key, gap: Missing) -> Pulled:
        """Ask once; a longer gap is asked for in parts."""
        try:
            items = await self._puller.pull(*key, gap.after, gap.to)
        except LogUnavailable as error:
            _log.warning("a gap stays open", error=str(error))
            self._not_before[key] = asyncio.get_running_loop().time() + RETRY_S
            return Pulled(gap.after, [], is_empty=False)
        return Pulled(gap.after, items, is_empty=not items)

    async def stop(self) -> None:
        """Give up what is under way: it is asked for again after a restart."""
        for task in self._pulls.values():
            task.cancel()
        await asyncio.gather(*self._pulls.values(), return_exceptions=True)
        self._pulls.clear()
