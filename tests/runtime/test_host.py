"""The handling loop and the embedded host, with two toy services."""

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from toys import (
    ALICE,
    BOB,
    ECHO,
    FAULTS,
    SECOND,
    TOY,
    Add,
    Added,
    ambient,
    command,
    started,
    story,
)

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Envelope
from runtime import parked
from runtime.ambient import KeyMissing, ManualClock
from runtime.bus_memory import Delivery
from runtime.embedded import EmbeddedHost
from runtime.log import Batch, Conflict, Draft, LogUnavailable
from runtime.projection import Projection
from runtime.service import DeadlinePassed, To
from runtime.sqlite_file import MEMORY, SqliteFile

DAY = 24 * 3600 * SECOND


def memory() -> SqliteFile:
    return SqliteFile.open(MEMORY)


async def envelopes(host: EmbeddedHost, service: str) -> list[Envelope]:
    records = await host.worker(service).log.read(0, 0, 10_000)
    return [catalog.decode_envelope(record.body) for record in records]


async def send(host: EmbeddedHost, *args: Any, **more: Any) -> Any:
    answer = await host.submit(command(*args, **more))
    await host.settle()
    return answer


async def test_a_command_is_decided_and_followed() -> None:
    """The answer names the stream and version; both echoes are written."""
    host = await started(memory())
    answer = await send(host, "c1", 5)

    assert (answer.accepted, answer.stream, answer.version) == (True, "counter-a", 1)
    assert [e.stream for e in await envelopes(host, "echo")] == ["echo-a", "echo-all"]


async def test_h4_a_repeat_gets_the_same_answer_and_appends_nothing() -> None:
    """Also when both come in the same cycle, or after the answer is stored."""
    host = await started(memory())
    both = [host.submit_nowait(command("c1", 5)) for _ in range(2)]
    await host.settle()
    first, second = [await future for future in both]

    assert first == second == await send(host, "c1", 5)
    assert len(await envelopes(host, "toy")) == 1


async def test_h4_an_id_used_for_another_body_is_refused() -> None:
    """Another body under the same id is no repeat; another actor's id is its own."""
    host = await started(memory())
    await send(host, "c1", 5)

    assert (await send(host, "c1", 6)).reason == "command_id_reused"
    assert (await send(host, "c1", 5, by=BOB)).accepted


async def test_h4_a_refusal_is_recorded_where_its_target_is() -> None:
    """In the target stream if it exists, else among the service's refusals."""
    host = await started(memory())
    homeless = await send(host, "c1", 0)
    await send(host, "c2", 5)
    at_home = await send(host, "c3", 0)

    assert (homeless.reason, homeless.stream) == ("nothing_to_add", "refused-toy")
    assert (at_home.stream, at_home.version) == ("counter-a", 2)
    assert await send(host, "c3", 0) == at_home


async def test_h4_an_old_command_without_an_answer_has_expired() -> None:
    """Expiry is recorded; an old command with a stored answer gets that."""
    clock = ManualClock()
    host = await started(memory(), clock)
    kept = await send(host, "c1", 5)
    clock.advance(seconds=25 * 3600)
    issued = clock.now() - 25 * 3600 * SECOND

    assert await send(host, "c1", 5, issued=issued) == kept
    late = await send(host, "c2", 5, issued=issued)
    assert (late.accepted, late.reason) == (False, "command_expired")
    assert (await envelopes(host, "toy"))[-1].caused_by == "c2"


async def test_h4_a_command_from_the_future_is_not_taken() -> None:
    """Its answer would be forgotten before it expires."""
    host = await started(memory())
    answer = await send(host, "c1", 5, issued=ManualClock().now() + 2 * DAY)

    assert not answer.accepted
    assert await envelopes(host, "toy") == []


@pytest.mark.parametrize(
    "body",
    [b"", b"\xff", b"{}", command("c1", 5).replace(b"toy.add", b"toy.subtract")],
)
async def test_undecodable_bytes_are_parked_and_block_nobody(body: bytes) -> None:
    """They are kept once with the reason, and others go on."""
    host = await started(memory())
    for _ in range(2):
        answer = await host.submit(body)
        assert answer.reason.startswith("undecodable")
    assert (await send(host, "c2", 5)).accepted

    (item,) = await host.worker("toy").log.parked()
    assert (item.body, item.stream, item.kind) == (body, "", "undecodable")


@pytest.mark.parametrize("fault", ["category", "address", "initial"])
async def test_a_command_that_names_no_stream_cannot_stop_the_host(
    fault: str,
) -> None:
    """Whatever a player writes into a command, the others go on."""
    service = _with_fault(fault)
    host = EmbeddedHost(memory(), (service, ECHO), ambient())
    await host.start()
    answer = await host.submit(command("c1", 5, counter="evil"))

    assert not answer.accepted
    assert (await host.submit(command("c2", 5))).accepted


def _with_fault(fault: str) -> Any:
    def evil(value: Any) -> Any:
        if "evil" in str(value):
            raise ValueError(value)
        return TOY.deciders["counter"].initial(value)

    def address(message: Any) -> str:
        if message.counter == "evil" and fault == "address":
            raise ValueError(message)
        category = "nowhere" if message.counter == "evil" else "counter"
        return f"{'counter' if fault == 'initial' else category}-{message.counter}"

    decider = replace(TOY.deciders["counter"], initial=evil)
    return replace(TOY, address=address, deciders={"counter": decider})


async def test_h11_the_first_event_of_each_input_carries_its_cause() -> None:
    """The raw command, the time, and ambient values sealed, never in the clear."""
    host = await started(memory())
    await send(host, "c1", 5)
    (added,) = await envelopes(host, "toy")
    echo = (await envelopes(host, "echo"))[0]

    assert added.cause is not None
    assert added.cause.kind == "command"
    assert bytes(added.cause.command) == command("c1", 5)
    assert (added.caused_by, added.correlation, added.actor) == ("c1", "c1", ALICE)
    assert echo.cause is not None
    assert echo.cause.id == echo.caused_by == "counter-a@1"
    assert echo.cause.ambient["salt"]
    assert (echo.correlation, echo.actor) == ("c1", ALICE)


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
        patch.setattr(host.worker("toy").log, "read_stream", _failing)
        future = host.submit_nowait(command("c1", 5))
        with pytest.raises(LogUnavailable):
            await host.step()
    await host.settle()

    assert (await future).accepted
    assert await host.worker("toy").log.parked() == []


@pytest.mark.parametrize("what", ["fork", "incarnation"])
async def test_h5_a_source_that_does_not_fit_is_halted(
    what: str, tmp_path: Path
) -> None:
    """A fork and a new incarnation halt the source; the service goes on."""
    path = tmp_path / "log.sqlite3"
    host = await started(SqliteFile.open(path))
    await send(host, "c1", 5)
    await host.stop()
    with sqlite3.connect(path) as sql:
        sql.execute(_DAMAGE[what])
    again = await started(SqliteFile.open(path))
    await send(again, "c2", 5)

    assert "toy" in again.worker("echo").halted
    assert len(await envelopes(again, "echo")) == 2
    assert len(await envelopes(again, "toy")) == 2
    await again.stop()


_DAMAGE = {
    "fork": "UPDATE positions SET hash = x'01'",
    "incarnation": "UPDATE incarnations SET incarnation = 'other'"
    " WHERE service = 'toy'",
}


async def test_h5_repeats_are_dropped_and_a_gap_halts() -> None:
    """A record that came before is quiet; one that leaves others out is not taken."""
    host = await started(memory())
    for number in range(4):
        await host.submit(command(f"c{number}", 5))
    await host.settle()
    worker, bus = host.worker("echo"), host.bus
    records = await host.worker("toy").log.read(0, 0, 10)
    before = len(await envelopes(host, "echo"))

    async def again(*_: Any) -> list[Delivery]:
        return [Delivery(record) for record in records]

    async def gap(*_: Any) -> list[Delivery]:
        return [Delivery(records[3]._replace(offset=9))]

    bus.after = again
    await worker.cycle()
    assert worker.halted == {}
    bus.after = gap
    await worker.cycle()
    assert "gap" in worker.halted["toy"]
    assert len(await envelopes(host, "echo")) == before


async def test_h10_a_deadline_fires_once_at_its_time() -> None:
    """Not before, not twice, and by the clock that the host was given."""
    clock = ManualClock()
    host = await started(memory(), clock)
    await send(host, "c1", 60)
    clock.advance(seconds=59)
    await host.settle()
    assert len(await envelopes(host, "toy")) == 1
    clock.advance(seconds=1)
    await host.settle()
    await host.settle()

    expired = (await envelopes(host, "toy"))[1:]
    assert [e.type for e in expired] == ["toy.expired.v1"]
    assert expired[0].caused_by == "deadline:counter-a#1:patience"
    assert expired[0].actor.kind == "timeout"
    assert host.next_due() is None


async def test_h10_a_command_before_the_deadline_comes_first() -> None:
    """A command that waits when the deadline is due is handled before it."""
    clock = ManualClock()
    host = await started(memory(), clock)
    await send(host, "c1", 60)
    clock.advance(seconds=60)
    assert (await send(host, "c2", 1)).accepted

    types = [e.type for e in await envelopes(host, "toy")]
    assert types == ["toy.added.v1", "toy.added.v1"]


async def test_h10_a_deadline_that_changes_nothing_and_stays_open_is_a_fault() -> None:
    """It would fire for ever, so its stream is set aside; a retry fires it again."""
    quiet = replace(TOY.deciders["counter"], decide=_deaf_to_deadlines)
    clock = ManualClock()
    service = replace(TOY, deciders={"counter": quiet})
    host = EmbeddedHost(memory(), (service, ECHO), ambient(clock))
    await host.start()
    await send(host, "c1", 60)
    clock.advance(seconds=60)
    await host.settle()
    worker = host.worker("toy")
    (item,) = await worker.log.parked()
    assert (item.kind, worker.aside) == ("deadline", {"counter-a"})
    # Mended, as a new version would be.
    entry = await worker.states.load("counter-a")
    entry.decider = TOY.deciders["counter"]

    assert await parked.retry(worker, "counter-a") == (1, "")
    expired = (await envelopes(host, "toy"))[-1]
    assert expired.caused_by == "deadline:counter-a#1:patience"


def _deaf_to_deadlines(message: Any, state: Any, context: Any) -> Any:
    if isinstance(message, DeadlinePassed):
        return ()
    return TOY.deciders["counter"].decide(message, state, context)


async def test_h10_an_outage_extends_open_deadlines(tmp_path: Path) -> None:
    """The stream with an open deadline hears of it first, the others do not."""
    path, clock = tmp_path / "log.sqlite3", ManualClock()
    host = await started(SqliteFile.open(path), clock)
    await send(host, "c1", 60)
    await send(host, "c2", 1, counter="b")
    await host.stop()
    clock.advance(seconds=100)
    again = await started(SqliteFile.open(path), clock)
    await again.settle()

    events = (await envelopes(again, "toy"))[2:]
    assert [(e.stream, e.type) for e in events] == [("counter-a", "toy.extended.v1")]
    assert events[0].caused_by.startswith("outage:")
    clock.advance(seconds=60)
    await again.settle()
    assert (await envelopes(again, "toy"))[-1].type == "toy.expired.v1"
    await again.stop()


async def test_snapshots_change_nothing_but_the_reading(tmp_path: Path) -> None:
    """State from a snapshot goes on as the live state would; a bad one is ignored."""
    path = tmp_path / "log.sqlite3"
    host = await started(SqliteFile.open(path))
    for number in range(250):
        host.submit_nowait(command(f"c{number}", 1))
        await host.settle()
    await host.stop()
    with sqlite3.connect(path) as sql:
        assert sql.execute("SELECT count(*) FROM snapshots").fetchone() == (1,)
    for damage in ("SELECT 1", "UPDATE snapshots SET state = '[]'"):
        with sqlite3.connect(path) as sql:
            sql.execute(damage)
        again = await started(SqliteFile.open(path))
        state = await again.worker("toy").states.load("counter-a")
        assert (state.version, state.state.total) == (250, 250)
        await again.stop()


async def test_many_skipped_records_do_not_end_the_settling() -> None:
    """A reader that only skips still has progress to make."""
    host = await started(memory())
    log, clock = host.worker("toy").log, ManualClock()
    drafts = [
        Draft("counter-x", n, "toy.expired.v1", b'{"counter":"x"}', "c", "c", ALICE)
        for n in range(1, 1001)
    ]
    await log.append(Batch(clock.now(), drafts))
    await host.settle()

    assert host.worker("echo").positions["toy", 0].offset == 1000


async def test_a_lost_race_is_run_again() -> None:
    """A conflict drops the cached state and decides anew, without an end to it."""
    host = await started(memory())
    await send(host, "c1", 5)
    log = host.worker("toy").log
    data = catalog.encode(
        catalog._EVENT_DECODERS["toy.added.v1"].decode(
            b'{"type":"toy.added.v1","counter":"a","amount":1}'
        )
    )
    other = Draft("counter-a", 2, "toy.added.v1", data, "x", "x", BOB)
    await log.append(Batch(1, [other]))

    assert (await send(host, "c2", 5)).version == 3


async def test_an_endless_race_is_an_error() -> None:
    """A conflict that stays is no race: the host says so and does not spin."""
    host = await started(memory())
    log = host.worker("toy").log

    async def never(*_: Any) -> Any:
        raise Conflict("always")

    log.append = never
    with pytest.raises(Conflict):
        await asyncio.wait_for(host.submit(command("c1", 5)), 5)


async def test_what_was_not_committed_is_not_kept() -> None:
    """A failed append leaves no state behind; the command comes again."""
    host = await started(memory())
    await send(host, "c1", 5)
    log = host.worker("toy").log
    real, log.append = log.append, _failing
    future = host.submit_nowait(command("c2", 7))
    with pytest.raises(LogUnavailable):
        await host.step()
    assert not future.done()
    log.append = real
    await host.settle()

    assert (await future).version == 2
    state = await host.worker("toy").states.load("counter-a")
    assert state.state.total == 12


async def _failing(*_: Any) -> Any:
    raise LogUnavailable("disk full")


async def test_the_running_host_wakes_for_commands_and_stops() -> None:
    """`submit` waits for the loop where one runs; `stop` ends it."""
    host = await started(memory())
    loop = asyncio.create_task(host.run())
    await asyncio.sleep(0)
    answers = await asyncio.gather(
        *(host.submit(command(f"c{n}", 5)) for n in range(20))
    )
    await host.stop()
    await loop

    assert all(answer.accepted for answer in answers)


async def test_subscribers_hear_what_is_committed() -> None:
    """Once each, after the commit, in the order of the log."""
    host = await started(memory())
    heard: list[str] = []
    host.subscribe(lambda delivery: heard.append(delivery.envelope.id))
    await send(host, "c1", 5)

    assert heard == ["counter-a@1", "echo-a@1", "echo-all@1"]


async def test_a_projection_is_filled_and_filled_again() -> None:
    """Rebuilt from the logs, it has the same rows."""

    def apply(sql: sqlite3.Connection, delivery: Delivery) -> None:
        sql.execute("INSERT INTO seen VALUES (?)", (delivery.envelope.id,))

    projection = Projection(
        "seen",
        ("toy",),
        frozenset({"toy.added.v1"}),
        ("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY)",),
        ("DROP TABLE IF EXISTS seen",),
        apply,
    )
    host = await started(memory(), projections=(projection,))
    await send(host, "c1", 5)
    await send(host, "c2", 6)
    before = host.file.query("SELECT id FROM seen ORDER BY id")
    host.projectors[0].rebuild()
    await host.settle()

    assert before == [("counter-a@1",), ("counter-a@2",)]
    assert host.file.query("SELECT id FROM seen ORDER BY id") == before


class Crash(BaseException):
    """The process dies here."""


class CrashingLog:
    """A log at whose n-th call the process dies, before or after it took effect."""

    def __init__(self, log: Any, plan: list[int], when: str) -> None:
        self._log, self._plan, self._when = log, plan, when

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._log, name)
        return self._watched(found) if asyncio.iscoroutinefunction(found) else found

    def _watched(self, call: Any) -> Any:
        async def watched(*args: Any) -> Any:
            self._plan[0] -= 1
            if self._plan[0] == 0 and self._when == "before":
                raise Crash
            result = await call(*args)
            if self._plan[0] == 0:
                raise Crash
            return result

        return watched


async def _crashing_run(path: Path, at: int, when: str) -> tuple[bool, Any]:
    """Run the same story with one crash at the `at`-th call of a log."""
    plan, crashed = [at], False
    while True:
        file = SqliteFile.open(path)
        try:
            host = await started(file, wrap=lambda log: CrashingLog(log, plan, when))
            for number in range(1, 9):
                await host.submit(command(f"c{number}", number % 4))
            await host.settle()
            return crashed, [await story(host, name) for name in ("toy", "echo")]
        except Crash:
            crashed = True
        finally:
            file.close()


@pytest.mark.parametrize("when", ["before", "after"])
async def test_h14_a_crash_at_any_call_changes_no_record(
    when: str, tmp_path: Path
) -> None:
    """However it dies, the same commands give the same streams (law 3)."""
    _, expected = await _crashing_run(tmp_path / "calm.sqlite3", -1, when)
    crashes = 0
    for at in range(1, 500):
        path = tmp_path / f"{when}-{at}.sqlite3"
        crashed, found = await _crashing_run(path, at, when)
        assert found == expected, f"crash {when} call {at}"
        crashes += crashed
        if not crashed:
            break

    assert crashes > 30
