"""Whether checkpoints of a log join and agree, without and with the log."""

from collections.abc import Callable
from hashlib import sha256

import pytest
from test_checkpoint_proofs import KEY, KEYS, PLACE, PRIVATE

from contracts.checkpoints import Checkpoint
from services.archive.checkpoints import Stretch, encode, said, signed
from services.archive.series import Comparison, lines_of, series_of

BODIES = [b"record %d" % number for number in range(12)]


def series(*sizes: int, bodies: list[bytes] = BODIES) -> list[Checkpoint]:
    """Sign a log in stretches of these sizes."""
    stretch = Stretch(PLACE, 0, bytes(32))
    found = []
    for size in sizes:
        for _ in range(size):
            body = bodies[stretch.offset]
            link = sha256(stretch.hash + sha256(body).digest()).digest()
            stretch.take(stretch.offset + 1, link, body)
        found.append(signed(stretch.statement(500), KEY.key_id, PRIVATE.sign))
        stretch = stretch.next()
    return found


def other(at: int) -> list[bytes]:
    """Return the log with one other record, number `at`."""
    return [*BODIES[: at - 1], b"another", *BODIES[at:]]


def kinds(checkpoints: list[Checkpoint]) -> list[str]:
    return [fault.kind for fault in series_of(checkpoints, KEYS).faults]


def against(checkpoints: list[Checkpoint], bodies: list[bytes]) -> list[str]:
    statements = series_of(checkpoints, KEYS).statements
    comparison = Comparison("wallet/0", PLACE.log, statements)
    link = bytes(32)
    for offset, body in enumerate(bodies, 1):
        link = sha256(link + sha256(body).digest()).digest()
        comparison.see(offset, link, body)
    return [fault.kind for fault in comparison.finish()]


def test_a_whole_series_is_believed_in_any_order() -> None:
    """Also given twice: a topic and a file may hold the same."""
    whole = series(4, 1, 7)
    assert kinds(whole) == []
    assert kinds([*reversed(whole), whole[1]]) == []
    assert against(whole, BODIES) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda x: x[1:], ["removed_checkpoint"]),
        (lambda x: [x[0], x[2]], ["removed_checkpoint"]),
        (
            lambda x: [x[0], *series(4, 4, 4, bodies=other(3))[1:]],
            ["unjoined_checkpoint"],
        ),
        (lambda x: [*x, series(12, bodies=other(9))[0]], ["forked_log"]),
        (lambda x: [*x, series(4, 4, bodies=other(6))[1]], ["forked_log"]),
        (lambda x: [*x, *series(3, 9)], []),
    ],
)
def test_what_does_not_join_is_named(
    change: Callable[[list[Checkpoint]], list[Checkpoint]], expected: list[str]
) -> None:
    """Signed again in other stretches is no fork, as long as the hashes agree."""
    assert kinds(change(series(4, 4, 4))) == expected


def test_a_stretch_that_is_not_believed_is_not_called_removed_as_well() -> None:
    """One fault has one name."""
    first, second, third = series(4, 4, 4)
    forged = Checkpoint(second.key_id, second.statement, first.signature)
    assert kinds([first, forged, third]) == ["bad_signature"]


@pytest.mark.parametrize("at", range(1, 13))
def test_a_changed_record_is_named_by_its_stretch_alone(at: int) -> None:
    """What follows is chained to it, and not blamed: its own records are right."""
    assert against(series(4, 4, 4), other(at)) == ["changed_stretch"]


@pytest.mark.parametrize("keep", range(12))
def test_a_log_that_is_too_short_has_lost_its_tail(keep: int) -> None:
    """Wherever it was cut, also at the end of a stretch."""
    assert against(series(4, 4, 4), BODIES[:keep]) == ["lost_tail"]


def test_what_came_after_the_last_checkpoint_is_not_judged() -> None:
    """Nobody has signed it yet."""
    assert against(series(4, 4), other(9)) == []


def test_one_bit_anywhere_in_a_lodged_file_is_found() -> None:
    """Also in a line's end, and in what tells one line from the next."""
    text = b"".join(encode(item) + b"\n" for item in series(4, 4))
    found = {_first(_flipped(text, bit)) for bit in range(0, len(text) * 8, 3)}
    assert found == {"unreadable_checkpoint", "bad_signature", "unknown_key"}


def _flipped(text: bytes, bit: int) -> bytes:
    changed = bytearray(text)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _first(text: bytes) -> str:
    checkpoints, unreadable = lines_of(text.splitlines(keepends=True))
    faults = [*unreadable, *series_of(checkpoints, KEYS).faults]
    assert faults, text
    return faults[0].kind


def test_a_statement_that_nobody_can_read_is_no_statement() -> None:
    """Even if it was signed."""
    text = said(series(4)[0])
    assert text.offset == 4
    forged = Checkpoint(KEY.key_id, "{}", series(4)[0].signature)
    assert kinds([forged]) == ["unreadable_checkpoint"]
