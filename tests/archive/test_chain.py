"""The hash chain: each kind of tampering has its own verdict, with its place."""

from collections.abc import Callable
from hashlib import sha256

import msgspec
import pytest

from contracts.envelope import Actor, Envelope
from services.archive.chain import GENESIS, ChainCheck, Head, Row

LOG = "log-1"


def envelope(offset: int, version: int, data: bytes = b"{}") -> Envelope:
    return Envelope(
        id=f"round-t1-1@{version}",
        type="table.player_ready.v1",
        service="table-orchestrator",
        log=LOG,
        partition=0,
        offset=offset,
        stream="round-t1-1",
        version=version,
        recorded_at=1_000_000 + offset,
        caused_by="c1",
        correlation="c1",
        actor=Actor("player", "local.alice"),
        data=msgspec.Raw(data),
    )


def chained(bodies: list[bytes]) -> tuple[list[Row], Head]:
    rows, link = [], GENESIS
    for offset, body in enumerate(bodies, start=1):
        link = sha256(link + sha256(body).digest()).digest()
        rows.append(
            Row(offset, "round-t1-1", offset, "table.player_ready.v1", "", link, body)
        )
    return rows, Head(len(bodies), link)


def log_of(count: int) -> tuple[list[Row], Head]:
    bodies = [msgspec.json.encode(envelope(n, n)) for n in range(1, count + 1)]
    return chained(bodies)


def verdicts(rows: list[Row], head: Head) -> list[tuple[str, int]]:
    report = ChainCheck(LOG, 0, first=1).run(rows, head)
    return [(fault.kind, fault.offset) for fault in report.faults]


def test_an_untouched_log_has_no_fault_and_ends_in_its_head() -> None:
    """A chain that was built by the rule is found whole, to its last hash."""
    rows, head = log_of(5)

    report = ChainCheck(LOG, 0, first=1).run(rows, head)

    assert report == (5, head.hash, ())


def test_an_empty_log_is_whole() -> None:
    """A log that never held a record has nothing to find fault with."""
    assert verdicts([], Head(0, GENESIS)) == []


@pytest.mark.parametrize("at", [1, 3, 5])
def test_one_changed_byte_is_placed(at: int) -> None:
    """A single other byte in the data is a changed record, first, middle or last."""
    rows, head = log_of(5)
    changed = rows[at - 1].body.replace(b'"data":{}', b'"data":[]')
    rows[at - 1] = rows[at - 1]._replace(body=changed)

    assert verdicts(rows, head) == [("changed_record", at)]


@pytest.mark.parametrize("at", [1, 3, 5])
def test_a_changed_hash_is_told_from_a_changed_record(at: int) -> None:
    """Where the records are right and one link is not, the link is blamed."""
    rows, head = log_of(5)
    wrong = bytes([rows[at - 1].hash[0] ^ 1]) + rows[at - 1].hash[1:]
    rows[at - 1] = rows[at - 1]._replace(hash=wrong)

    assert verdicts(rows, head) == [("changed_hash", at)]


def test_a_missing_record_is_named() -> None:
    """A deleted record leaves a hole in the offsets."""
    rows, head = log_of(5)
    del rows[2]

    report = ChainCheck(LOG, 0, first=1).run(rows, head)

    assert [fault.text for fault in report.faults] == ["record 3 is missing"]


def test_missing_first_records_are_named() -> None:
    """A log that does not begin at its beginning says from where to where."""
    rows, head = log_of(5)

    report = ChainCheck(LOG, 0, first=1).run(rows[2:], head)

    assert [fault.text for fault in report.faults] == ["records 1 to 2 are missing"]


def test_a_swapped_pair_is_two_records_out_of_place() -> None:
    """Records that changed places still carry their own offsets."""
    rows, head = log_of(5)
    rows[1], rows[2] = (
        rows[2]._replace(offset=2),
        rows[1]._replace(offset=3),
    )

    found = verdicts(rows, head)

    assert found == [("reordered_records", 2), ("reordered_records", 3)]


def test_a_cut_tail_is_seen_by_the_head() -> None:
    """The head row still knows how far the log once went."""
    rows, head = log_of(5)

    report = ChainCheck(LOG, 0, first=1).run(rows[:3], head)

    assert [fault.text for fault in report.faults] == ["the log ended at 5, now at 3"]


def test_records_behind_the_head_are_seen() -> None:
    """A record slipped in after the head is not part of the log."""
    rows, _ = log_of(5)

    assert verdicts(rows, Head(4, rows[3].hash)) == [("extra_tail", 5)]


def test_a_head_of_another_hash_is_seen() -> None:
    """The right length with the wrong hash is a head that was changed."""
    rows, _ = log_of(5)

    assert verdicts(rows, Head(5, GENESIS)) == [("wrong_head", 5)]


def test_a_rewritten_and_rechained_version_gap_is_seen() -> None:
    """Whoever rechains a log without one event still leaves a gap in its stream."""
    bodies = [
        msgspec.json.encode(envelope(offset, version))
        for offset, version in ((1, 1), (2, 3))
    ]
    rows, head = chained(bodies)
    rows[1] = rows[1]._replace(version=3)

    assert verdicts(rows, head) == [("version_gap", 2)]


def another_log(body: bytes) -> bytes:
    return body.replace(b'"log":"log-1"', b'"log":"log-2"')


def another_stream(body: bytes) -> bytes:
    return body.replace(b"round-t1-1", b"round-t1-2")


def another_type(body: bytes) -> bytes:
    return body.replace(b"player_ready", b"round_voided")


def another_id(body: bytes) -> bytes:
    return body.replace(b"round-t1-1@2", b"round-t1-1@7")


@pytest.mark.parametrize(
    "change", [another_log, another_stream, another_type, another_id]
)
def test_a_rechained_record_of_elsewhere_is_misplaced(
    change: Callable[[bytes], bytes],
) -> None:
    """A record of another log, stream or id does not belong where it stands."""
    bodies = [msgspec.json.encode(envelope(n, n)) for n in (1, 2, 3)]
    bodies[1] = change(bodies[1])
    rows, head = chained(bodies)

    assert verdicts(rows, head) == [("misplaced_record", 2)]


def test_what_is_no_envelope_is_unreadable() -> None:
    """Bytes that chain but say nothing are named, and the check goes on."""
    bodies = [msgspec.json.encode(envelope(n, n)) for n in (1, 2, 3)]
    bodies[1] = b"{}"
    rows, head = chained(bodies)

    assert verdicts(rows, head) == [("unreadable_record", 2)]
