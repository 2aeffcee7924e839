"""What cannot be handled is set aside, and the rest goes on (H9)."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from log_backends import draft
from toys import (
    FAULTS,
    TOY,
    Add,
    Added,
    ambient,
    command,
    envelopes,
    failing,
    memory,
    send,
    started,
)

from contracts import catalog
from contracts.base import Event, tag_of
from contracts.envelope import Envelope
from runtime import parked
from runtime.ambient import KeyMissing
from runtime.embedded import EmbeddedHost
from runtime.log import Batch, LogUnavailable
from runtime.service import To

ADDED = b'{"type":"toy.added.v1","counter":"a","amount":3}'


class AddedInCents(Event, frozen=True, tag="toy.added.v1"):
    """What newer software makes of it: nothing that the echo heeds."""

    counter: str
    amount: int


NEWER = msgspec.json.Decoder(AddedInCents)


async def test_h9_a_fault_sets_the_target_aside_and_the_rest_goes_on() -> None:
    """Later commands for it queue behind and are told so; others are handled."""
    host = await started(memory())
    poisoned = await send(host, "c1", FAULTS.poison)
    behind = await send(host, "c2", 5)

    assert poisoned.reason == behind.reason == "set_aside"
    assert (await send(host, "c3", 5, counter="b")).accepted
    items = await host.worker("toy").log.parked()
    assert [(i.stream, i.kind) for i in items] == [("counter-a", "command")] * 2
    assert "poisoned" in items[0].reason


async def test_h9_a_retry_handles_the_queue_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once the fault is mended, all of it takes effect once, in order of arrival."""
    host = await started(memory())
    await send(host, "c1", FAULTS.poison)
    await send(host, "c2", 5)
    worker = host.worker("toy")
    assert (await parked.retry(worker, "counter-a"))[0] == 0
    monkeypatch.setattr(FAULTS, "poison", -1)

    assert await parked.retry(worker, "counter-a") == (2, "")
    assert [e.caused_by for e in await envelopes(host, "toy")] == ["c1", "c2"]
    assert await worker.log.parked() == []
    assert (await send(host, "c3", 5)).accepted


async def test_h9_a_discard_keeps_who_and_why() -> None:
    """What is given up stays on record, and the stream goes on."""
    host = await started(memory())
    await send(host, "c1", FAULTS.poison)
    await parked.discard(host.worker("toy"), 1, by="sam", why="a test")

    rows = host.file.query("SELECT verdict, decided_by, why FROM parked")
    assert rows == [("discarded", "sam", "a test")]
    assert (await send(host, "c2", 5)).accepted


async def test_h9_other_targets_of_the_same_record_commit() -> None:
    """A record whose one target fails still reaches the other; a retry adds it."""
    host = await started(memory())
    worker = host.worker("echo")
    worker.aside.add("echo-a")
    await send(host, "c1", 5)

    assert [e.stream for e in await envelopes(host, "echo")] == ["echo-all"]
    assert await parked.retry(worker, "echo-a") == (1, "")
    streams = [e.stream for e in await envelopes(host, "echo")]
    assert streams == ["echo-all", "echo-a"]


async def test_h9_a_set_aside_target_holds_up_no_other_target_of_its_own_records() -> (
    None
):
    """A service that reads itself keeps a stream's two roles apart."""
    host = await _self_reading()
    worker = host.worker("toy")
    worker.aside.add("counter-a")
    record = (await worker.log.read(0, 0, 1))[0]

    assert record.stream == "counter-a"
    await host.settle()
    assert [e.stream for e in await envelopes(host, "toy")] == [
        "counter-a",
        "counter-sum",
    ]


async def _self_reading() -> EmbeddedHost:
    """Return a host whose service has written, but not yet read, its own record."""

    def react(envelope: Envelope, event: Any) -> tuple[To, ...]:
        if envelope.stream == "counter-sum":
            return ()
        return (To("counter-sum", Add("sum", event.amount)),)

    service = replace(
        TOY, sources=("toy",), heeds=frozenset({tag_of(Added)}), react=react
    )
    host = EmbeddedHost(memory(), (service,), ambient())
    await host.start()
    await host.submit(command("c1", 5))
    return host


async def test_h9_a_missing_key_sets_the_stream_aside_until_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What needs the key waits and loses nothing; the rest goes on."""
    host = await started(memory())
    worker = host.worker("echo")

    def no_key(*_: Any) -> Any:
        raise KeyMissing("key k9")

    with monkeypatch.context() as patch:
        patch.setattr(worker.ambient, "fulfil", no_key)
        assert (await send(host, "c1", 5)).accepted
    assert worker.aside == {"echo-a", "echo-all"}
    assert await parked.retry(worker, "echo-a") == (1, "")
    assert [e.stream for e in await envelopes(host, "echo")] == ["echo-a"]


async def test_h9_a_log_that_fails_sets_nothing_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the log cannot do is no fault of a stream."""
    host = await started(memory())
    with monkeypatch.context() as patch:
        patch.setattr(host.worker("toy").log, "read_stream", failing)
        future = host.submit_nowait(command("c1", 5))
        with pytest.raises(LogUnavailable):
            await host.step()
    await host.settle()

    assert (await future).accepted
    assert await host.worker("toy").log.parked() == []


async def test_fc7_what_newer_software_logged_sets_its_stream_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A version that nobody here knows is not skipped; the rest goes on (case 20)."""
    host = await started(memory())
    await send(host, "c1", 5)
    echo = host.worker("echo")
    newer = draft("counter-a", 2)._replace(type="toy.added.v2", data=ADDED)
    after = newer._replace(version=3, type="toy.added.v1")
    drafts = [newer, after]
    host.bus.publish(await host.worker("toy").log.append(Batch(1, drafts)), drafts)
    await host.settle()
    assert (await send(host, "c2", 7, counter="b")).accepted

    assert "toy/counter-a" in echo.aside
    items = await echo.log.parked()
    assert [item.reason for item in items if item.reason == "behind"] == ["behind"]
    assert "echo-b" in [e.stream for e in await envelopes(host, "echo")]
    monkeypatch.setitem(catalog._EVENT_DECODERS, "toy.added.v2", NEWER)
    assert await parked.retry(echo, "toy/counter-a") == (2, "")
