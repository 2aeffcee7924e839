"""Books that are not sound leave evidence: a second run may never show it again."""

import asyncio
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from push22.casino import LOG_NAME, Casino
from push22.load import books
from push22.load.books import Books, audited
from push22.load.evidence import kept
from push22.load.page import page
from push22.load.places import Place
from tests.load.reports import report_of, run_at


async def _played(folder: Path) -> None:
    casino = await Casino.open(folder, seed=1)
    await casino.deposit("local.a", "EUR", 10_000)
    await casino.close()


def _forge(folder: Path) -> None:
    """Change what was recorded, and leave alone what it answers."""
    with sqlite3.connect(folder / LOG_NAME) as sql:
        for (name,) in sql.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            sql.execute(f"DROP TRIGGER {name}")
        query = "SELECT place, body FROM records WHERE service = 'wallet'"
        place, body = sql.execute(query).fetchone()
        at = body.index(b"10000", body.index(b'"data":'))
        forged = body[:at] + b"90000" + body[at + 5 :]
        sql.execute("UPDATE records SET body = ? WHERE place = ?", (forged, place))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A casino that has been played at and is at rest."""
    data = tmp_path / "casino"
    data.mkdir()
    asyncio.run(_played(data))
    (data / "wallet.log").write_text("what the wallet said\n")
    (tmp_path / "out").mkdir()
    options = ("--data", str(data))
    return Place(door="", operators="", books=options, evidence=(str(data),))


def test_books_that_are_sound_leave_no_evidence(place: Place, tmp_path: Path) -> None:
    """What was started is removed as always."""
    books = asyncio.run(audited(place, tmp_path / "out"))

    assert (books.is_sound, books.evidence) == (True, "")
    assert not (tmp_path / "out" / "evidence").exists()


def test_books_that_are_not_sound_leave_all_that_was_there(
    place: Place, tmp_path: Path
) -> None:
    """The data, what was said, both records side by side, and where all that is."""
    data, out = tmp_path / "casino", tmp_path / "out"
    _forge(data)

    books = asyncio.run(audited(place, out))

    assert not books.is_sound
    copy = Path(books.evidence) / "casino"
    assert copy.is_relative_to(out)
    assert (copy / "wallet.log").read_text() == "what the wallet said\n"
    assert (copy / LOG_NAME).read_bytes() == (data / LOG_NAME).read_bytes()
    said = (out / "verify.txt").read_text()
    assert "DIFFERS: all" in said
    _, _, records = said.partition("first record that differs")
    assert '"amount_minor":10000' in records.partition("recorded  ")[0]
    assert '"amount_minor":90000' in records.partition("recorded  ")[2]
    differences = msgspec.json.decode((out / "verify.json").read_bytes())["decisions"]
    assert len(differences["differences"]) == 1


def test_evidence_is_never_written_over(tmp_path: Path) -> None:
    """A second run into the same report keeps what the first has found."""
    source = tmp_path / "wallet.log"
    source.write_text("first")
    first = kept([str(source)], tmp_path / "out")
    source.write_text("second")
    second = kept([str(source)], tmp_path / "out")

    assert (first / "wallet.log").read_text() == "first"
    assert (second / "wallet.log").read_text() == "second"


def test_what_cannot_be_kept_is_named_and_the_rest_is_kept(tmp_path: Path) -> None:
    """One file that is gone costs no other."""
    source = tmp_path / "wallet.log"
    source.write_text("said")

    folder = kept([str(tmp_path / "gone"), str(source)], tmp_path / "out")

    assert (folder / "wallet.log").read_text() == "said"
    assert str(tmp_path / "gone") in (folder / "not-kept.txt").read_text()


def test_the_page_says_where_the_evidence_is() -> None:
    """Whoever reads that the books are not sound reads where to look."""
    books = Books("NOT SOUND: audit", is_sound=False, evidence="out/evidence")

    assert "Evidence: out/evidence" in page(report_of([run_at(10, 5)], books=books))


def test_what_a_cut_audit_said_is_kept_and_that_it_was_cut(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that says something and never ends; nothing of it is left behind."""
    program = tmp_path / "endless"
    pids = tmp_path / "pids"
    program.write_text(
        f'#!/bin/sh\necho "$3 begins"\necho $$ >>{pids}\nexec sleep 999\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(books, "sys", SimpleNamespace(executable=str(program)))
    monkeypatch.setattr(books, "BOUND_S", 3.0)
    out = tmp_path / "out"

    found = asyncio.run(audited(place, out))

    why = "audit was not done within 3 s"
    assert not found.is_sound
    assert found.line.startswith(f"NOT SOUND: audit: {why}; verify: ")
    assert (out / "audit.txt").read_text() == f"audit begins\n\nCUT: {why}\n"
    for name in ("verify.txt", "verify.json"):
        assert (
            (out / name).read_text().startswith("verify begins\n\nCUT: verify was not")
        )
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids.read_text().split())
