"""One commit for all services of a step: what is answered is durable, or undone."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from toys import command, envelopes, failing, memory, send, started, story

from runtime.log import Conflict, LogUnavailable
from runtime.sqlite_file import GroupUndone, SqliteFile


async def test_a_step_is_one_commit_of_all_services(tmp_path: Path) -> None:
    """Another connection sees the command and its echoes at once, or nothing."""
    path = tmp_path / "log.sqlite3"
    host = await started(SqliteFile.open(path))
    seen: list[int] = []

    def count() -> int:
        with sqlite3.connect(path) as sql:
            return int(sql.execute("SELECT count(*) FROM records").fetchone()[0])

    real = host.worker("echo").log.append

    async def append(batch: Any) -> Any:
        seen.append(count())
        return await real(batch)

    host.worker("echo").log.append = append
    host.queue(command("c1", 5), lambda answer: seen.append(count()))
    await host.step()

    assert seen == [0, 3]
    await host.stop()


async def test_both_ways_to_commit_write_the_same_story() -> None:
    """Where a commit falls changes no record (H14)."""
    stories = []
    for grouped in (True, False):
        host = await started(memory())
        host.grouped = grouped
        for number in range(1, 9):
            host.submit_nowait(command(f"c{number}", number % 4))
        await host.settle()
        stories.append([await story(host, name) for name in ("toy", "echo")])

    assert stories[0] == stories[1]
    assert len(stories[0][1]["echo-all"]) == 6


async def test_a_failure_of_one_service_undoes_the_step(tmp_path: Path) -> None:
    """No command is answered and no state kept; the next step does it all."""
    host = await started(SqliteFile.open(tmp_path / "log.sqlite3"))
    await send(host, "c1", 5)
    log = host.worker("echo").log
    real, log.append = log.append, failing
    future = host.submit_nowait(command("c2", 7))
    with pytest.raises(LogUnavailable, match="disk full"):
        await host.step()
    assert not future.done()
    assert [e.version for e in await envelopes(host, "toy")] == [1]
    log.append = real
    await host.settle()

    assert (await future).version == 2
    assert (await host.state("toy", "counter-a")).total == 12
    assert await host.state("echo", "echo-all") == 12
    await host.stop()


async def test_a_race_lost_in_a_step_runs_the_whole_step_again() -> None:
    """What the other services did in it is undone and done again, once."""
    host = await started(memory())
    log = host.worker("echo").log
    real, races = log.append, []

    async def append(batch: Any) -> Any:
        races.append(1)
        if len(races) == 1:
            raise Conflict("somebody was faster")
        return await real(batch)

    log.append = append

    assert (await send(host, "c1", 5)).version == 1
    assert len(await envelopes(host, "toy")) == 1
    assert len(await envelopes(host, "echo")) == 2


async def test_what_was_undone_is_not_heard_of() -> None:
    """Whoever follows the casino hears of durable records only."""
    host = await started(memory())
    heard: list[str] = []
    host.subscribe(lambda delivery: heard.append(delivery.record.stream))
    log = host.worker("echo").log
    real, log.append = log.append, failing
    host.queue(command("c1", 5), lambda answer: None)
    with pytest.raises(LogUnavailable):
        await host.step()
    assert heard == []
    log.append = real
    await host.settle()

    assert heard == ["counter-a", "echo-a", "echo-all"]


def test_a_transaction_that_fails_first_undoes_nobody() -> None:
    """Only what came before it in its group is named undone."""
    file = memory()
    with (
        pytest.raises(Conflict, match="first"),
        file.group(),
        file.transaction(),
    ):
        raise Conflict("first")
    with pytest.raises(GroupUndone, match="second") as undone, file.group():
        with file.transaction() as sql:
            sql.execute("INSERT INTO meta VALUES ('k', 'v')")
        with file.transaction():
            raise Conflict("second")

    assert isinstance(undone.value.failure, Conflict)
    assert file.query("SELECT * FROM meta") == []
