"""A running casino's rounds and money, as Prometheus asks for them.

It hears of every record once it is durable: the casino in one process hears itself, a
distributed one is heard by its archive.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import get_args

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import REGISTRY, Collector

from contracts import catalog
from contracts.envelope import Micros
from contracts.round_search import Status
from runtime.bus_memory import Delivery
from runtime.projection import Feed
from runtime.sqlite_file import SqliteFile
from runtime.telemetry import get_logger
from services.archive.live_audit import HEEDS, LiveAudit

_log = get_logger("push22.watching")

_OUTCOMES = tuple(status for status in get_args(Status) if status != "open")
_SECOND_US = 1_000_000
_BATCH = 1024
_OPEN = "SELECT round_id FROM archive_rounds WHERE status = 'open'"


class Watching(Collector):
    """Follows open rounds and money; told to Prometheus while it is registered."""

    def __init__(self, now: Callable[[], Micros]) -> None:
        self._now = now
        self._audit = LiveAudit()
        self._told = 0

    def begin(self, file: SqliteFile) -> None:
        """Learn the rounds that are open, then be told with all other metrics."""
        for (round_id,) in file.query(_OPEN):
            found = (Delivery(record) for record in file.records_of_round(round_id))
            self._audit.learn((x.envelope, x.event) for x in _known(found))
        REGISTRY.register(self)

    def end(self) -> None:
        REGISTRY.unregister(self)

    def hear(self, delivery: Delivery) -> None:
        """Take in what was committed just now."""
        for item in _known((delivery,)):
            self._audit.see(item.envelope, item.event)
        self._say_what_broke()

    def _say_what_broke(self) -> None:
        broken = self._audit.broken.total()
        if broken > self._told:
            self._told = broken
            _log.error("money rule broken", text=self._audit.last_broken)

    def collect(self) -> Iterator[Metric]:
        now = self._now()
        self._audit.look(now)
        self._say_what_broke()
        opened = self._audit.open_rounds()
        yield GaugeMetricFamily(
            "push22_rounds_open", "Rounds that have not ended.", len(opened)
        )
        oldest = max((now - at for at in opened), default=0) / _SECOND_US
        yield GaugeMetricFamily(
            "push22_round_age_seconds_max", "Age of the oldest of them.", max(oldest, 0)
        )
        yield GaugeMetricFamily(
            "push22_ledger_invariant_violations",
            "Rules of money broken since the process began: must be 0.",
            self._audit.broken.total(),
        )
        yield from self._counted()

    def _counted(self) -> Iterator[Metric]:
        rounds = CounterMetricFamily(
            "push22_rounds", "Rounds that ended.", labels=("outcome",)
        )
        for outcome in _OUTCOMES:
            rounds.add_metric((outcome,), self._audit.ended[outcome])
        yield rounds
        for name, text, counts in (
            ("push22_stakes_minor", "Stakes settled.", self._audit.stakes_minor),
            ("push22_payouts_minor", "Paid for them.", self._audit.payouts_minor),
        ):
            family = CounterMetricFamily(name, text, labels=("rule_set", "currency"))
            for group, amount in counts.items():
                family.add_metric(group, amount)
            yield family
        yield self._returned()

    def _returned(self) -> Metric:
        """Divide like by like: a rule set's actual return has a currency, too."""
        ratio = GaugeMetricFamily(
            "push22_return_actual_ratio",
            "Paid for what was staked, since the process began.",
            labels=("rule_set", "currency"),
        )
        for group, stakes in self._audit.stakes_minor.items():
            if stakes:
                ratio.add_metric(group, self._audit.payouts_minor[group] / stakes)
        return ratio


def _known(deliveries: Iterable[Delivery]) -> Iterator[Delivery]:
    """Pass on what concerns money and this software can read."""
    for item in deliveries:
        is_heeded = item.record.type in HEEDS or item.record.service == "wallet"
        if is_heeded and catalog.is_event(item.record.type):
            yield item


class Follower:
    """Has `watching` hear what a mirror stores from now on."""

    def __init__(self, watching: Watching, file: SqliteFile, feed: Feed) -> None:
        self._watching = watching
        self._file = file
        self._feed = feed
        self._positions: dict[tuple[str, int], int] = {}

    def start(self) -> None:
        """Begin at the heads; what a fresh copy catches up on is history."""
        query = "SELECT service, part, offset - 1 FROM heads"
        self._positions = {
            (service, part): offset for service, part, offset in self._file.query(query)
        }
        self._watching.begin(self._file)

    async def cycle(self, *, at_least: int = 1) -> bool:
        """Hear what is new; true if there was anything."""
        del at_least
        heard = False
        query = "SELECT service, part FROM heads"
        for service, part in self._file.query(query):
            after = self._positions.get((service, part), 0)
            found = await self._feed.after(service, part, after, _BATCH)
            for delivery in found:
                self._watching.hear(delivery)
                self._positions[service, part] = delivery.record.offset
                heard = True
        return heard
