"""What a forger does to a signed casino, each with the verdict that names it."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forgery import TABLE, body_of, offset_of, rechain, rewrite, version_of, write
from msgspec.structs import replace
from signing import LENGTH, cut, kinds, sign_all, verified
from small_casino import PLAIN, copy_of

from push22.checkpoints.store import LODGED_NAME
from services.archive.checkpoints import FAULTS

CLOSED = "table.round_closed.v1"


@pytest.fixture(scope="module")
def signed(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("signed")
    copy_of(played, data).close()
    sign_all(data)
    return data


@pytest.fixture
def file(signed: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = copy_of(signed, tmp_path)
    yield connection
    connection.close()


@pytest.fixture
def lodged(signed: Path) -> Path:
    return signed / LODGED_NAME


def test_untouched_it_matches(
    file: sqlite3.Connection, tmp_path: Path, lodged: Path
) -> None:
    """Every record is under a signature, and both copies say the same."""
    assert file
    found = verified(tmp_path, lodged)
    assert found.is_match
    assert all(log.covered == log.records for log in found.logs)
    assert sum(log.checkpoints for log in found.logs) > len(found.logs)


def one_byte(file: sqlite3.Connection) -> None:
    version = version_of(file, PLAIN, CLOSED)
    body = body_of(file, PLAIN, version)
    write(file, PLAIN, version, body.replace(b"local.alice", b"local.blice"))


def removed(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM records WHERE service = 'wallet' AND offset = 10")


def swapped(file: sqlite3.Connection) -> None:
    for old, new in ((20, -20), (21, 20), (-20, 21)):
        file.execute(
            "UPDATE records SET offset = ? WHERE service = 'wallet' AND offset = ?",
            (new, old),
        )


def truncated(file: sqlite3.Connection) -> None:
    (last,) = file.execute(
        "SELECT max(offset) FROM records WHERE service = 'settlement'"
    ).fetchone()
    cut(file, "settlement", last - 3)


def chained_anew(file: sqlite3.Connection) -> None:
    """Change what no decision looks at, and make the chain fit."""
    version = version_of(file, PLAIN, CLOSED)
    rewrite(file, (PLAIN, version), lambda x: replace(x, correlation="another"))
    rechain(file, TABLE)


def hash_only(file: sqlite3.Connection) -> None:
    file.execute(
        "UPDATE records SET hash = zeroblob(32) WHERE service = 'wallet'"
        " AND offset = ?",
        (LENGTH,),
    )


def another_log(file: sqlite3.Connection) -> None:
    file.execute("UPDATE incarnations SET incarnation = 'other' WHERE service = 'shoe'")


def one_checkpoint_gone(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM checkpoints WHERE service = 'wallet' AND since = 0")


@pytest.mark.parametrize(
    ("forge", "expected"),
    [
        (one_byte, {"changed_record", "changed_stretch"}),
        (removed, {"missing_record", "changed_stretch"}),
        (swapped, {"reordered_records", "changed_stretch"}),
        (truncated, {"lost_tail"}),
        (chained_anew, {"changed_stretch"}),
        (hash_only, {"changed_hash", "changed_chain"}),
        (another_log, {"misplaced_record", "other_log"}),
        (one_checkpoint_gone, {"removed_checkpoint"}),
    ],
)
def test_each_forgery_has_its_verdict(
    forge: Callable[[sqlite3.Connection], None],
    expected: set[str],
    file: sqlite3.Connection,
    tmp_path: Path,
) -> None:
    """The chain and what was signed name it, each in its own words."""
    forge(file)
    assert expected <= kinds(verified(tmp_path))


def test_only_checkpoints_see_a_tail_that_is_gone_from_everywhere(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """A log that ends cleanly earlier is whole by its chain: H3, F8."""
    truncated(file)
    found = verified(tmp_path)
    assert kinds(found) == {"lost_tail"}
    (settlement,) = [log for log in found.logs if log.faults]
    assert settlement.service == "settlement"
    assert settlement.faults[0].offset == settlement.records + 3


def test_only_checkpoints_see_a_chain_that_was_made_anew(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """It says in which stretch, and not again for all that comes after."""
    offset = offset_of(file, PLAIN, version_of(file, PLAIN, CLOSED))
    chained_anew(file)
    (fault,) = [f for log in verified(tmp_path).logs for f in log.faults]
    assert fault.kind == "changed_stretch"
    assert fault.offset - LENGTH < offset <= fault.offset
    assert "made anew" in fault.text


def test_a_lodged_copy_tells_what_the_table_lost(
    file: sqlite3.Connection, tmp_path: Path, lodged: Path
) -> None:
    """Whoever cuts log and checkpoints together is betrayed by the copy."""
    truncated(file)
    file.execute("DELETE FROM checkpoints WHERE service = 'settlement'")
    (tmp_path / LODGED_NAME).unlink()
    assert kinds(verified(tmp_path)) == set()
    assert kinds(verified(tmp_path, lodged)) == {"removed_checkpoint", "lost_tail"}


def test_keys_that_were_made_anew_are_not_those_that_signed(
    file: sqlite3.Connection, tmp_path: Path, lodged: Path
) -> None:
    """Signing a forged log again takes another key, and the copy does not know it."""
    chained_anew(file)
    file.execute("DELETE FROM checkpoints")
    for name in (LODGED_NAME, "checkpoint-keys.json", "checkpoint-keys-public.json"):
        (tmp_path / name).unlink()
    sign_all(tmp_path)
    assert kinds(verified(tmp_path)) == set()
    assert "unknown_key" in kinds(verified(tmp_path, lodged))


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda lines: lines[:1] + lines[2:], "removed_checkpoint"),
        (lambda lines: [b"{}\n", *lines[1:]], "unreadable_checkpoint"),
        (lambda lines: [*lines[:-1], lines[-1][:-1]], "unreadable_checkpoint"),
        (
            lambda lines: [x.replace(b"wallet", b"settle") for x in lines],
            "bad_signature",
        ),
    ],
)
def test_a_lodged_copy_that_was_changed_is_named(
    change: Callable[[list[bytes]], list[bytes]],
    expected: str,
    file: sqlite3.Connection,
    tmp_path: Path,
) -> None:
    """A line that is gone, none, cut short or another one."""
    assert file
    copy = tmp_path / "lodged.jsonl"
    copy.write_bytes(b"".join(change(_lines(tmp_path / LODGED_NAME))))
    assert expected in kinds(verified(tmp_path, copy))


def test_every_verdict_is_listed(file: sqlite3.Connection, tmp_path: Path) -> None:
    """A verdict's kind has its words for the reader."""
    another_log(file)
    truncated(file)
    found = verified(tmp_path)
    assert found.checkpoints == ()
    signed = kinds(found) & FAULTS.keys()
    assert signed == {"other_log", "lost_tail"}
