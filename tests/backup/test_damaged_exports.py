"""An export that is not what was written is refused, and the place is named."""

import gzip
import random
from pathlib import Path

import msgspec
import pytest
from taken import Change, Told, forged, frames_of, raw, refused

from push22.__main__ import run
from push22.backup.content import decode_record, encode
from push22.backup.frames import CHECKPOINT, RECORD, ROW, Frame


def test_one_changed_byte_anywhere_is_refused(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """Of the compressed file, at 60 places and the last 40 bytes of all."""
    whole = exported.read_bytes()
    changed = tmp_path / "changed.p22"
    chance = random.Random(22)
    # Four bytes of gzip's header say when, how hard and where it was packed.
    places = [0, *(chance.randrange(10, len(whole)) for _ in range(60))]
    for at in (*places, *range(len(whole) - 40, len(whole))):
        changed.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert "changed.p22" in refused(changed, tmp_path / "back", capsys)


def test_a_file_cut_anywhere_is_refused(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """It ends in mid-air, or before its digest."""
    whole = exported.read_bytes()
    cut = tmp_path / "cut.p22"
    chance = random.Random(7)
    for length in (
        0,
        9,
        len(whole) - 1,
        *(chance.randrange(len(whole)) for _ in range(20)),
    ):
        cut.write_bytes(whole[:length])
        refused(cut, tmp_path / "back", capsys)
    cut.write_bytes(whole[: len(whole) // 2])
    said = refused(cut, tmp_path / "back", capsys)
    assert "it was cut" in said and " offset " in said


def test_something_behind_the_end_is_refused(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """A second export that was appended is not silently left out."""
    longer = tmp_path / "longer.p22"
    longer.write_bytes(exported.read_bytes() * 2)
    assert "added behind" in refused(longer, tmp_path / "back", capsys)


def _records(frames: list[Frame]) -> list[int]:
    return [at for at, frame in enumerate(frames) if frame.kind == RECORD]


def _wallet(frames: list[Frame]) -> int:
    """Return where the wallet's tenth record is."""
    return next(
        at
        for at in _records(frames)
        if decode_record(frames[at].payload)[:3] == ("wallet", 0, 10)
    )


def _without_record(frames: list[Frame]) -> list[Frame]:
    at = _wallet(frames)
    return frames[:at] + frames[at + 1 :]


def _without_last(frames: list[Frame]) -> list[Frame]:
    at = _records(frames)[-1]
    return frames[:at] + frames[at + 1 :]


def _swapped(frames: list[Frame]) -> list[Frame]:
    """Let the wallet's tenth and eleventh record change places."""
    at = _wallet(frames)
    other = next(
        n
        for n in _records(frames)
        if decode_record(frames[n].payload)[:3] == ("wallet", 0, 11)
    )
    frames[at], frames[other] = frames[other], frames[at]
    return frames


def _richer(frames: list[Frame]) -> list[Frame]:
    """Change one digit in the bytes of the wallet's tenth record."""
    at = _wallet(frames)
    record = decode_record(frames[at].payload)
    digit = max(record.body.rfind(b"%d" % n) for n in range(1, 9))
    body = bytearray(record.body)
    body[digit] += 1
    frames[at] = Frame(RECORD, encode(record._replace(body=bytes(body))))
    return frames


def _renamed(frames: list[Frame]) -> list[Frame]:
    """Change what is said of a record beside its bytes."""
    at = _wallet(frames)
    record = decode_record(frames[at].payload)
    frames[at] = Frame(RECORD, encode(record._replace(round_id="round-t9-1")))
    return frames


def _without_checkpoint(frames: list[Frame]) -> list[Frame]:
    at = next(n for n, frame in enumerate(frames) if frame.kind == CHECKPOINT)
    return frames[:at] + frames[at + 1 :]


def _forged_checkpoint(frames: list[Frame]) -> list[Frame]:
    """Change the root that was signed."""
    at = next(n for n, frame in enumerate(frames) if frame.kind == CHECKPOINT)
    checkpoint = msgspec.json.decode(frames[at].payload)
    text = checkpoint["statement"]
    place = text.index('"root":"') + 8
    other = "0" if text[place] != "0" else "1"
    checkpoint["statement"] = text[:place] + other + text[place + 1 :]
    frames[at] = Frame(CHECKPOINT, msgspec.json.encode(checkpoint))
    return frames


def _strange_row(frames: list[Frame]) -> list[Frame]:
    """A row of a table that is none of ours."""
    return [*frames, Frame(ROW, encode(("sqlite_master", "wallet", ())))]


def _late_record(frames: list[Frame]) -> list[Frame]:
    """A record behind the rows, where nobody looks for one."""
    return [*frames, frames[_wallet(frames)]]


@pytest.mark.parametrize(
    "case",
    [
        (_without_record, ("wallet/0: after offset 9 comes 11",)),
        (_without_last, ("ends at offset", "its head is at")),
        (_swapped, ("wallet/0: after offset 9 comes 11",)),
        (_richer, ("wallet/0 offset 10: chain",)),
        (_renamed, ("wallet/0 offset 10: it calls itself",)),
        (_without_checkpoint, ("removed_checkpoint",)),
        (_forged_checkpoint, ("bad_signature",)),
        (_strange_row, ("no row of sqlite_master",)),
        (_late_record, ("after row", "kind")),
    ],
)
def test_a_forger_who_closes_the_file_rightly_is_found(
    case: tuple[Change, tuple[str, ...]], exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """The digest at the end is made anew; chains, heads and signatures still tell."""
    change, words = case
    file = forged(exported, change)
    said = refused(file, tmp_path / "back", capsys)
    assert all(word in said for word in words), said


def test_what_no_chain_covers_is_held_by_the_digest(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """A byte of a row is changed and packed again, under the old digest."""
    content = bytearray(raw(exported))
    content[content.rindex(b"positions")] ^= 1
    file = tmp_path / "changed.p22"
    file.write_bytes(gzip.compress(bytes(content)))
    assert "no row of" in refused(file, tmp_path / "back", capsys)
    content = bytearray(raw(exported))
    content[content.rindex(b"positions", 0, -90) + 40] ^= 1
    file.write_bytes(gzip.compress(bytes(content)))
    assert "its SHA-256 is not" in refused(file, tmp_path / "back", capsys)


def test_what_is_no_export_is_said_to_be_none(tmp_path: Path, capsys: Told) -> None:
    """A text, an empty file, a gzip of something else."""
    file = tmp_path / "letter.p22"
    for content in (b"", b"dear sirs", gzip.compress(b"dear sirs")):
        file.write_bytes(content)
        refused(file, tmp_path / "back", capsys)


def test_unchanged_frames_are_taken_in(exported: Path, tmp_path: Path) -> None:
    """What the tests above build on: a file that is only packed again holds."""
    assert frames_of(forged(exported, lambda frames: frames)) == frames_of(exported)
    file = tmp_path / "forged.p22"
    assert run(["import", str(file), "-o", str(tmp_path / "back")]) == 0
