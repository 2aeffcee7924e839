"""Watches that a consumer gets what Kafka has: a hung one answers every ping (FC9).

Each assigned partition must stand at its end or move. A broker that cannot be asked for
as long counts as well: nothing is consumed then, whatever the reason.
"""

import asyncio
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from aiokafka import TopicPartition
from aiokafka.errors import KafkaError

STALLED_S = 30.0
LOOK_S = 3.0
_ASK_S = 5.0


class Consumer(Protocol):
    """What is asked of a consumer."""

    def assignment(self) -> AbstractSet[TopicPartition]: ...

    async def position(self, place: TopicPartition) -> int: ...

    async def end_offsets(
        self, places: list[TopicPartition]
    ) -> Mapping[TopicPartition, int]: ...


class Consumption:
    """Says whether what comes in is read."""

    def __init__(
        self, consumer: Callable[[], Consumer | None], clock: Callable[[], float]
    ) -> None:
        self._consumer = consumer
        self._clock = clock
        self._looked_at = clock()
        self._well_at: dict[TopicPartition, float] = {}
        self._positions: dict[TopicPartition, int] = {}
        self.behind: dict[TopicPartition, int] = {}
        """How many messages of each partition were not fetched at the last look."""

    @property
    def is_alive(self) -> bool:
        now = self._clock()
        return all(
            now - at < STALLED_S for at in (self._looked_at, *self._well_at.values())
        )

    async def run(self) -> None:
        """Look again and again until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Compare positions with ends; where nobody answers, nothing is noted."""
        consumer = self._consumer()
        if consumer is None:
            return
        try:
            async with asyncio.timeout(_ASK_S):
                places = list(consumer.assignment())
                ends = await consumer.end_offsets(places) if places else {}
                found = {place: await consumer.position(place) for place in places}
        except (KafkaError, OSError):
            return
        now = self._clock()
        self._looked_at = now
        # A partition that was just assigned has as long as any other.
        self._well_at = {place: self._well_at.get(place, now) for place in places}
        for place, position in found.items():
            if position == ends[place] or position != self._positions.get(place):
                self._well_at[place] = now
        self._positions = found
        self.behind = {place: ends[place] - at for place, at in found.items()}
