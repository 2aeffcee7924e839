"""The verdict holds a round to what was signed: what a chain alone can't show (H14)."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from push22.casino import LOG_NAME
from push22.checkpoints.keys import PUBLIC_NAME
from push22.door.index import FileIndex
from push22.inspect.reader import Reader
from tests.archive.forgery import TABLE, offset_of, rechain, rewrite, version_of
from tests.archive.signing import LENGTH, cut, sign_all
from tests.archive.small_casino import PLAIN, Play, copy_of
from tests.desk.rounds import ask
from tests.gateway.house import house

CLOSED = "table.round_closed.v1"
Ask = Callable[[], dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A casino in which much has happened, and nothing was signed yet."""
    data = tmp_path_factory.mktemp("casino")
    asyncio.run(Play(data).run())
    return data


@pytest.fixture(scope="module")
def signed(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, all of it under checkpoints of 64 records each."""
    data = tmp_path_factory.mktemp("signed")
    copy_of(played, data).close()
    sign_all(data)
    return data


@pytest.fixture
def file(signed: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of its data that may be spoiled."""
    (tmp_path / "copy").mkdir()
    connection = copy_of(signed, tmp_path / "copy")
    yield connection
    connection.close()


@pytest.fixture
def told(tmp_path: Path) -> Ask:
    """Ask a door that reads the copy for the round's verdict."""

    async def asked() -> dict[str, Any]:
        async with house(tmp_path / "live") as the:
            the.door._index = FileIndex(tmp_path / "copy" / LOG_NAME)
            answer = await ask(the, f"/rounds/{PLAIN}/verdict")
            assert answer.status_code == 200, answer.text
            found: dict[str, Any] = answer.json()
            return found

    return lambda: asyncio.run(asked())


def last_offset(file: sqlite3.Connection, service: str) -> int:
    query = "SELECT max(offset) FROM records WHERE service = ?"
    return int(file.execute(query, (service,)).fetchone()[0])


def wrong(found: dict[str, Any]) -> dict[str, str]:
    """Return the verdicts of all checkpoints that don't hold, by log."""
    return {
        x["service"]: x["verdict"]
        for x in found["checkpoints"]
        if x["verdict"] != "holds"
    }


@pytest.mark.usefixtures("file")
def test_every_record_is_under_a_checkpoint_that_holds(told: Ask) -> None:
    """Each names its stretch, its key and that key's term; chains begin with it."""
    found = told()

    assert (found["verdict"], wrong(found)) == ("MATCH", {})
    assert all(x["uncovered"] == 0 and x["own"] for x in found["chains"])
    over = [x for x in found["checkpoints"] if x["own"]]
    assert {x["service"] for x in over} == {x["service"] for x in found["chains"]}
    for chain in found["chains"]:
        own = [x for x in over if x["service"] == chain["service"]]
        assert sum(x["own"] for x in own) == chain["own"]
        assert chain["first"] <= min(x["since"] for x in own) + 1
        assert all(0 < x["offset"] - x["since"] <= LENGTH for x in own)
    assert {len(x["key_id"]) for x in over} == {16}
    assert all(x["key_since"] <= x["made_at"] for x in over)
    assert {x["key_until"] for x in over} == {0}
    assert len({x["fingerprint"] for x in over}) == len(over)


def test_what_nobody_signed_yet_is_said(
    played: Path, tmp_path: Path, told: Ask
) -> None:
    """Without a checkpoint the round matches still, and every log says so."""
    (tmp_path / "copy").mkdir()
    copy_of(played, tmp_path / "copy").close()

    found = told()

    assert (found["verdict"], found["checkpoints"]) == ("MATCH", [])
    assert all(x["uncovered"] == x["own"] > 0 for x in found["chains"])
    assert sum("not yet covered by a checkpoint" in x for x in found["checked"]) == len(
        found["chains"]
    )


def test_a_tail_that_nobody_remembers_is_lost(
    file: sqlite3.Connection, told: Ask
) -> None:
    """Cut with its head and all readers' positions: the signature remembers."""
    cut(file, "settlement", last_offset(file, "settlement") - 3)

    found = told()

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "lost_tail")
    assert not any(x["faults"] for x in found["chains"])
    assert wrong(found) == {"settlement": "lost_tail"}
    assert f"held {last_offset(file, 'settlement') + 3} records" in found["text"]


def test_a_tail_is_lost_that_the_round_is_not_in(
    file: sqlite3.Connection, told: Ask
) -> None:
    """The log's last checkpoint is looked at, however far behind the round it is."""
    before = told()
    last = last_offset(file, "wallet")
    cut(file, "wallet", last - 1)

    found = told()

    covers = {(x["service"], x["offset"]): x["own"] for x in before["checkpoints"]}
    assert covers["wallet", last] == 0
    assert (found["kind"], wrong(found)) == ("lost_tail", {"wallet": "lost_tail"})


def test_a_chain_made_anew_is_a_changed_stretch(
    file: sqlite3.Connection, told: Ask
) -> None:
    """Where hashes and decisions fit, the signed root does not."""
    version = version_of(file, PLAIN, CLOSED)
    rewrite(file, (PLAIN, version), lambda x: replace(x, correlation="another"))
    rechain(file, TABLE)

    found = told()

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "changed_stretch")
    assert "the chain was made anew over a change" in found["text"]
    offset = offset_of(file, PLAIN, version)
    (stretch,) = [x for x in found["checkpoints"] if x["verdict"] == "changed_stretch"]
    assert stretch["since"] < offset <= stretch["offset"]
    assert not any(x["faults"] for x in found["chains"])


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ((rb'"made_at\":', rb'"made_at\":1'), "bad_signature"),
        ((b'{"key_id":"', b'{"key_id":"0'), "unknown_key"),
        ((b'{"key_id"', b'{"key_id" '), "unreadable_checkpoint"),
    ],
)
def test_a_changed_checkpoint_is_not_believed(
    file: sqlite3.Connection, told: Ask, change: tuple[bytes, bytes], kind: str
) -> None:
    """The checkpoint over the round's first record, spoiled in three ways."""
    (offset,) = file.execute(
        "SELECT min(offset) FROM records WHERE service = ? AND round_id = ?",
        (TABLE, PLAIN),
    ).fetchone()
    number, body = file.execute(
        "SELECT number, body FROM checkpoints WHERE service = ? AND since < ?"
        " ORDER BY since DESC LIMIT 1",
        (TABLE, offset),
    ).fetchone()
    assert change[0] in body, body
    file.execute(
        "UPDATE checkpoints SET body = ? WHERE number = ?",
        (body.replace(*change, 1), number),
    )

    found = told()

    assert (found["verdict"], found["kind"]) == ("DIFFERS", kind)
    (chain,) = [x for x in found["chains"] if x["service"] == TABLE]
    assert 0 < chain["uncovered"] <= chain["own"]


def test_another_logs_checkpoint_in_its_place_is_none(
    file: sqlite3.Connection, told: Ask
) -> None:
    """A signed statement about the wallet says nothing about the table."""
    query = "SELECT body FROM checkpoints WHERE service = ? ORDER BY since"
    (foreign,) = file.execute(query, ("wallet",)).fetchone()
    file.execute("UPDATE checkpoints SET body = ? WHERE service = ?", (foreign, TABLE))

    found = told()

    assert (found["kind"], wrong(found)) == (
        "removed_checkpoint",
        {TABLE: "removed_checkpoint"},
    )


@pytest.mark.usefixtures("file")
def test_without_keys_nothing_is_believed(tmp_path: Path, told: Ask) -> None:
    """Whoever takes the public keys away hides no change."""
    (tmp_path / "copy" / PUBLIC_NAME).unlink()

    found = told()

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "unknown_key")


def test_a_verdict_is_made_again_once_more_is_signed(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not yet covered is, without a record more."""
    shutil.copytree(played, tmp_path / "copy")
    viewer = FileIndex(tmp_path / "copy" / LOG_NAME).viewer
    before = viewer.verdict(PLAIN)
    sign_all(tmp_path / "copy")
    after = viewer.verdict(PLAIN)

    assert before is not None
    assert after is not None
    assert before.checkpoints == ()
    assert after.checkpoints
    asked: list[str] = []

    def spied(reader: Reader, round_id: str) -> None:
        del reader
        asked.append(round_id)

    monkeypatch.setattr("push22.desk.viewer.judged", spied)
    assert viewer.verdict(PLAIN) is after
    assert asked == []
