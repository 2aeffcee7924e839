"""What fails is taken back once, and what is committed is told once, to everybody."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from toys import command, envelopes, failing, memory, send, started

from contracts.envelope import Answer
from runtime.ambient import ManualClock
from runtime.bus_memory import Delivery
from runtime.log import ChainBroken, LogUnavailable
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import SqliteFile
from tests.measured import hearers_failed


@pytest.mark.parametrize("how", ["grouped", "one by one"])
async def test_law_3_a_second_failure_queues_nothing_twice(how: str) -> None:
    """Law 3: however often taking back fails, a command is answered once."""
    host = await started(memory())
    host.grouped = how == "grouped"
    answers: list[Answer] = []
    queued: list[int] = []
    for number in range(3):
        host.queue(command(f"c{number}", 5), answers.append)
    toy, echo = host.worker("toy"), host.worker("echo")
    append, agenda = echo.log.append, toy.log.agenda
    echo.log.append = toy.log.agenda = failing
    for _ in range(5):
        with pytest.raises(LogUnavailable):
            await host.step()
        queued.append(len(toy.desk))
    echo.log.append, toy.log.agenda = append, agenda
    await host.settle()

    assert queued == ([0, 3, 3, 3, 3] if host.grouped else [0] * 5)
    assert [a.command_id for a in answers] == ["c0", "c1", "c2"]
    assert all(a.accepted for a in answers)
    assert len(await envelopes(host, "toy")) == 3


async def test_law_1_no_state_is_shown_that_was_undone() -> None:
    """Law 1: also right after the failure, before the next step."""
    host = await started(memory())
    await send(host, "c1", 5)
    host.worker("echo").log.append = failing
    host.submit_nowait(command("c2", 7))
    with pytest.raises(LogUnavailable):
        await host.step()

    assert (await host.worker("toy").states.load("counter-a")).state.total == 5
    assert (await host.state("toy", "counter-a")).total == 5
    assert len(host.worker("toy").desk) == 1


async def test_law_3_a_hearer_that_fails_keeps_nothing_from_others() -> None:
    """Law 3: the command is answered, each record heard once, the error counted."""
    host = await started(memory())
    heard: list[str] = []

    def deaf(_: Any) -> None:
        raise ValueError("deaf")

    host.subscribe(deaf)
    host.subscribe(lambda delivery: heard.append(_name(delivery)))
    before = hearers_failed()
    host.queue(command("c1", 5), deaf)
    assert (await send(host, "c2", 5)).accepted

    assert heard == [
        "counter-a@1", "counter-a@2", "echo-a@1", "echo-all@1", "echo-a@2", "echo-all@2"
    ]  # fmt: skip
    assert hearers_failed() == before + 1 + len(heard)


def _name(delivery: Delivery) -> str:
    return delivery.envelope.id


async def test_h10_a_flood_does_not_hold_up_a_deadline() -> None:
    """H10: what came after it was due does not overtake it; what came before does."""
    clock = ManualClock()
    host = await started(memory(), clock)
    await send(host, "c1", 60)
    worker = host.worker("toy")
    worker.batch_max = 4
    clock.advance(seconds=60)
    for number in range(9):
        host.submit_nowait(command(f"e{number}", 1, counter="b"))
    host.submit_nowait(command("at", 0))
    clock.advance(seconds=1)
    host.submit_nowait(command("late", 0))
    for number in range(50):
        host.submit_nowait(b"junk%d" % number)
    for _ in range(3):
        await worker.cycle()

    order = [e.caused_by for e in await envelopes(host, "toy")][1:]
    deadline = "deadline:counter-a#1:patience"
    assert order == [*(f"e{n}" for n in range(9)), "at", deadline, "late"]
    assert len(worker.desk) == 49


async def test_h10_a_queue_that_never_ends_fires_what_is_due() -> None:
    """H10: the deadline needs no moment at which nobody waits."""
    clock = ManualClock()
    host = await started(memory(), clock)
    await send(host, "c1", 60)
    worker = host.worker("toy")
    clock.advance(seconds=61)
    for number in range(2 * worker.batch_max):
        host.submit_nowait(b"junk%d" % number)
    await worker.cycle()

    assert len(worker.desk) == worker.batch_max
    assert (await envelopes(host, "toy"))[-1].type == "toy.expired.v1"
    assert worker.next_due() is None


async def test_a_host_that_has_stopped_says_so() -> None:
    """Neither a traceback of the database nor a wait without an end."""
    host = await started(memory())
    await host.stop()

    for ask in (host.submit_nowait, lambda body: host.queue(body, print)):
        with pytest.raises(ConnectionError, match="stopped"):
            ask(command("c1", 5))
    with pytest.raises(ConnectionError, match="stopped"):
        await asyncio.wait_for(host.submit(command("c1", 5)), 5)


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        ("DELETE FROM heads WHERE service = 'toy'", "toy/0: 0 heads rows"),
        ("UPDATE heads SET alive_at = 'x' WHERE service = 'toy'", "alive_at 'x'"),
        ("UPDATE heads SET hash = 'x' WHERE service = 'toy'", "toy/0: its heads row"),
    ],
)
def test_law_8_a_damaged_head_is_a_log_error(
    damage: str, text: str, tmp_path: Path
) -> None:
    """Law 8: the error names the service and what is wrong."""
    file = SqliteFile.open(tmp_path / "log.sqlite3")
    SqliteLog(file, "toy")
    file.execute(damage)
    with pytest.raises(ChainBroken, match=text):
        SqliteLog(file, "toy")
    file.close()
