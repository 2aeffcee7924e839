"""A log that lost its tail, or whose records were replaced, is noticed (H3)."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from push22.bot import Wagers
from push22.casino import LOG_NAME, Casino
from push22.session import Session, Table
from runtime.log import ChainBroken

TABLE = Table("t1", "ny-switch-6d", "local.bot", Wagers((1,), (1000, 1000)))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A casino that has played one round."""

    async def play() -> None:
        casino = await Casino.open(tmp_path)
        session = Session(casino, TABLE)
        await session.open()
        await session.play(session.bot)
        await casino.close()

    asyncio.run(play())
    return tmp_path


def changed(data: Path, *statements: str) -> None:
    """Tamper with the file as an intruder with all rights would."""
    sql = sqlite3.connect(data / LOG_NAME)
    for name in ("records_stay", "records_stay_unchanged", "checkpoints_stay"):
        sql.execute(f"DROP TRIGGER IF EXISTS {name}")
    for statement in statements:
        sql.execute(statement)
    sql.commit()
    sql.close()


LAST = "(SELECT max(offset) FROM records WHERE service = 'shoe')"


def test_h3_a_log_without_its_last_record_does_not_open(data: Path) -> None:
    """The head names a record that is gone: nothing may be appended."""
    changed(data, f"DELETE FROM records WHERE service = 'shoe' AND offset = {LAST}")

    with pytest.raises(ChainBroken, match="shoe"):
        asyncio.run(Casino.open(data))


CUT = (
    f"DELETE FROM records WHERE service = 'shoe' AND offset = {LAST}",
    (
        f"UPDATE heads SET offset = {LAST} + 1, hash = (SELECT hash FROM records"
        f" WHERE service = 'shoe' AND offset = {LAST}) WHERE service = 'shoe'"
    ),
)
"""The last record of the shoe is gone, and its head says so."""


def test_h3_a_log_that_is_not_what_was_signed_does_not_open(data: Path) -> None:
    """With the head set back too: a checkpoint knows what stood there."""
    changed(data, *CUT)

    with pytest.raises(ChainBroken, match="is not the one signed"):
        asyncio.run(Casino.open(data))


def test_h3_a_source_that_is_shorter_than_it_was_read_is_halted(data: Path) -> None:
    """Without any checkpoint, who has read further halts this source."""
    changed(data, *CUT, "DELETE FROM checkpoints")
    (data / "checkpoints.jsonl").unlink()

    async def halted() -> dict[str, str]:
        casino = await Casino.open(data)
        found = casino.host.worker("table-orchestrator").halted
        casino.host.file.close()
        return found

    assert "lost tail" in asyncio.run(halted())["shoe"]


def test_a_record_cannot_be_replaced_through_the_writers_connection(
    data: Path,
) -> None:
    """INSERT OR REPLACE does not get around the triggers."""

    async def replace() -> None:
        casino = await Casino.open(data)
        try:
            casino.host.file.connection.execute(
                "INSERT OR REPLACE INTO records SELECT place, service, part, offset,"
                " stream, version, type, round_id, hash, x'00', segment, round_at"
                " FROM records"
                " WHERE place = 1"
            )
        finally:
            casino.host.file.close()

    with pytest.raises(sqlite3.IntegrityError, match="never"):
        asyncio.run(replace())
