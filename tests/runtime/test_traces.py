"""Traces of processes that share nothing but records: parents fit all the same."""

import asyncio
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from kafka_toys import Broker, FakeLog
from test_relay import cycles, relay
from toys import ECHO, FAULTS, TOY, ambient, command, memory, send, started

from contracts import catalog
from runtime import tracing
from runtime.bus_kafka import KafkaBus
from runtime.bus_memory import Delivery
from runtime.commands import Submitted
from runtime.handle import Worker
from runtime.kafka_records import Arrived, headers_of, read
from runtime.log_sqlite import SqliteLog
from runtime.service import Service
from runtime.trace_ids import span_of, span_of_command, trace_of
from tests import traced
from tests.traced import Spans, id_of, orphans, parent_of, service_of


def _worker(service: Service) -> tuple[Worker, KafkaBus]:
    log = SqliteLog(memory(), service.name)
    bus = KafkaBus(log, service.sources, 1)  # type: ignore[arg-type]
    return Worker(service, log, bus, ambient()), bus


async def _cycle(worker: Worker, spans: Spans) -> list[Delivery]:
    """Run a cycle as a process of its own does, and tell of it."""
    with spans.told():
        committed = await worker.cycle()
        tracing.tell(worker.service.name, committed)
    return committed.deliveries


def _over_kafka(delivery: Delivery) -> tuple[Arrived, str]:
    """Return a record as a consumer gets it, and its header for traces."""
    record = delivery.record
    headers = headers_of(record, delivery.envelope)
    message: Any = SimpleNamespace(
        topic="toy", partition=record.partition, offset=9, value=record.body,
        headers=headers,
    )  # fmt: skip
    found = read(message, record.service)
    assert isinstance(found, Arrived)
    return found, dict(headers)["traceparent"].decode()


async def test_parents_fit_across_processes() -> None:
    """What one has appended is the parent of what the other handles (traceparent)."""
    toy, _ = _worker(TOY)
    echo, bus = _worker(ECHO)
    await toy.start()
    await echo.start()
    here, there = Spans(), Spans()
    toy.desk.submit(Submitted(command("c1", 5), lambda _: None, 1))
    [added] = await _cycle(toy, here)
    arrived, header = _over_kafka(added)
    bus.offer(arrived)
    await _cycle(echo, there)

    [appended] = here.named("append toy.added.v1")
    [handled] = here.named("handle toy.add.v1")
    [hop, second] = there.named("hop toy")
    trace, span = header.split("-")[1:3]
    assert (traced.trace_of(appended), id_of(appended)) == (trace, span)
    assert parent_of(appended) == id_of(handled)
    assert parent_of(handled) == span_of_command("c1")
    assert parent_of(hop) == parent_of(second) == span
    assert {traced.trace_of(item) for item in there.all()} == {trace_of("c1")}
    both = here.all() + there.all()
    assert orphans(both) == ["handle toy.add.v1"], "its command's span is the asker's"
    assert {service_of(item) for item in both} == {"toy", "echo"}
    outcomes = {span.attributes["push22.outcome"] for span in there.named("handle")}
    assert outcomes == {"decided"}


async def test_what_is_sent_is_told_below_its_record() -> None:
    """Once it was acknowledged; also when it is sent a second time."""
    spans, log, broker = Spans(), FakeLog(2), Broker()
    broker.fail, broker.room = [None, ConnectionError("away")], 1
    made = relay(log, broker)
    with spans.told():
        await cycles(made)
    sent = spans.named("send ")
    names = [catalog.decode_envelope(record.body).id for record in log.records]
    assert [parent_of(span) for span in sent] == [span_of(name) for name in names]


async def test_the_same_record_gets_the_same_ids_again() -> None:
    """So a replay after a crash is no second trace; and a record says nothing of it."""
    found, bodies = [], []
    for spans in (Spans(), None):
        host = await started(memory())
        if spans is None:
            await send(host, "c1", 5)
        else:
            with spans.told():
                await send(host, "c1", 5)
            found += spans.named("append ")
        records = await host.worker("echo").log.read(0, 0, 10)
        bodies.append([bytes(catalog.decode_envelope(r.body).data) for r in records])
    assert bodies[0] == bodies[1]
    assert span_of("counter-a@1") in [id_of(span) for span in found]


async def test_refusals_and_faults_are_told_apart() -> None:
    """By their outcome; a fault is an error, with none of its values."""
    host, spans = await started(memory()), Spans()
    with spans.told():
        await send(host, "c1", 0)
        await send(host, "c2", FAULTS.poison)
    [refused, parked] = spans.named("handle toy.add.v1")
    assert refused.attributes["push22.outcome"] == "nothing_to_add"
    assert refused.status.is_ok
    assert parked.attributes["push22.outcome"] == "parked"
    assert not parked.status.is_ok
    assert parked.status.description is None
    assert not parked.events


async def test_a_ratio_keeps_whole_traces() -> None:
    """Every process keeps the same ones: it follows from the trace's id."""
    some, others = Spans(0.5), Spans(0.5)
    host = await started(memory())
    for spans, names in ((some, "abcdefgh"), (others, "ijklmnop")):
        with spans.told():
            for name in names:
                await send(host, f"c-{name}", 5)
    bound = 1 << 63
    kept = {traced.trace_of(span) for span in some.all() + others.all()}
    due = {trace_of(f"c-{name}") for name in "abcdefghijklmnop"}
    assert kept == {trace for trace in due if int(trace[16:], 16) < bound}
    assert kept < due


def test_traces_are_begun_by_the_environment() -> None:
    """Nothing of them is loaded unless they are asked for."""
    code = (
        "import sys; from runtime import tracing, embedded, relay;"
        "tracing.begin({}); assert tracing.CURRENT.tracer is None;"
        "assert not any(name.startswith('opentelemetry') for name in sys.modules);"
        "tracing.begin({tracing.ENDPOINT: 'http://127.0.0.1:9'});"
        "assert tracing.CURRENT.tracer; tracing.end();"
        "assert tracing.CURRENT.tracer is None"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("ratio", ["2", "-1", "much"])
def test_a_ratio_that_is_none_is_refused(ratio: str) -> None:
    """Before anything is served."""
    with pytest.raises(ValueError, match=r"ratio|float"):
        tracing.begin({tracing.ENDPOINT: "http://x", tracing.RATIO: ratio})


def test_without_the_library_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is an extra of the package."""
    monkeypatch.setitem(sys.modules, "runtime.otel", None)
    monkeypatch.delattr("runtime.otel", raising=False)
    with pytest.raises(tracing.TracesMissing, match=r"push22\[traces\]"):
        tracing.begin({tracing.ENDPOINT: "http://x"})
    assert tracing.CURRENT.tracer is None
    asyncio.run(_still_plays())


async def _still_plays() -> None:
    host = await started(memory())
    assert (await send(host, "c1", 5)).accepted
