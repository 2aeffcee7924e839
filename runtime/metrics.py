"""What a process counts and times, for Prometheus: names, labels and units.

Every name is listed here and explained in docs/metrics.md. Labels are few and bounded:
never a player, a round or anything else that grows with play. Times are seconds.
"""

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Protocol

from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import REGISTRY, Collector

from contracts import ENGINE_VERSION

_FAST = (0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.08, 0.1, 0.25, 0.5, 1, 2.5)
_SLOW = (*_FAST, 5, 10, 30)
_SOURCE = ("service", "source")

COMMAND_SECONDS = Histogram(
    "push22_command_duration_seconds",
    "From a command's arrival to its committed answer.",
    ("service", "command", "outcome"),
    buckets=_SLOW,
)
APPEND_SECONDS = Histogram(
    "push22_log_append_duration_seconds",
    "One append: records, positions and answers.",
    ("service",),
    buckets=_FAST,
)
HOP_SECONDS = Histogram(
    "push22_hop_duration_seconds",
    "From a record's commit to its handling by another service.",
    _SOURCE,
    buckets=_SLOW,
)
CALL_SECONDS = Histogram(
    "push22_wallet_call_duration_seconds",
    "One call to an operator's wallet.",
    ("op", "result"),
    buckets=_SLOW,
)
CALLS_ALARMED = Counter(
    "push22_wallet_calls_alarmed",
    "Attempts that left a call to an operator for a person to look at.",
    ("op",),
)
CALL_DUPLICATES = Counter(
    "push22_wallet_duplicates",
    "Calls that an operator answered with what it had answered before.",
    ("op",),
)
BATCHES = Counter(
    "push22_batches",
    "Batches of messages from Kafka, one taken at a time.",
    ("service",),
)
REPEATS = Counter(
    "push22_repeats_dropped", "Records that came again and were dropped.", _SOURCE
)
GAPS = Counter("push22_gaps", "Times that a source was asked for a range.", _SOURCE)
PULLED = Counter("push22_gap_records_pulled", "Records got that way.", _SOURCE)
MISFITS = Counter(
    "push22_misfits", "Messages that are no record of their topic.", _SOURCE
)
HALTED = Counter(
    "push22_sources_halted", "Gaps, forks and other logs that halted a source.", _SOURCE
)
CHAIN_BREAKS = Counter(
    "push22_chain_breaks", "Records that do not follow on one another.", _SOURCE
)
PARKED = Counter(
    "push22_parked", "Streams set aside, and undecodable commands.", ("service",)
)
LOG_FAILURES = Counter(
    "push22_log_failures", "Times that the database was not there.", ("service",)
)
EFFECTS_FAILED = Counter(
    "push22_effects_failed", "Faults of our own at the edge.", ("service",)
)
AGENDAS_MENDED = Counter(
    "push22_agendas_mended", "Deadlines planned again from a state.", ("service",)
)
SNAPSHOTS_PASSED_OVER = Counter(
    "push22_snapshots_passed_over", "Snapshots that did not fit.", ("service",)
)
HEARERS_FAILED = Counter("push22_hearers_failed", "Listeners that raised an error.")
COMMANDS_RESENT = Counter("push22_commands_resent", "Commands sent a second time.")
RELAYED = Counter("push22_relay_events", "Records sent to Kafka.", ("service",))
RELAY_FAILURES = Counter(
    "push22_relay_failures", "Times that sending began again.", ("service",)
)
REQUEST_SECONDS = Histogram(
    "push22_gateway_request_duration_seconds",
    "From a request to the end of its answer.",
    ("route", "method", "status"),
    buckets=_SLOW,
)
GATEWAY_ANSWERS = Counter(
    "push22_gateway_answers",
    "Requests and sockets' commands: answered, or failed by no fault of theirs.",
    ("outcome",),
)
ANSWERED = GATEWAY_ANSWERS.labels("answered")
FAILED = GATEWAY_ANSWERS.labels("failed")
SOCKETS = Gauge("push22_gateway_sockets", "Players' sockets that are open.")
SOCKET_MESSAGES = Counter(
    "push22_gateway_message", "What players' sockets said, by kind.", ("kind",)
)
GATEWAY_FAILURES = Counter(
    "push22_gateway_failures", "Requests that ended in a fault of ours."
)
GATEWAY_SLOW = Counter("push22_gateway_slow_clients", "Sockets dropped as too slow.")
GATEWAY_FULL = Counter(
    "push22_gateway_connections_refused", "Connections beyond what is allowed."
)
GATEWAY_DAWDLING = Counter(
    "push22_gateway_slow_connections", "Requests or answers that took too long."
)
GATEWAY_UNREADABLE = Counter(
    "push22_gateway_unreadable", "Requests, handshakes and frames that are none."
)
GATEWAY_KEYS = Counter(
    "push22_gateway_keys_not_fetched", "Times that an issuer's keys were not had."
)


BUILD = Gauge(
    "push22_build_info",
    "Always 1; what is running.",
    ("version", "engine", "digest"),
)
RULES = Gauge(
    "push22_rules_info",
    "Always 1; the digest of each rule set that this software has.",
    ("rule_set", "digest"),
)
COMPONENTS_WRONG = Gauge(
    "push22_components_wrong", "Files of ours that are not what they should be."
)
COMPONENTS_CHECKED = Gauge(
    "push22_components_checked_timestamp_seconds", "When they were verified last."
)


class Stopwatch:
    """Tells how long ago it was made."""

    __slots__ = ("_began",)

    def __init__(self) -> None:
        self._began = perf_counter()

    def seconds(self) -> float:
        return perf_counter() - self._began


class Lag(Protocol):
    """One source as its reader stands to it now."""

    @property
    def source(self) -> str: ...

    @property
    def records(self) -> int: ...

    @property
    def seconds(self) -> float: ...


class Backlog(Protocol):
    """What a relay has not sent yet."""

    @property
    def records(self) -> int: ...

    @property
    def seconds(self) -> float: ...


class Watched(Protocol):
    """A process that says how far behind it is, whenever it is asked."""

    @property
    def name(self) -> str: ...

    def lags(self) -> Iterable[Lag]: ...

    def backlog(self) -> Backlog | None: ...

    def progress_age_s(self) -> float: ...


class Standing(Collector):
    """How processes stand at the moment they are asked, never below zero.

    A process of the operating system is one of them; a test may hold several.
    """

    def __init__(self, *processes: Watched) -> None:
        self.processes = list(processes)

    def collect(self) -> Iterator[Metric]:
        seconds = GaugeMetricFamily(
            "push22_consumer_lag_seconds",
            "Age of the newest record handled, while more are known; else 0.",
            labels=_SOURCE,
        )
        records = GaugeMetricFamily(
            "push22_consumer_lag_records",
            "Records known of and not handled yet.",
            labels=_SOURCE,
        )
        for process in self.processes:
            for lag in process.lags():
                where = (process.name, lag.source)
                seconds.add_metric(where, max(lag.seconds, 0.0))
                records.add_metric(where, max(lag.records, 0))
        yield from (seconds, records, self._age(), *self._relay())

    def _age(self) -> Metric:
        age = GaugeMetricFamily(
            "push22_progress_age_seconds",
            "Since the process last got something done or had nothing to do.",
            labels=("service",),
        )
        for process in self.processes:
            age.add_metric((process.name,), max(process.progress_age_s(), 0.0))
        return age

    def _relay(self) -> Iterator[Metric]:
        unsent = GaugeMetricFamily(
            "push22_relay_unpublished_events",
            "Records in the log that Kafka has not acknowledged.",
            labels=("service",),
        )
        lag = GaugeMetricFamily(
            "push22_relay_lag_seconds",
            "How long the oldest of them has been known of.",
            labels=("service",),
        )
        for process in self.processes:
            backlog = process.backlog()
            if backlog is not None:
                unsent.add_metric((process.name,), max(backlog.records, 0))
                lag.add_metric((process.name,), max(backlog.seconds, 0.0))
        yield from (unsent, lag)


_STANDING = Standing()
REGISTRY.register(_STANDING)


def watch(process: Watched) -> Callable[[], None]:
    """Have a process's standing told with all metrics, until the result is called."""
    _STANDING.processes.append(process)
    return lambda: _STANDING.processes.remove(process)


def begin_at_zero(service: str, sources: Iterable[str]) -> None:
    """Have what an alert waits for told from a process's start on.

    A series that begins with its first event has not grown: Prometheus would see
    nothing happen.
    """
    for counter in (PARKED, LOG_FAILURES):
        counter.labels(service)
    for source in sources:
        for counter in (GAPS, HALTED, CHAIN_BREAKS):
            counter.labels(service, source)


def tell_build(version: str, digest: str) -> None:
    """Say once what software this is."""
    BUILD.labels(version, ENGINE_VERSION, digest).set(1)
