"""What a log remembers of streams and rounds is bounded, and nothing is lost by it."""

from pathlib import Path

import pytest
from toys import memory, send, started

from contracts.envelope import Actor
from runtime.ambient import ManualClock
from runtime.log import Batch, Draft
from runtime.log_sqlite import SqliteLog
from runtime.remembered import Remembered
from runtime.sqlite_file import SqliteFile

_SOMEBODY = Actor("platform", "test")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Remembered, "generation", 8)


def test_what_is_in_use_is_not_forgotten_and_the_rest_is() -> None:
    """Two generations are kept at most; using one again makes it young."""
    known: Remembered[int] = Remembered()
    known.put("used", 0)
    for number in range(100):
        known.put(f"n{number}", number)
        assert known.get("used") == 0
        known.tidy()
        assert len(known) <= 2 * Remembered.generation

    assert known.get("n99") == 99
    assert known.get("n1") is None


def test_within_a_transaction_nothing_is_forgotten() -> None:
    """What is only begun to be written cannot be read from the file."""
    known: Remembered[int] = Remembered()
    for number in range(100):
        known.put(f"n{number}", number)

    assert [known.get(f"n{number}") for number in range(100)] == list(range(100))


def test_a_newer_value_replaces_an_old_one() -> None:
    """Also one of the generation that is about to go."""
    known: Remembered[int] = Remembered()
    known.put("x", 1)
    for number in range(8):
        known.put(f"n{number}", number)
    known.tidy()
    known.put("x", 2)
    for number in range(8):
        known.put(f"m{number}", number)
    known.tidy()

    assert known.get("x") == 2


async def appended(log: SqliteLog, rounds: range) -> None:
    """Append two records for each round, to its own stream and the table's."""
    for number in rounds:
        name = f"round-t1-{number}"
        drafts = [
            Draft(name, 1, "toy.added.v1", b"{}", "", "", _SOMEBODY, name),
            Draft("table-t1", number, "toy.added.v1", b"{}", "", "", _SOMEBODY, name),
        ]
        await log.append(Batch(number, drafts=drafts))


async def test_a_log_remembers_no_more_after_twice_as_many_rounds(
    tmp_path: Path,
) -> None:
    """Versions that were forgotten are read again and still guarded."""
    file = SqliteFile.open(tmp_path / "log.sqlite3")
    log = SqliteLog(file, "toy")
    await appended(log, range(1, 101))
    before = len(log._places._streams), len(log._places._rounds)
    await appended(log, range(101, 201))
    after = len(log._places._streams), len(log._places._rounds)

    assert max(before + after) <= 2 * Remembered.generation
    assert "round-t1-1" not in log._places._streams._young
    assert log._places.version("round-t1-1") == 1
    assert log._places.version("table-t1") == 200
    records = await log.read_stream("table-t1")
    assert [record.version for record in records] == list(range(1, 201))
    assert len(file.records_of_round("round-t1-7")) == 2
    file.close()


async def test_a_clock_that_was_put_off_lies_in_the_heap_once() -> None:
    """A long clock that each command sets anew leaves nothing behind."""
    host = await started(memory())
    sizes = []
    for part in range(2):
        for number in range(300):
            await send(host, f"c{part}-{number}", 60)
        sizes.append(len(host.worker("toy").deadlines._soonest))

    assert max(sizes) <= 256
    assert host.next_due() == ManualClock().now() + 60_000_000
