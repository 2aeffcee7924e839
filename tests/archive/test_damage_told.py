"""A newcomer changes bytes of a record: each command says so, and never the opposite.

The record is a round's last one: its envelope loses a field, or its nets are another.
"""

import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from forgery import body_of, offset_of, version_of, with_data, write
from small_casino import PLAIN, VOIDED, copy_of

from contracts import catalog
from push22.__main__ import run

CLOSED = "table.round_closed.v1"
OFFERED = "table.decision_opened.v1"
"""A type that the audit has no use for."""

Told = pytest.CaptureFixture[str]
Tell = Callable[..., tuple[int, str]]


@pytest.fixture
def file(played: Path, tmp_path: Path) -> sqlite3.Connection:
    return copy_of(played, tmp_path)


@pytest.fixture
def tell(tmp_path: Path, capsys: Told) -> Tell:
    def told(*words: str) -> tuple[int, str]:
        code = run([*words, "--data", str(tmp_path)])
        out = capsys.readouterr()
        assert "Traceback" not in out.err
        return code, out.out + out.err

    return told


def damage(
    file: sqlite3.Connection,
    change: tuple[bytes, bytes] = (b'"partition"', b'"pArtition"'),
    *,
    type_: str = CLOSED,
    round_id: str = PLAIN,
) -> tuple[str, int]:
    """Change bytes of a round's record; return its id and its offset."""
    version = version_of(file, round_id, type_)
    body = body_of(file, round_id, version)
    assert change[0] in body
    write(file, round_id, version, body.replace(*change, 1))
    return f"{round_id}@{version}", offset_of(file, round_id, version)


def index_of(file: sqlite3.Connection) -> list[tuple[object, ...]]:
    return file.execute("SELECT * FROM archive_rounds ORDER BY round_id").fetchall()


HINT = "push22 rounds --rebuild"


def test_the_index_is_not_blamed_for_a_damaged_record(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """A rebuild can't mend what a record says no more: the advice is withheld."""
    _, offset = damage(file)

    code, text = tell("verify", "--all")

    assert code == 1
    assert f"unreadable_record: table-orchestrator, offset {offset}" in text
    assert "archive_rounds" in text
    assert HINT not in text


def test_an_index_that_alone_is_wrong_can_be_rebuilt(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """With every record right the advice is given, and it helps."""
    file.execute("UPDATE archive_rounds SET status = 'void' WHERE number = 1")

    code, text = tell("verify", "--all")

    assert code == 1
    assert HINT in text
    assert tell("rounds", "--rebuild")[0] == 0
    assert tell("verify", "--all")[0] == 0


@pytest.mark.parametrize("old", [b'"partition"', b'"status"'])
def test_a_rebuild_that_fails_keeps_the_index(
    old: bytes, file: sqlite3.Connection, tell: Tell
) -> None:
    """One line names the record's place, and `rounds` lists what it did before."""
    before, listed = index_of(file), tell("rounds")
    name, offset = damage(file, (old, old.upper()))

    code, text = tell("rounds", "--rebuild")

    assert code == 1
    assert text.count("\n") == 1
    assert f"table-orchestrator, offset {offset} ({name})" in text
    assert "see push22 verify --all" in text
    assert before
    assert index_of(file) == before
    assert tell("rounds") == listed


def test_a_rebuild_over_a_hole_keeps_the_index(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """A record that is gone is told like one that cannot be read."""
    before = index_of(file)
    file.execute("DELETE FROM records WHERE service = 'wallet' AND offset = 5")

    code, text = tell("rounds", "--rebuild")

    assert code == 1
    assert text.count("\n") == 1
    assert "wallet, offset 6 does not follow on offset 4" in text
    assert index_of(file) == before


def test_a_casino_that_cannot_fill_its_index_says_so(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """`play` on such a log ends in the same line instead of a traceback."""
    damage(file)
    file.execute("DELETE FROM positions WHERE service = 'archive'")

    code, text = tell("play", "--auto", "--rounds", "1")

    assert code == 1
    assert text.splitlines()[-1].startswith("push22: play: a record can't be read: ")
    assert "see push22 verify --all" in text


@pytest.mark.parametrize("round_id", [PLAIN, VOIDED])
def test_an_honest_round_is_executed_again(
    round_id: str, file: sqlite3.Connection, tell: Tell
) -> None:
    """The last line is the verdict, and machines read it in a field."""
    assert file
    code, text = tell("replay", round_id)
    document = json.loads(tell("replay", round_id, "--json")[1])

    assert code == 0
    assert text.splitlines()[-1] == "executed again: MATCH"
    assert (document["verdict"], document["difference"]) == ("MATCH", None)


def lied(file: sqlite3.Connection) -> str:
    """Change the nets that a round reports, and nothing else."""
    version = version_of(file, VOIDED, CLOSED)
    envelope = catalog.decode_envelope(body_of(file, VOIDED, version))
    lie = with_data(envelope, b'{"local.bob":0}', b'{"local.bob":1}')
    write(file, VOIDED, version, catalog.encode(lie))
    return f"{VOIDED}@{version}"


def test_a_changed_record_is_shown_beside_what_it_should_be(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """Replay names the record, what was expected and what stands there; exit 1."""
    name = lied(file)

    code, text = tell("replay", VOIDED)
    told = tell("replay", VOIDED, "--json")
    document = json.loads(told[1])

    assert (code, told[0]) == (1, 1)
    assert "WARNING" in text
    assert '{"local.bob":0}' in text
    assert text.splitlines()[-1] == f"executed again: DIFFERS, first at {name}"
    assert document["verdict"] == "DIFFERS"
    assert document["difference"]["record"] == name


def test_a_record_that_is_left_out_of_a_transcript_is_named(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """The transcript has no end, and says why."""
    name, offset = damage(file)

    code, text = tell("replay", PLAIN)
    words = " ".join(text.split())

    assert code == 1
    assert f"table-orchestrator, offset {offset}: it can't be read" in words
    assert text.splitlines()[-1] == f"executed again: DIFFERS, first at {name}"


@pytest.mark.parametrize("how", ["unreadable", "gone"])
def test_a_hole_in_the_middle_of_a_round_is_said(
    how: str, file: sqlite3.Connection, tell: Tell
) -> None:
    """An event that is gone, or that nobody can read, is never passed over."""
    name, _ = damage(file, type_=OFFERED)
    version = int(name.rpartition("@")[2])
    if how == "gone":
        where = "stream = ? AND version = ?"
        file.execute(f"DELETE FROM records WHERE {where}", (PLAIN, version))
        name = f"{PLAIN}@{version + 1}"

    code, text = tell("replay", PLAIN)

    assert code == 1
    assert name in text
    assert "executed again: MATCH" not in text


def test_a_wallets_record_of_the_round_counts(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """Wallets are not executed again here, but their bytes are those chained."""
    query = "SELECT stream, version FROM records WHERE round_id = ? AND type = ?"
    stream, version = file.execute(
        query, (PLAIN, "wallet.payouts_posted.v1")
    ).fetchone()
    body = body_of(file, stream, version)
    at = body.index(b'"balance_minor":') + len(b'"balance_minor":')
    digit = b"8" if body[at : at + 1] == b"9" else b"9"
    write(file, stream, version, body[:at] + digit + body[at + 1 :])

    code, text = tell("replay", PLAIN)

    assert code == 1
    assert text.splitlines()[-1].endswith(f"first at {stream}@{version}")


def test_an_audit_that_could_not_read_gives_no_clean_bill(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """The last line says that the verdict is open, and the record is named."""
    name, _ = damage(file)

    code, text = tell("audit")
    books = json.loads(tell("audit", "--json")[1])

    assert code == 1
    assert text.splitlines()[-1] == "not everything could be read"
    assert "1 record cannot be read" in text
    assert name in text
    assert "every cent" not in text
    assert books["verdict"] == "not everything could be read"
    assert books["unreadable"] == [name]


def test_what_the_audit_has_no_use_for_is_not_its_business(
    file: sqlite3.Connection, tell: Tell
) -> None:
    """A damaged event that moves no money leaves the books in order."""
    damage(file, type_=OFFERED)

    assert tell("audit")[1].splitlines()[-1] == "every cent is accounted for"


def test_one_is_not_many(file: sqlite3.Connection, tell: Tell) -> None:
    """One fault is a fault."""
    damage(file)

    _, text = tell("verify", "--all")

    assert "1 FAULT\n" in "\n".join(map(str.rstrip, text.splitlines())) + "\n"
    assert "1 FAULTS" not in text


@pytest.mark.parametrize("type_", ["table.round_opened.v1", "table.cards_received.v1"])
def test_a_round_too_damaged_to_be_shown_is_judged(
    type_: str, file: sqlite3.Connection, tell: Tell
) -> None:
    """What can't be rebuilt has a verdict too, for people and machines."""
    name, _ = damage(file, type_=type_)

    code, text = tell("replay", PLAIN)
    told = tell("replay", PLAIN, "--json")
    document = json.loads(told[1].splitlines()[0])

    assert (code, told[0]) == (1, 1)
    assert f"executed again: DIFFERS, first at {name}" in text
    assert (document["verdict"], document["view"]) == ("DIFFERS", None)
    assert document["difference"]["record"] == name


@pytest.mark.parametrize("words", [("audit",), ("replay", PLAIN)])
def test_a_body_of_the_wrong_type_is_no_traceback(
    words: tuple[str, ...], file: sqlite3.Connection, tell: Tell
) -> None:
    """A number in the place of a record's bytes is one that can't be read."""
    version = version_of(file, PLAIN, CLOSED)
    where = "stream = ? AND version = ?"
    file.execute(f"UPDATE records SET body = 5 WHERE {where}", (PLAIN, version))

    code, text = tell(*words)

    assert code == 1
    assert f"{PLAIN}@{version}" in text


@pytest.mark.parametrize("seed", range(12))
def test_no_changed_bit_of_a_round_is_replayed_as_a_match(
    seed: int, file: sqlite3.Connection, tell: Tell
) -> None:
    """Whatever bit it is: no clean replay, no traceback, and no index is lost."""
    chance = random.Random(seed)
    query = "SELECT place, body FROM records WHERE round_id = ?"
    place, body = chance.choice(file.execute(query, (PLAIN,)).fetchall())
    changed, at = bytearray(body), chance.randrange(len(body))
    changed[at] ^= 1 << chance.randrange(7)
    query = "UPDATE records SET body = ? WHERE place = ?"
    file.execute(query, (bytes(changed), place))
    before = index_of(file)

    code, text = tell("replay", PLAIN)
    tell("audit")

    assert code == 1
    assert "executed again: DIFFERS" in text
    if tell("rounds", "--rebuild")[0]:
        assert index_of(file) == before
