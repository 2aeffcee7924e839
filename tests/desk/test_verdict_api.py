"""Each kind of tampering has its own verdict, told through the door (V6)."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from push22.casino import LOG_NAME
from push22.door.index import FileIndex
from tests.archive.forgery import (
    TABLE,
    body_of,
    offset_of,
    rechain,
    rewrite,
    version_of,
    with_data,
    write,
)
from tests.archive.small_casino import PLAIN, VOIDED, Play, copy_of
from tests.desk.rounds import ask
from tests.gateway.house import house

CLOSED = "table.round_closed.v1"
SETTLED = "settlement.wagers_settled.v1"

Ask = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A casino in which much has happened."""
    data = tmp_path_factory.mktemp("casino")
    asyncio.run(Play(data).run())
    return data


@pytest.fixture
def file(played: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of its data that may be spoiled."""
    (tmp_path / "copy").mkdir()
    connection = copy_of(played, tmp_path / "copy")
    yield connection
    connection.close()


@pytest.fixture
def told(tmp_path: Path) -> Ask:
    """Ask a door that reads the copy for a round's verdict."""

    async def asked(round_id: str) -> dict[str, Any]:
        async with house(tmp_path / "live") as the:
            the.door._index = FileIndex(tmp_path / "copy" / LOG_NAME)
            answer = await ask(the, f"/rounds/{round_id}/verdict")
            assert answer.status_code == 200, answer.text
            found: dict[str, Any] = answer.json()
            return found

    return lambda round_id: asyncio.run(asked(round_id))


def chain_of(found: dict[str, Any], service: str) -> dict[str, Any]:
    (chain,) = [x for x in found["chains"] if x["service"] == service]
    return dict(chain)


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("round_id", [PLAIN, VOIDED])
def test_an_untouched_round_matches(round_id: str, told: Ask) -> None:
    """Its decisions follow, its chains hold, each card that lay open is proved."""
    found = told(round_id)

    assert (found["verdict"], found["kind"]) == ("MATCH", "")
    assert found["difference"] is None
    assert found["decisions"] > 0
    assert {x["verdict"] for x in found["cards"]} <= {"proved", "face down", "burned"}
    assert all(x["anchor"] == "head" and not x["faults"] for x in found["chains"])
    assert {x["service"] for x in found["chains"]} >= {TABLE, "shoe", "wallet"}
    assert found["command"] == f"push22 verify {round_id}"


def test_one_changed_byte(file: sqlite3.Connection, told: Ask) -> None:
    """It is placed, and the decision stands beside what it should be."""
    version = version_of(file, PLAIN, CLOSED)
    body = body_of(file, PLAIN, version)
    at = body.index(b'"nets_minor":{"local.alice":') + len(b'"nets_minor":{"local.a')
    write(file, PLAIN, version, body[:at] + b"b" + body[at + 1 :])

    found = told(PLAIN)

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "changed_record")
    assert str(offset_of(file, PLAIN, version)) in found["text"]
    assert found["difference"]["record"] == f"{PLAIN}@{version}"
    assert "local.ablice" not in str(found["difference"]["expected"])
    assert found["difference"]["expected"] != found["difference"]["recorded"]


def test_a_missing_record(file: sqlite3.Connection, told: Ask) -> None:
    """A hole in the log, and the version that is not there."""
    version = version_of(file, PLAIN, "table.betting_closed.v1")
    offset = offset_of(file, PLAIN, version)
    file.execute(
        "DELETE FROM records WHERE stream = ? AND version = ?", (PLAIN, version)
    )

    found = told(PLAIN)

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "missing_record")
    assert chain_of(found, TABLE)["faults"][0]["offset"] == offset
    assert found["difference"] is not None


def test_a_reordered_pair(file: sqlite3.Connection, told: Ask) -> None:
    """Two records that changed places are told from two that were changed."""
    version = version_of(file, PLAIN, CLOSED)
    first, second = (body_of(file, PLAIN, x) for x in (version - 1, version))
    write(file, PLAIN, version - 1, second)
    write(file, PLAIN, version, first)

    found = told(PLAIN)

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "reordered_records")


def test_a_truncated_tail(file: sqlite3.Connection, told: Ask) -> None:
    """The head knows more than the log holds."""
    last = file.execute(
        "SELECT max(offset) FROM records WHERE service = ?", (TABLE,)
    ).fetchone()[0]
    file.execute(
        "DELETE FROM records WHERE service = ? AND offset > ?", (TABLE, last - 3)
    )

    found = told(PLAIN)

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "cut_tail")
    assert chain_of(found, TABLE)["faults"][0]["text"].startswith(
        f"the log ended at {last}"
    )


def test_a_tail_cut_with_its_head(file: sqlite3.Connection, told: Ask) -> None:
    """Those who read the log remember how far it went."""
    service = "settlement"
    last, link = file.execute(
        "SELECT offset, hash FROM records WHERE service = ? ORDER BY offset DESC"
        " LIMIT 1 OFFSET 3",
        (service,),
    ).fetchone()
    file.execute(
        "DELETE FROM records WHERE service = ? AND offset > ?", (service, last)
    )
    file.execute(
        "UPDATE heads SET offset = ?, hash = ? WHERE service = ?",
        (last + 1, link, service),
    )

    found = told(PLAIN)

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "cut_tail")
    assert "has read record" in found["text"]


def test_a_rechained_lie_differs_by_its_decision(
    file: sqlite3.Connection, told: Ask
) -> None:
    """Where all hashes fit again, the settlement made again does not."""
    (stream, version) = file.execute(
        "SELECT stream, version FROM records WHERE type = ? AND round_id = ?"
        " ORDER BY version DESC",
        (SETTLED, PLAIN),
    ).fetchone()
    rewrite(
        file,
        (stream, version),
        lambda x: with_data(x, b'"payout_minor":2000', b'"payout_minor":9000'),
    )
    rechain(file, "settlement")

    found = told(PLAIN)

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "decision")
    assert found["difference"]["record"] == f"{stream}@{version}"
    assert "9000" in str(found["difference"]["recorded"])
    assert "9000" not in str(found["difference"]["expected"])


def test_another_card_is_refuted(file: sqlite3.Connection, told: Ask) -> None:
    """A card that was never there has no proof, however well the log is chained."""
    stream, version = file.execute(
        "SELECT stream, version FROM records WHERE type = 'shoe.cards_dealt.v1'"
        " AND round_id = ? ORDER BY version",
        (PLAIN,),
    ).fetchone()
    rewrite(
        file, (stream, version), lambda x: with_data(x, b'"card":"4s"', b'"card":"As"')
    )
    rechain(file, "shoe")

    found = told(PLAIN)

    assert (found["verdict"], found["kind"]) == ("DIFFERS", "card_proof")
    refuted = [x for x in found["cards"] if x["verdict"] == "refuted"]
    assert [(x["place"], x["card"]) for x in refuted] == [("1.1", "As")]


def test_a_verdict_is_made_again_only_once_the_logs_went_on(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same question has the same answer while nothing was added."""
    asked: list[str] = []
    viewer = FileIndex(played / LOG_NAME).viewer
    before = viewer.verdict(PLAIN)

    def spied(reader: Any, round_id: str) -> None:
        del reader
        asked.append(round_id)

    monkeypatch.setattr("push22.desk.viewer.judged", spied)

    assert viewer.verdict(PLAIN) is before
    assert asked == []
    assert viewer.verdict(VOIDED) is None
    assert asked == [VOIDED]
