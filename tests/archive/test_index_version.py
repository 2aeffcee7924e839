"""An index of another version is dropped and filled again by whoever may write."""

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from small_casino import PLAIN, copy_of

from contracts.round_search import Query
from push22.__main__ import run
from push22.casino import LOG_NAME, Casino
from push22.inspect.reader import Reader
from push22.round_index import OutOfDate, find_rounds
from runtime.sqlite_file import SqliteFile
from services.archive.index_tables import DROP
from services.archive.project import ROUNDS

_OLD = (
    "CREATE TABLE archive_rounds (round_id TEXT PRIMARY KEY, status TEXT)",
    f"INSERT INTO archive_rounds VALUES ('{PLAIN}', 'open')",
    "DELETE FROM meta WHERE key = 'projection:archive'",
)
"""As earlier versions left it: other tables, and no word of which version."""


async def opened_and_closed(data: Path) -> None:
    casino = await Casino.open(data)
    await casino.close()


def old(played: Path, folder: Path) -> None:
    file = copy_of(played, folder)
    for statement in (*DROP, *_OLD):
        file.execute(statement)
    file.close()


def test_an_old_index_is_filled_again_at_the_start(
    played: Path, tmp_path: Path
) -> None:
    """A casino that is started on the file has an index like the one it had."""
    old(played, tmp_path)

    asyncio.run(opened_and_closed(tmp_path))

    reader = Reader.open(tmp_path)
    [row] = find_rounds(reader.file, Query(round_id=PLAIN)).rows
    assert row.status == "settled"
    assert run(["verify", "--all", "--data", str(tmp_path)]) == 0


def test_an_old_index_is_not_read(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who may only read says what to do; `--rebuild` does it."""
    old(played, tmp_path)

    with pytest.raises(OutOfDate):
        find_rounds(Reader.open(tmp_path).file, Query())
    assert run(["rounds", "--data", str(tmp_path)]) == 2
    assert "push22 rounds --rebuild" in capsys.readouterr().err

    assert run(["rounds", "--rebuild", "--round", PLAIN, "--data", str(tmp_path)]) == 0
    assert PLAIN in capsys.readouterr().out


def test_a_start_on_a_current_index_leaves_it_alone(
    played: Path, tmp_path: Path
) -> None:
    """Nothing is folded again where the version is the same."""
    file = copy_of(played, tmp_path)
    file.execute(f"UPDATE archive_rounds SET digest = 'x' WHERE round_id = '{PLAIN}'")
    file.close()

    asyncio.run(opened_and_closed(tmp_path))

    sql = sqlite3.connect(tmp_path / LOG_NAME)
    query = "SELECT digest FROM archive_rounds WHERE round_id = ?"
    assert sql.execute(query, (PLAIN,)).fetchone() == ("x",)


def test_other_tables_or_another_version_have_another_mark() -> None:
    """Neither a changed column nor a changed meaning goes unnoticed."""
    marks = {
        ROUNDS.mark,
        replace(ROUNDS, version=ROUNDS.version + 1).mark,
        replace(ROUNDS, ddl=(*ROUNDS.ddl, "CREATE INDEX a ON b (c)")).mark,
    }
    assert len(marks) == 3


def test_a_new_file_knows_no_index(tmp_path: Path) -> None:
    """A file that nobody has projected into is out of date as well."""
    file = SqliteFile.open(tmp_path / LOG_NAME)

    with pytest.raises(OutOfDate):
        find_rounds(file, Query())
    file.close()
