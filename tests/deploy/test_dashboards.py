"""Dashboards are those that make.py writes, and Prometheus answers all they ask."""

import asyncio
import itertools
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import REGISTRY, Collector

from deploy.grafana.layout import Dashboard
from deploy.grafana.make import DASHBOARDS, FOLDER, made
from push22.bot import Wagers
from push22.casino import Casino
from push22.session import Session, Table
from push22.watching import Watching
from runtime import metrics
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.backlog import Unsent
from runtime.gauges import OwedCalls, ProjectionLags
from runtime.standing import SourceLag
from services.archive.project import ROUNDS
from tests.deploy import observers
from tests.deploy.observers import eventually, told

ROOT = Path(__file__).parents[2]
QUERIES = [
    pytest.param(query, legend, id=f"{board.name}: {panel.title}: {legend}")
    for board in DASHBOARDS
    for row in board.rows.values()
    for panel in row
    for legend, query in panel.queries.items()
]


@pytest.mark.parametrize("board", DASHBOARDS, ids=lambda board: board.name)
def test_the_committed_dashboard_is_the_one_that_is_written(board: Dashboard) -> None:
    """Nobody edits it by hand."""
    path = FOLDER / f"{board.name}.json"
    assert path.read_text() == made(board)


def test_panels_do_not_overlap_and_fill_the_width() -> None:
    """Each row is as wide as the page."""
    for board in DASHBOARDS:
        rows: dict[int, list[dict[str, int]]] = {}
        for panel in json.loads(made(board))["panels"]:
            place = panel["gridPos"]
            rows.setdefault(place["y"], []).append(place)
        for places in rows.values():
            edges = [(p["x"], p["x"] + p["w"]) for p in places]
            assert edges[0][0] == 0
            assert all(a[1] == b[0] for a, b in itertools.pairwise(edges))
            assert edges[-1][1] == 24


def test_a_panel_turns_red_above_its_limit_and_below_its_floor() -> None:
    """A stat at 3 a.m. is read by its colour first."""
    shown = {
        panel["title"]: panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
        for board in DASHBOARDS
        for panel in json.loads(made(board))["panels"]
        if panel["type"] != "row"
    }
    assert shown["Failed requests"] == [
        {"color": "green", "value": None},
        {"color": "red", "value": 0.001},
    ]
    assert shown["Availability"] == [
        {"color": "red", "value": None},
        {"color": "green", "value": 0.999},
    ]


def test_the_overlay_mounts_what_is_there() -> None:
    """Relative to docker-compose.yml, which it is laid over."""
    overlay = yaml.safe_load((ROOT / "deploy" / "compose.observe.yml").read_text())
    for service in overlay["services"].values():
        for mount in service["volumes"]:
            if mount.startswith("./"):
                assert (ROOT / mount.split(":")[0]).exists(), mount
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


class AtWork(Collector):
    """Every metric of a casino at work, by the names and labels it has for them.

    What it has counted grows with the time, as if it played on.
    """

    name = "wallet"

    def __init__(self, watching: Watching) -> None:
        self._watching = watching

    def collect(self) -> Iterator[Any]:
        metrics.ANSWERED.inc(999)
        metrics.FAILED.inc()
        for family in REGISTRY.collect():
            if family.name.startswith(("push22_", "process_")):
                yield family
        yield from metrics.Standing(self).collect()
        yield from OwedCalls(Owing()).collect()  # type: ignore[arg-type]
        yield from ProjectionLags([Index()]).collect()  # type: ignore[list-item]
        for family in self._watching.collect():
            yield _grown(family) if family.type == "counter" else family

    def lags(self) -> Iterator[SourceLag]:
        yield SourceLag("settlement", 1, 0.5)

    def backlog(self) -> Unsent:
        return Unsent(1, 0.1)

    def progress_age_s(self) -> float:
        return 0.0


class Owing:
    """A wallet's agenda."""

    def effect_count(self) -> int:
        return 3


class Index:
    """A projector that keeps up."""

    projection = ROUNDS

    def lag_s(self) -> float:
        return 0.1


def _grown(family: Any) -> CounterMetricFamily:
    """Return the same family, its samples multiplied by the seconds of a clock."""
    labels = tuple(family.samples[0].labels)
    grown = CounterMetricFamily(family.name, family.documentation, labels=labels)
    for sample in family.samples:
        value = sample.value * time.monotonic()
        grown.add_metric(tuple(sample.labels.values()), value)
    return grown


async def _played() -> Watching:
    """Return what has heard a real casino play a round."""
    clock = ManualClock()
    watching = Watching(clock.now)
    ambient = Ambient(clock, SeededEntropy(7), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    casino.host.subscribe(watching.hear)
    bet = Wagers((1,), (1000, 1000))
    session = Session(casino, Table("t1", "ny-switch-6d", "local.alice", bet))
    await session.open()
    await session.fill_purse()
    await session.play(session.bot)
    await casino.close()
    return watching


def _touch() -> None:
    """Let every counter and histogram of ours have a series."""
    pair = ("wallet", "settlement")
    metrics.COMMAND_SECONDS.labels("wallet", "wallet.deposit.v1", "accepted").observe(1)
    metrics.APPEND_SECONDS.labels("wallet").observe(0.01)
    metrics.HOP_SECONDS.labels(*pair).observe(0.01)
    metrics.CALL_SECONDS.labels("debit", "done").observe(0.01)
    for counter in (metrics.REPEATS, metrics.GAPS, metrics.PULLED, metrics.MISFITS):
        counter.labels(*pair).inc()
    metrics.CALLS_ALARMED.labels("credit").inc()
    metrics.CHAIN_BREAKS.labels(*pair).inc()
    metrics.REQUEST_SECONDS.labels("/live", "GET", "200").observe(0.01)
    metrics.SOCKET_MESSAGES.labels("command").inc()
    for counter in (metrics.PARKED, metrics.LOG_FAILURES):
        counter.labels("wallet").inc()
    metrics.tell_build("test", "of the test")


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a Prometheus that asks a casino at work."""
    _touch()
    registry = CollectorRegistry()
    registry.register(AtWork(asyncio.run(_played())))
    folder = tmp_path_factory.mktemp("prometheus")
    with told(registry) as target:
        (folder / "prometheus.yml").write_text(_config(target))
        with observers.prometheus(folder) as address:
            yield address


def _config(target: str) -> str:
    """Our own rules, asked for often enough for a test."""
    rules = ROOT / "deploy" / "prometheus"
    return yaml.safe_dump(
        {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(rules / "recording.yml"), str(rules / "alerts.yml")],
            "scrape_configs": [
                {
                    "job_name": "push22",
                    "static_configs": [{"targets": [target]}],
                }
            ],
        }
    )


def _asked(address: str, query: str) -> list[Any]:
    answer = httpx.get(f"{address}/api/v1/query", params={"query": query}, timeout=10)
    body = answer.json()
    assert body["status"] == "success", body
    found: list[Any] = body["data"]["result"]
    return found


def _answered(address: str, query: str) -> list[Any]:
    """Return the first answer that has a series: rules take turns."""
    return eventually(lambda: _asked(address, query)) or []


@pytest.mark.parametrize(("query", "legend"), QUERIES)
def test_prometheus_answers_what_a_panel_asks(
    prometheus: str, query: str, legend: str
) -> None:
    """With at least one series that has what the legend says of it."""
    found = _answered(prometheus, query.replace("$__rate_interval", "30s"))
    assert found
    for label in re.findall(r"\{\{(\w+)\}\}", legend):
        assert any(series["metric"].get(label) for series in found), label


@pytest.mark.parametrize("window", ["1 hour", "6 hours", "3 days"])
def test_availability_is_the_share_that_was_answered(
    prometheus: str, window: str
) -> None:
    """Of a casino at work that fails one request in a thousand."""
    (panel,) = (
        panel
        for board in DASHBOARDS
        for row in board.rows.values()
        for panel in row
        if panel.title == "Availability"
    )
    query = panel.queries[window]
    assert eventually(lambda: _share(prometheus, query) == pytest.approx(0.999))


def _share(address: str, query: str) -> float:
    """Return the one number of an answer; it is none while there is no rate."""
    return float(next((x["value"][1] for x in _asked(address, query)), "nan"))
