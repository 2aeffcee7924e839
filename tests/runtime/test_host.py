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
    SECOND,
    TOY,
    ambient,
    command,
    envelopes,
    failing,
    memory,
    send,
    started,
)

from contracts import catalog
from runtime.ambient import ManualClock
from runtime.bus_memory import Delivery
from runtime.embedded import EmbeddedHost
from runtime.log import Batch, Conflict, Draft, LogUnavailable
from runtime.projection import Projection
from runtime.sqlite_file import SqliteFile

DAY = 24 * 3600 * SECOND


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
    real, log.append = log.append, failing
    future = host.submit_nowait(command("c2", 7))
    with pytest.raises(LogUnavailable):
        await host.step()
    assert not future.done()
    log.append = real
    await host.settle()

    assert (await future).version == 2
    state = await host.worker("toy").states.load("counter-a")
    assert state.state.total == 12


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
        1,
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


async def test_ap5_an_event_too_large_for_a_topic_is_not_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its input is set aside: a record that can't be sent would stop the relay."""
    monkeypatch.setattr("runtime.decisions.DATA_BYTES_MAX", 10)
    host = await started(memory())
    answer = await send(host, "c1", 5)

    assert answer.reason == "set_aside"
    (item,) = await host.worker("toy").log.parked()
    assert "bytes of data" in item.reason
