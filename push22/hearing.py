"""What a reader of all logs hears: each record once, in its log's order.

A record that did not come shows on the next one or on a beacon. Who may ask the
services for it does so (H5); who may not goes on with what came.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from contracts.envelope import Micros
from runtime.kafka_records import Arrived, Beacon
from runtime.log import LogUnavailable
from runtime.metrics import GAPS, MISFITS
from runtime.pull import Puller
from runtime.telemetry import get_logger

_log = get_logger("push22.hearing")

Place = tuple[str, int]
"""A service and a partition of its log."""


class Since(NamedTuple):
    """Who has a copy of the logs begins at its heads, and at Kafka's time of them."""

    at: Micros
    heads: Mapping[Place, int]


class Hearing:
    """Keeps how far each log was heard, and how far it is known to go."""

    def __init__(self, hear: Callable[[Arrived], None], puller: Puller | None) -> None:
        self._hear = hear
        self._puller = puller
        self._heard: dict[Place, int] = {}
        self._known: dict[Place, int] = {}
        """By records that came."""
        self._told: dict[Place, int] = {}
        """By beacons: a service that has no more is believed before them."""

    def begin(self, since: Since) -> None:
        """Everything up to these heads is known already."""
        self._heard = dict(since.heads)

    def take(self, found: Arrived | Beacon) -> None:
        """Hear a record that is next; note what is further on."""
        if isinstance(found, Beacon):
            told = found.service, found.partition
            self._told[told] = max(self._told.get(told, 0), found.offset)
            return
        place = found.record.service, found.record.partition
        offset = found.record.offset
        heard = self._heard.get(place, 0)
        self._known[place] = max(self._known.get(place, 0), offset)
        if offset == heard + 1 or (self._puller is None and offset > heard):
            self._heard[place] = offset
            self._hear(found)

    def missing(self) -> list[Place]:
        """Return the logs that go further than they were heard."""
        places = dict.fromkeys((*self._known, *self._told))
        return [p for p in places if self._goes_to(p) > self._heard.get(p, 0)]

    def _goes_to(self, place: Place) -> int:
        return max(self._known.get(place, 0), self._told.get(place, 0))

    async def fill(self) -> None:
        """Ask for what is missing; a service that is away is asked again later."""
        if self._puller is None:
            return
        for place in self.missing():
            try:
                await self._pull(self._puller, place)
            except LogUnavailable as error:
                _log.warning("a gap stays open", error=str(error))

    async def _pull(self, puller: Puller, place: Place) -> None:
        GAPS.labels("client", place[0]).inc()
        while (heard := self._heard.get(place, 0)) < self._goes_to(place):
            found = await puller.pull(*place, heard, self._goes_to(place))
            for arrived in found:
                self.take(arrived)
            if not found and self._told.pop(place, 0) > self._known.get(place, 0):
                MISFITS.labels("gateway", place[0]).inc()
                _log.error("a beacon was wrong", source=place[0], found=heard)
            if self._heard.get(place, 0) == heard:
                return
