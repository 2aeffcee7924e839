"""An export and its import: the same records, indices, and a casino that plays on."""

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest
from taken import WAGERS, Told, digest, ends_rightly, export, raw

from push22.__main__ import run
from push22.casino import KEYS_NAME, LOG_NAME, Casino
from push22.checkpoints.keys import KEYS_NAME as CHECKPOINT_KEYS
from push22.session import Session, Table

STATE = ("incarnations", "heads", "answers", "agenda", "parked", "checkpoints")


def test_law_1_a_casino_is_the_same_after_export_and_import(
    played: Path, exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """Equal digests of records and indices, equal rows, and nothing else is copied."""
    target = tmp_path / "back"
    assert run(["import", str(exported), "--output", str(target)]) == 0
    told = capsys.readouterr().out
    assert "records are signed, by the keys that came with it\n" in told
    assert "everything holds\nnext: bring seal-keys.json and checkpoint-keys" in told

    assert digest(target, capsys) == digest(played, capsys)
    for table in (*STATE, "records"):
        assert _rows(target, table) == _rows(played, table), table
    assert _positions(target) == _positions(played)
    assert run(["verify", "--all", "--data", str(target)]) == 0
    assert run(["audit", "--data", str(target)]) == 0
    assert not (target / KEYS_NAME).exists()
    assert not (target / CHECKPOINT_KEYS).exists()


def test_law_1_an_index_filled_from_zero_has_the_same_digest(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """B4: every projection is dropped and folded again from the first record."""
    target = tmp_path / "back"
    assert run(["import", str(exported), "-o", str(target)]) == 0
    before = digest(target, capsys)
    assert "archive_rounds" in before
    assert run(["rounds", "--rebuild", "--data", str(target)]) == 0
    assert digest(target, capsys) == before


def test_a_digest_shows_a_changed_row_of_an_index(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """The comparison is no empty one: one amount differs, and one line does."""
    target = tmp_path / "back"
    assert run(["import", str(exported), "-o", str(target)]) == 0
    before = digest(target, capsys).splitlines()
    with sqlite3.connect(target / LOG_NAME) as sql:
        sql.execute("UPDATE archive_players SET net_minor = net_minor + 1")
    after = digest(target, capsys).splitlines()
    differing = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [line.split()[-1] for line in differing] == ["archive_players"]


def test_the_same_logs_make_the_same_file(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """No time and no name is in it, and its end is the SHA-256 of the rest."""
    target, again = tmp_path / "back", tmp_path / "again.p22"
    assert run(["import", str(exported), "-o", str(target)]) == 0
    export(target, again)
    assert ends_rightly(raw(exported))
    assert raw(again) == raw(exported)


async def test_what_was_taken_in_plays_on_with_its_keys(
    played: Path, exported: Path, tmp_path: Path
) -> None:
    """The keys are brought back by hand; the shoe that was in use is dealt from."""
    target = tmp_path / "back"
    code = await asyncio.to_thread(run, ["import", str(exported), "-o", str(target)])
    assert code == 0
    for name in (KEYS_NAME, CHECKPOINT_KEYS):
        shutil.copy(played / name, target / name)
    casino = await Casino.open(target)
    session = Session(casino, Table("t1", "ny-switch-6d", "local.t1", WAGERS))
    await session.open()
    await session.play(session.bot)
    await casino.close()
    assert await asyncio.to_thread(run, ["verify", "--all", "--data", str(target)]) == 0


@pytest.mark.parametrize("brought", [(), (KEYS_NAME,), (CHECKPOINT_KEYS,)])
def test_a_casino_without_its_keys_is_not_played_on(
    played: Path,
    exported: Path,
    tmp_path: Path,
    *,
    capsys: Told,
    brought: tuple[str, ...],
) -> None:
    """Not a record is written and no key is made; with both keys it plays and holds."""
    target = tmp_path / "back"
    assert run(["import", str(exported), "-o", str(target)]) == 0
    for name in brought:
        shutil.copy(played / name, target / name)
    before = digest(target, capsys)
    play = ["play", "--auto", "--rounds", "1", "--data", str(target)]
    assert run(play) == 1
    missing = KEYS_NAME if KEYS_NAME not in brought else CHECKPOINT_KEYS
    told = capsys.readouterr().err
    assert f"{missing}: the " in told
    assert "copy" in told
    assert digest(target, capsys) == before
    for name in (KEYS_NAME, CHECKPOINT_KEYS):
        assert (target / name).exists() == (name in brought)
        shutil.copy(played / name, target / name)
    assert run(play) == 0
    assert run(["verify", "--all", "--data", str(target)]) == 0


def test_a_casino_becomes_a_mirror_that_nobody_plays_on(
    played: Path, exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """All commands read it; its logs and indices are the same; it deals no card."""
    target = tmp_path / "mirror"
    assert run(["import", str(exported), "-o", str(target), "--mirror"]) == 0
    assert digest(target, capsys) == digest(played, capsys)
    assert run(["verify", "--all", "--data", str(target)]) == 0
    assert run(["play", "--auto", "--rounds", "1", "--data", str(target)]) != 0
    assert "is a mirror" in capsys.readouterr().err
    again = tmp_path / "again.p22"
    export(target, again)
    assert run(["import", str(again), "-o", str(tmp_path / "third")]) == 0
    assert digest(tmp_path / "third", capsys) == digest(played, capsys)


def test_nothing_is_taken_in_where_something_is(
    played: Path, exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """A casino's own directory, or any other with a file in it, stays as it is."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "note").write_text("mine")
    before = digest(played, capsys)
    for target in (played, tmp_path / "other"):
        assert run(["import", str(exported), "-o", str(target)]) == 1
        assert "is not empty" in capsys.readouterr().err
    assert digest(played, capsys) == before
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["note"]


@pytest.mark.parametrize("words", [["export", "-o"], ["import", "--mirror"]])
def test_half_a_command_says_what_is_missing(words: list[str], exported: Path) -> None:
    """A usage error is one, and nothing is written."""
    assert run([*words, str(exported)]) == 2


def _rows(data: Path, table: str) -> list[object]:
    with sqlite3.connect(data / LOG_NAME) as sql:
        return sql.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()


def _positions(data: Path) -> list[object]:
    """Return how far services have read: an index is no service."""
    query = (
        "SELECT * FROM positions WHERE service IN"
        " (SELECT service FROM incarnations) ORDER BY 1, 2, 3"
    )
    with sqlite3.connect(data / LOG_NAME) as sql:
        return sql.execute(query).fetchall()
