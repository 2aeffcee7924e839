"""How far a service's process is behind its sources, and its relay behind its log."""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.topics import BY_NAME, Kind
from runtime.backlog import Unsent
from runtime.consumption import Consumption
from runtime.distributed import DistributedHost

_SECOND_US = 1_000_000


class SourceLag(NamedTuple):
    """`records` came to Kafka or to us and are not handled; `seconds`: since when.

    While something is known and not handled, the age of the newest record that was is
    the distance in event time: it also grows while nothing comes through at all.
    """

    source: str
    records: int
    seconds: float


class ServiceStanding:
    """One service's process, as metrics ask it."""

    def __init__(self, host: DistributedHost, consumption: Consumption) -> None:
        self.name = host.service.name
        self._host = host
        self._consumption = consumption
        self._began_at = host.ambient.clock.now()

    def lags(self) -> Iterator[SourceLag]:
        now = self._host.ambient.clock.now()
        unread = self._unread()
        for source in self._host.service.sources:
            records = unread.get(source, 0) + self._host.bus.waiting(source)
            newest = self._host.worker.hops.newest.get(source, self._began_at)
            seconds = (now - newest) / _SECOND_US if records else 0.0
            yield SourceLag(source, records, seconds)

    def _unread(self) -> dict[str, int]:
        """Count what Kafka has and the consumer has not fetched, by source."""
        found: dict[str, int] = {}
        for place, count in self._consumption.behind.items():
            topic = BY_NAME[place.topic]
            if topic.kind is Kind.EVENTS:
                found[topic.service] = found.get(topic.service, 0) + count
        return found

    def backlog(self) -> Unsent:
        return self._host.relay.backlog()

    def progress_age_s(self) -> float:
        return self._host.progress_age_s()
