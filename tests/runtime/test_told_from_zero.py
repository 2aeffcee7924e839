"""What an alert waits for is told as 0 before it happens: a birth is no growth."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY, CollectorRegistry
from toys import ambient, memory

from contracts.topics import TOPICS, Kind
from push22.casino import SERVICES
from push22.operator.client import OperatorClient
from push22.watching import Watching
from runtime import metrics
from runtime.archive_host import ArchiveHost
from runtime.distributed import DistributedHost
from runtime.embedded import EmbeddedHost
from runtime.mirror import Mirror
from runtime.service import Service
from services.wallet.retries import UNTIL_DONE

ALERTS = Path(__file__).parents[2] / "deploy" / "prometheus" / "alerts.yml"
_OF_SERVICE = {"push22_parked_total", "push22_log_failures_total"}
_OF_SOURCE = {
    "push22_gaps_total",
    "push22_sources_halted_total",
    "push22_chain_breaks_total",
}
_OF_CALL = "push22_wallet_calls_alarmed_total"
_COUNTERS = (
    metrics.PARKED,
    metrics.LOG_FAILURES,
    metrics.GAPS,
    metrics.HALTED,
    metrics.CHAIN_BREAKS,
    metrics.CALLS_ALARMED,
)
_NOBODY: Any = SimpleNamespace()


class Log:
    """As much of a log as a host asks for before it works."""

    partitions = 8
    incarnation = "first"
    is_shared = True

    def __init__(self, service: str) -> None:
        self.service = service


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Let every counter begin without a series, as a process does."""
    for counter in _COUNTERS:
        counter.clear()
    yield
    for counter in _COUNTERS:
        counter.clear()


def _are_told(service: str, sources: tuple[str, ...]) -> None:
    for name in _OF_SERVICE:
        assert REGISTRY.get_sample_value(name, {"service": service}) == 0, name
    for name in _OF_SOURCE:
        for source in sources:
            where = {"service": service, "source": source}
            assert REGISTRY.get_sample_value(name, where) == 0, (name, where)


def test_the_casino_in_one_process_tells_of_every_service() -> None:
    """Before it is started."""
    EmbeddedHost(memory(), SERVICES, ambient())
    for service in SERVICES:
        _are_told(service.name, service.sources)


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
async def test_a_service_of_its_own_tells_of_its_sources(service: Service) -> None:
    """Before it has heard of any."""
    log: Any = Log(service.name)
    DistributedHost(
        service, log, ambient(), relay=_NOBODY, puller=_NOBODY, guard=_NOBODY
    )
    _are_told(service.name, service.sources)


def test_the_archive_tells_of_every_log() -> None:
    """It reads all of them."""
    ArchiveHost(Mirror(memory()), (), _NOBODY, _NOBODY)
    logs = tuple(topic.service for topic in TOPICS if topic.kind is Kind.EVENTS)
    assert len(logs) == len(SERVICES)
    _are_told("archive", logs)


async def test_a_wallet_tells_of_every_call_that_may_need_a_person() -> None:
    """From the moment it can make any."""
    client = OperatorClient({})
    for kind in UNTIL_DONE:
        assert REGISTRY.get_sample_value(_OF_CALL, {"op": kind}) == 0
    await client.close()


def test_rounds_of_every_end_are_told() -> None:
    """A casino that has closed none has closed 0 of each."""
    registry = CollectorRegistry()
    registry.register(Watching(lambda: 0))
    for outcome in ("settled", "void", "abandoned"):
        of = {"outcome": outcome}
        assert registry.get_sample_value("push22_rounds_total", of) == 0


def test_no_counter_that_pages_is_left_out() -> None:
    """Whatever an alert counts, or asks for as it stands, is among those above."""
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    asked = " ".join(rule["expr"] for group in groups for rule in group["rules"])
    counted = set(re.findall(r"\bpush22_\w+_total\b", asked))
    money = {"push22_stakes_minor_total"}
    assert counted - money == _OF_SERVICE | _OF_SOURCE | {_OF_CALL}
