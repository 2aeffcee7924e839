"""A casino's file after a forger had it: each kind of change has its own verdict."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from forgery import (
    TABLE,
    body_of,
    offset_of,
    rechain,
    rewrite,
    version_of,
    with_data,
    write,
)
from msgspec.structs import replace
from small_casino import PLAIN, VOIDED, copy_of

from contracts.envelope import Envelope
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from push22.inspect.verify import Verdict, verify_round

CLOSED = "table.round_closed.v1"


@pytest.fixture
def file(played: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = copy_of(played, tmp_path)
    yield connection
    connection.close()


def silent(_: int) -> None:
    pass


def verdict(data: Path) -> Verdict:
    reader = Reader.open(data)
    found = verify_all(reader, silent)
    reader.close()
    return found


def faults(found: Verdict) -> list[tuple[str, str, int]]:
    return [
        (log.service, fault.kind, fault.offset)
        for log in found.logs
        for fault in log.faults
    ]


def test_an_untouched_copy_matches(file: sqlite3.Connection, tmp_path: Path) -> None:
    """Taking the guards away changes nothing by itself."""
    assert file
    assert verdict(tmp_path).is_match


def test_one_changed_byte_is_placed(file: sqlite3.Connection, tmp_path: Path) -> None:
    """A net of one cent more is found where it stands."""
    version = version_of(file, PLAIN, CLOSED)
    body = body_of(file, PLAIN, version)
    at = body.index(b'"nets_minor":{"local.alice":') + len(b'"nets_minor":{"local.a')
    write(file, PLAIN, version, body[:at] + b"b" + body[at + 1 :])

    found = verdict(tmp_path)

    assert faults(found)[0] == (
        TABLE,
        "changed_record",
        offset_of(file, PLAIN, version),
    )
    first = next(iter(found.decisions.differences))
    assert first.record == f"{PLAIN}@{version}"


def test_a_changed_hash_is_told_from_a_changed_record(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """The records are right and one link is not: nothing else differs."""
    file.execute(
        "UPDATE records SET hash = zeroblob(32) WHERE service = 'wallet'"
        " AND offset = 10"
    )

    found = verdict(tmp_path)

    assert faults(found) == [("wallet", "changed_hash", 10)]
    assert found.decisions.differences == []


def test_a_missing_record_is_named(file: sqlite3.Connection, tmp_path: Path) -> None:
    """A deleted refusal leaves a hole, and a gap in its stream."""
    version = version_of(file, "round-t1-1", "table.command_refused.v1")
    offset = offset_of(file, "round-t1-1", version)
    file.execute(
        "DELETE FROM records WHERE service = ? AND offset = ?", (TABLE, offset)
    )

    found = verdict(tmp_path)

    assert faults(found) == [(TABLE, "missing_record", offset)]
    (difference,) = found.decisions.differences
    assert difference.kind == "missing_event"
    assert difference.text == f"version {version + 1} comes after {version - 1}"


@pytest.mark.parametrize("column", ["segment", "round_at"])
def test_a_record_led_away_from_its_stream_or_round_is_named(
    column: str, file: sqlite3.Connection, tmp_path: Path
) -> None:
    """A look into the stream or round would not show it, so the verdict does."""
    version = version_of(file, PLAIN, CLOSED)
    offset = offset_of(file, PLAIN, version)
    file.execute(
        f"UPDATE records SET {column} = 0 WHERE stream = ? AND version = ?",
        (PLAIN, version),
    )

    assert (TABLE, "astray_record", offset) in faults(verdict(tmp_path))


def test_a_swapped_pair_is_named(file: sqlite3.Connection, tmp_path: Path) -> None:
    """Two records that changed places are both out of place."""
    for old, new in ((20, -20), (21, 20), (-20, 21)):
        file.execute(
            "UPDATE records SET offset = ? WHERE service = 'wallet' AND offset = ?",
            (new, old),
        )

    assert faults(verdict(tmp_path)) == [
        ("wallet", "reordered_records", 20),
        ("wallet", "reordered_records", 21),
    ]


def test_a_cut_tail_is_seen_by_head_and_readers(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """The head and everyone who read the wallet's log know how far it went."""
    (last,) = file.execute(
        "SELECT max(offset) FROM records WHERE service = 'wallet'"
    ).fetchone()
    file.execute("DELETE FROM records WHERE service = 'wallet' AND offset = ?", (last,))

    found = faults(verdict(tmp_path))

    assert ("wallet", "cut_tail", last) in found


def test_a_tail_cut_with_its_head_is_seen_by_the_readers(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """Whoever sets the head back as well is betrayed by those who have read more."""
    (last,) = file.execute(
        "SELECT max(offset) FROM records WHERE service = 'wallet'"
    ).fetchone()
    file.execute("DELETE FROM records WHERE service = 'wallet' AND offset = ?", (last,))
    (link,) = file.execute(
        "SELECT hash FROM records WHERE service = 'wallet' AND offset = ?", (last - 1,)
    ).fetchone()
    file.execute(
        "UPDATE heads SET offset = ?, hash = ? WHERE service = 'wallet'", (last, link)
    )

    assert set(faults(verdict(tmp_path))) == {("wallet", "cut_tail", last)}


def hit_instead_of_stand(envelope: Envelope) -> Envelope:
    changed = with_data(envelope, b"table.hand_stood.v1", b"table.hand_hit.v1")
    return replace(changed, type="table.hand_hit.v1")


def test_a_forged_and_rechained_decision_is_made_again_and_found(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """Whoever fits the chain to a lie still has not fitted the player's command."""
    version = version_of(file, PLAIN, "table.hand_stood.v1")
    rewrite(file, (PLAIN, version), hit_instead_of_stand)
    rechain(file, TABLE)

    found = verdict(tmp_path)

    assert faults(found) == []
    difference = found.decisions.differences[0]
    assert difference.record == f"{PLAIN}@{version}"
    assert difference.expected is not None
    assert difference.recorded is not None
    assert difference.expected[0] == "table.hand_stood.v1"
    assert difference.recorded[0] == "table.hand_hit.v1"


def test_a_forged_payout_is_found_where_it_was_settled(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """A line that pays one cent more does not follow from its wager."""
    stream = f"settlement-{VOIDED}"
    rewrite(file, (stream, 1), lambda x: with_data(x, b":1000}", b":1001}"))
    rechain(file, "settlement")

    found = verdict(tmp_path)

    assert faults(found) == []
    assert found.decisions.differences[0].record == f"{stream}@1"


def test_an_event_without_an_input_is_found(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """An event that names another cause than the one before it was slipped in."""
    version = version_of(file, PLAIN, "table.decision_opened.v1")
    rewrite(file, (PLAIN, version), lambda x: replace(x, caused_by="other"))
    rechain(file, TABLE)

    (difference,) = verdict(tmp_path).decisions.differences

    assert (difference.kind, difference.record) == (
        "extra_event",
        f"{PLAIN}@{version}",
    )


def test_a_forged_command_is_found(file: sqlite3.Connection, tmp_path: Path) -> None:
    """The command that is kept with a decision is what the decision is judged by."""
    version = version_of(file, PLAIN, "table.wagers_placed.v1")

    def bet_more(envelope: Envelope) -> Envelope:
        assert envelope.cause is not None
        command = bytes(envelope.cause.command).replace(b"[1000,1000]", b"[2000,2000]")
        cause = replace(envelope.cause, command=type(envelope.data)(command))
        return replace(envelope, cause=cause)

    rewrite(file, (PLAIN, version), bet_more)
    rechain(file, TABLE)

    (difference,) = verdict(tmp_path).decisions.differences

    assert difference.record == f"{PLAIN}@{version}"


def test_an_exchanged_card_has_no_proof(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """A card forged in a shoe that is still in use is found by its proof alone."""
    shoe = "shoe-t2-1"
    version = version_of(file, shoe, "shoe.cards_dealt.v1")
    rewrite(file, (shoe, version), exchanged_card)
    rechain(file, "shoe")

    found = verdict(tmp_path)

    assert faults(found) == []
    assert "the leaf is another card's" in found.decisions.proof_faults[0].text


def exchanged_card(envelope: Envelope) -> Envelope:
    data = bytes(envelope.data)
    at = data.index(b'"card":"') + len(b'"card":"')
    other = b"As" if data[at : at + 2] != b"As" else b"Kd"
    return with_data(envelope, data[at - 8 : at + 2], b'"card":"' + other)


def test_a_forgery_elsewhere_leaves_a_round_its_match(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """A round is judged by its own decisions; the chain tells of the rest."""
    version = version_of(file, PLAIN, "table.hand_stood.v1")
    rewrite(file, (PLAIN, version), hit_instead_of_stand)
    rechain(file, TABLE)
    reader = Reader.open(tmp_path)

    assert verify_round(reader, VOIDED, silent).is_match
    assert not verify_round(reader, PLAIN, silent).is_match


def test_bytes_that_are_no_record_do_not_stop_the_check(
    file: sqlite3.Connection, tmp_path: Path
) -> None:
    """What cannot be read is one fault; everything else is still checked."""
    version = version_of(file, PLAIN, CLOSED)
    write(file, PLAIN, version, b"\x00 not a record")

    found = verdict(tmp_path)

    assert faults(found)[0][1:] == (
        "unreadable_record",
        offset_of(file, PLAIN, version),
    )
    assert found.decisions.checked > 1000
