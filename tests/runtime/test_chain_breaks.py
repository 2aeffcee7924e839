"""Where records do not follow on one another, it is counted; and nothing else is."""

from types import SimpleNamespace
from typing import Any

import pytest
from kafka_toys import message, records
from prometheus_client import CollectorRegistry
from toys import ECHO, ambient, memory, send, started

from runtime.archive_host import ArchiveHost
from runtime.bus_kafka import KafkaBus
from runtime.gauges import ProjectionLags
from runtime.halts import note_halt
from runtime.handle import Worker
from runtime.kafka_records import Arrived, read
from runtime.log import ChainBroken
from runtime.log_sqlite import SqliteLog
from runtime.mirror import Mirror
from runtime.projection import Projection, Projector
from tests.measured import measured

_COUNT = "push22_chain_breaks_total"


def broken(service: str, source: str = "toy") -> float:
    return measured(_COUNT, service=service, source=source)


def arrived(count: int) -> list[Arrived]:
    found = [read(message(record), "toy") for record in records(count)]
    return [item for item in found if isinstance(item, Arrived)]


async def test_a_fork_of_a_source_is_counted() -> None:
    """Once, for the source is read no further."""
    log = SqliteLog(memory(), "echo")
    bus = KafkaBus(log, ("toy",), 1)  # type: ignore[arg-type]
    worker = Worker(ECHO, log, bus, ambient())
    await worker.start()
    first, second = arrived(2)
    bus.offer(first)
    bus.offer(second._replace(record=second.record._replace(previous=bytes(32))))
    before = broken("echo")
    await worker.cycle()
    await worker.cycle()
    assert broken("echo") == before + 1
    assert "fork" in worker.halted["toy"]


async def test_another_history_in_the_archive_is_counted() -> None:
    """Once for each source, also where it is offered again; it is halted as well."""
    host = ArchiveHost(Mirror(memory()), (), *_NOBODY)
    first, second = arrived(2)
    other = second._replace(record=second.record._replace(previous=bytes(32)))
    before = (
        broken("archive"),
        measured("push22_sources_halted_total", service="archive", source="toy"),
    )
    await host.take([first, other])
    await host.take([other])
    assert broken("archive") == before[0] + 1
    assert (
        measured("push22_sources_halted_total", service="archive", source="toy")
        == before[1] + 1
    )


_NOBODY: Any = (SimpleNamespace(), SimpleNamespace())


@pytest.mark.parametrize(
    ("reason", "count"),
    [
        ("fork: toy offset 7", 1),
        ("toy/0 offset 7, a-1@7: fork: the copy has another record there", 1),
        ("toy/0 offset 7, a-1@7: chain: its bytes are not those", 1),
        ("gap: toy offset 7 after 5", 0),
        ("incarnation: toy is another log now", 0),
        ("lost tail: toy ends at 5, read to 7", 0),
    ],
)
def test_other_reasons_to_halt_break_no_chain(reason: str, count: int) -> None:
    """They are told by push22_sources_halted_total."""
    before = broken("wallet")
    note_halt("wallet", "toy", reason)
    assert broken("wallet") == before + count


async def test_an_index_that_cannot_go_on_says_so_and_lags() -> None:
    """Its lag grows from when it knew of the record; other indexes are at 0."""
    host = await started(memory())
    rows: list[int] = []
    index = _index(host, lambda sql, delivery: rows.append(delivery.record.offset))
    await send(host, "c1", 5)
    assert await index.cycle()
    assert _lag(index) == 0
    index._positions["toy", 0] = (1, bytes(32))
    await send(host, "c2", 6)
    before = broken("toy-index")
    with pytest.raises(ChainBroken):
        await index.cycle()
    assert broken("toy-index") == before + 1
    first = _lag(index)
    assert 0 < first < _lag(index)
    assert rows == [1]


async def test_what_is_not_projected_yet_lags() -> None:
    """An index that waits for more says for how long; then it is at 0 again."""
    host = await started(memory())
    index = _index(host, lambda sql, delivery: None)
    await send(host, "c1", 5)
    assert not await index.cycle(at_least=100)
    assert _lag(index) > 0
    assert await index.cycle()
    assert _lag(index) == 0


def _index(host: Any, apply: Any) -> Projector:
    projection = Projection(
        "toy-index", 1, ("toy",), frozenset({"toy.added.v1"}), (), (), apply
    )
    found = Projector(projection, host.file, host.bus)
    found.start()
    return found


def _lag(index: Projector) -> float:
    registry = CollectorRegistry()
    registry.register(ProjectionLags([index]))
    labels = {"projection": "toy-index"}
    found = registry.get_sample_value("push22_projection_lag_seconds", labels)
    assert found is not None
    return found
