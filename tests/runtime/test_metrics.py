"""What a process tells Prometheus, and that none of it grows with play."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import REGISTRY, CollectorRegistry
from toys import command, memory, send, started

from runtime import metrics
from runtime.backlog import Backlog, Unsent
from runtime.standing import SourceLag
from tests.measured import measured

_PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"
_BOUNDED = {
    "service", "source", "command", "outcome", "op", "result", "version", "engine",
    "digest", "rule_set",
    "route", "method", "status", "kind", "projection",
}  # fmt: skip


class Behind:
    """A process that is behind as it is told to be."""

    name = "table-orchestrator"

    def lags(self) -> Iterator[SourceLag]:
        yield SourceLag("wallet", 3, 2.5)
        yield SourceLag("shoe", -1, -0.5)

    def backlog(self) -> Unsent | None:
        return Unsent(7, 1.25)

    def progress_age_s(self) -> float:
        return 0.5


def _told(process: Behind) -> dict[tuple[str, ...], float]:
    registry = CollectorRegistry()
    registry.register(metrics.Standing(process))
    return {
        (sample.name, *sample.labels.values()): sample.value
        for metric in registry.collect()
        for sample in metric.samples
    }


def test_a_process_says_how_far_it_is_behind() -> None:
    """Clocks differ between machines: what would be below zero is zero."""
    name = "table-orchestrator"
    assert _told(Behind()) == {
        ("push22_consumer_lag_seconds", name, "wallet"): 2.5,
        ("push22_consumer_lag_seconds", name, "shoe"): 0.0,
        ("push22_consumer_lag_records", name, "wallet"): 3.0,
        ("push22_consumer_lag_records", name, "shoe"): 0.0,
        ("push22_progress_age_seconds", name): 0.5,
        ("push22_relay_unpublished_events", name): 7.0,
        ("push22_relay_lag_seconds", name): 1.25,
    }


def test_a_backlog_is_as_old_as_what_was_not_sent() -> None:
    """A relay that keeps up is never behind for long, however much there is to send."""
    backlog = Backlog()
    backlog.note(0, 10, now=1.0)
    backlog.note(0, 20, now=2.0)
    backlog.note(1, 5, now=2.5)
    assert backlog.unsent({0: 0, 1: 5}, now=3.0) == Unsent(20, 2.0)
    assert backlog.unsent({0: 10, 1: 5}, now=3.0) == Unsent(10, 1.0)
    assert backlog.unsent({0: 20, 1: 5}, now=3.0) == Unsent(0, 0.0)
    assert backlog.unsent({}, now=3.0) == Unsent(0, 0.0)


def test_a_backlog_remembers_few_heads() -> None:
    """Many heads in a short while are one; none is forgotten before it was sent."""
    backlog = Backlog()
    for offset in range(1, 1001):
        backlog.note(0, offset, now=offset / 1000)
    assert len(backlog._heads[0]) < 10
    assert backlog.unsent({0: 999}, now=2.0).records == 1


@pytest.mark.parametrize(
    ("amount", "outcome"), [(5, "accepted"), (0, "refused")], ids=["yes", "no"]
)
async def test_each_command_is_timed_with_its_outcome(
    amount: int, outcome: str
) -> None:
    """By type and outcome, when its answer is durable."""
    host = await started(memory())
    kind = next(iter(host.workers[0].service.commands))
    labels = {"service": "toy", "command": kind, "outcome": outcome}
    name = "push22_command_duration_seconds_count"
    before = measured(name, **labels)
    await send(host, "c1", amount)
    assert measured(name, **labels) == before + 1


async def test_what_cannot_be_read_is_timed_without_a_type() -> None:
    """Whatever a stranger writes makes no new label."""
    host = await started(memory())
    labels = {"service": "toy", "command": "unreadable", "outcome": "parked"}
    name = "push22_command_duration_seconds_count"
    before = measured(name, **labels)
    await host.submit(b"\xff" + command("c1", 5))
    assert measured(name, **labels) == before + 1


def test_every_metric_is_explained_and_bounded() -> None:
    """Each name stands in docs/metrics.md, and no label grows with play."""
    page = _PAGE.read_text()
    told = {family.name: family for family in REGISTRY.collect()}
    told |= {family.name: family for family in metrics.Standing(Behind()).collect()}
    ours = {name: family for name, family in told.items() if name.startswith("push22_")}
    explained = set(re.findall(r"`(push22_\w+?)(?:_total)?(?:\{[\w,]*\})?`", page))
    assert len(ours) >= 20
    assert set(ours) <= explained
    labels = {x for f in ours.values() for s in f.samples for x in s.labels}
    assert labels - {"le"} <= _BOUNDED


def test_a_metric_named_otherwise_is_one_that_is_told() -> None:
    """With the labels that it has in the tables before, and each named once there."""
    before, _, after = _PAGE.read_text().partition("### Named otherwise")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in after.partition("## Alerts")[0].splitlines()
        if line.startswith("| ") and "elsewhere" not in line
    ]
    assert len(rows) >= 5
    for elsewhere, here, _why in rows:
        ours = re.findall(r"`(push22_[^`]+)`", here)
        assert ours
        for name in ours:
            assert f"| `{name}` |" in before
            assert f"`{name}`" not in elsewhere
