"""Packs that somebody made on purpose: each check finds what it is for, or refuses."""

import json
import struct
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from spoiling import Files, failed, private_key, signed_again, with_json, with_record

from push22.evidence import verify

Keys = dict[str, object]
Change = Callable[[Files], Files]


@pytest.fixture
def files(pack: bytes) -> Files:
    return verify.unzipped(pack)


def test_a_file_that_was_added_is_named(files: Files, keys: Keys) -> None:
    """Nobody slips a better report in beside ours."""
    verdict = verify.judge({**files, "report-b.pdf": b"%PDF"}, keys)
    assert failed(verdict) == ["files"]
    assert "report-b.pdf was added" in "\n".join(verdict.lines)


@pytest.mark.parametrize("name", [*verify.SIGNED, *verify.NEEDED])
def test_a_file_that_was_taken_out_is_named(
    name: str, files: Files, keys: Keys
) -> None:
    """A pack is whole or it is wrong."""
    del files[name]
    verdict = verify.judge(files, keys)
    assert not verdict.is_right
    assert f"{name} is missing" in "\n".join(verdict.lines)


def test_another_signer_is_not_confirmed(files: Files, keys: Keys) -> None:
    """A pack made anew with its own key is no more than self-consistent."""
    key = Ed25519PrivateKey.generate()
    forged = signed_again(files, key)

    assert failed(verify.judge(forged, keys)) == ["signature"]
    assert failed(verify.judge(forged)) == ["signature"]


def test_a_forger_who_brings_his_keys_along_is_not_called_right(
    files: Files, keys: Keys
) -> None:
    """Manifest and keys agree, but the log's checkpoints are still another's."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw()
    text = {
        "key_id": verify.hashlib.sha256(public).hexdigest()[:16],
        "public_key": verify.base64.b64encode(public).decode(),
        "since": 0,
    }
    document = json.dumps({"keys": [text]}).encode()
    forged = signed_again({**files, "public-keys.json": document}, key)

    assert failed(verify.judge(forged, keys)) == ["signature"]
    own = verify.judge(forged)
    assert failed(own) == ["log"]
    assert own.lines[-1].startswith("WRONG")


def swapped(files: Files) -> Files:
    lines = files["records.jsonl"].split(b"\n")
    lines[3], lines[4] = lines[4], lines[3]
    return {**files, "records.jsonl": b"\n".join(lines)}


def shortened(files: Files) -> Files:
    text = files["records.jsonl"]
    return {**files, "records.jsonl": text[: text[:-1].rindex(b"\n") + 1]}


def without(kind: str) -> Change:
    """Take the first record of a kind out of list, lines and proofs."""

    def change(files: Files) -> Files:
        lines = files["records.jsonl"].split(b"\n")
        document = json.loads(files["record.json"])
        proofs = json.loads(files["checkpoints.json"])
        shown = [item for item in document["entries"] if item["shown"] == "whole"]
        at = next(n for n, x in enumerate(shown) if x["type"] == kind)
        document["entries"].remove(shown[at])
        del lines[at]
        kept = [x for x in proofs["proofs"] if x["record"] != shown[at]["id"]]
        proofs["proofs"] = kept
        return {
            **files,
            "records.jsonl": b"\n".join(lines),
            "record.json": json.dumps(document).encode(),
            "checkpoints.json": json.dumps(proofs).encode(),
        }

    return change


def better_paid(files: Files) -> Files:
    """Raise a payout where it was settled, and mend the digest that is listed."""
    return with_record(files, b'"payout_minor":2000', b'"payout_minor":9000')


def other_card(files: Files) -> Files:
    return with_record(files, b'"place":"1.1","index"', b'"place":"1.2","index"')


def other_root(files: Files) -> Files:
    def change(document: Any) -> None:
        document["shoe_committed"]["decks"] += 1

    return with_json(files, "proofs.json", change)


def other_lines(files: Files) -> Files:
    changed = files["lines.csv"].replace(b",win,", b",push,")
    assert changed != files["lines.csv"]
    return {**files, "lines.csv": changed}


def other_times(files: Files) -> Files:
    changed = files["timeline.csv"].replace(b"00:00:00", b"00:00:01")
    assert changed != files["timeline.csv"]
    return {**files, "timeline.csv": changed}


def no_proof(files: Files) -> Files:
    return with_json(files, "checkpoints.json", lambda x: x["proofs"].pop())


def deep(files: Files) -> Files:
    return {**files, "proofs.json": b"[" * 100_000 + b"]" * 100_000}


def huge_number(files: Files) -> Files:
    text = files["record.json"].replace(b'"offset": 3', b'"offset": ' + b"9" * 5000, 1)
    assert text != files["record.json"]
    return {**files, "record.json": text}


def named_twice(files: Files) -> Files:
    return {**files, "proofs.json": b'{"format":1,"format":1}'}


def not_a_number(files: Files) -> Files:
    return {**files, "proofs.json": b"NaN"}


def no_list(files: Files) -> Files:
    return with_json(files, "record.json", lambda x: x.update(entries=7))


def nothing_in_it(files: Files) -> Files:
    return {**files, "record.json": b"{}"}


@pytest.mark.parametrize(
    ("change", "found_by"),
    [
        (swapped, "records"),
        (shortened, "records"),
        (without("table.round_closed.v1"), "order"),
        (without("table.player_ready.v1"), "order"),
        (without("shoe.cards_dealt.v1"), "order"),
        (without("settlement.wagers_settled.v1"), "order"),
        (without("shoe.shoe_cut.v1"), "cards"),
        (without("wallet.funds_reserved.v1"), "money"),
        (without("wallet.payouts_posted.v1"), "money"),
        (better_paid, "log"),
        (better_paid, "money"),
        (other_card, "cards"),
        (other_card, "log"),
        (other_root, "cards"),
        (other_lines, "tables"),
        (other_times, "tables"),
        (no_proof, "log"),
        (deep, "cards"),
        (huge_number, "records"),
        (named_twice, "cards"),
        (not_a_number, "cards"),
        (no_list, "records"),
        (nothing_in_it, "records"),
    ],
)
def test_what_an_insider_changes_and_signs_is_found(
    change: Change, found_by: str, *, files: Files, home: Path, keys: Keys
) -> None:
    """The manifest's key alone forges nothing: each check stands on the records."""
    forged = signed_again(change(files), private_key(home))
    verdict = verify.judge(forged, keys)

    assert found_by in failed(verdict), "\n".join(verdict.lines)
    assert verdict.lines[-1].startswith("WRONG")


def test_a_pack_dated_after_its_key_ended_is_refused(files: Files, keys: Keys) -> None:
    """A stolen old key makes no new pack."""
    document = verify.read_json(files["public-keys.json"], "keys")
    for key in document["keys"]:
        key["until"] = key["since"] - 1
    ended = verify.read_keys(json.dumps(document).encode(), "keys")

    assert keys.keys() == ended.keys()
    assert failed(verify.judge(files, ended)) == ["signature"]


def zipped(files: Files, how: int = zipfile.ZIP_STORED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(name, data)
    return out.getvalue()


def test_a_zip_packed_again_is_no_pack_but_its_folder_is(
    files: Files, keys: Keys, tmp_path: Path
) -> None:
    """Equal contents in another zip: unpack them, then they can be judged."""
    assert failed(verify.judge_zip(zipped(files), keys)) == ["container"]
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)

    assert verify.judge_path(str(tmp_path), keys).lines[-1] == "RIGHT"


@pytest.mark.parametrize(
    "name", ["../manifest.json", "/etc/passwd", "a\\b.txt", "x/../y.txt", "C:x.txt", ""]
)
def test_a_name_that_leads_elsewhere_is_refused(
    name: str, files: Files, keys: Keys
) -> None:
    """Nothing is ever written, and such a name is not even looked at."""
    spoilt = verify.zip_of({**files, name: b"x"})
    assert failed(verify.judge_zip(spoilt, keys)) == ["container"]


def test_a_bomb_is_refused_unopened(keys: Keys) -> None:
    """Nothing in a pack is compressed, so nothing can grow."""
    bomb = zipped({"record.json": bytes(50_000_000)}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 100_000
    assert failed(verify.judge_zip(bomb, keys)) == ["container"]


def test_a_size_that_is_not_there_is_refused(pack: bytes, keys: Keys) -> None:
    """A header that promises four gigabytes is read as a header only."""
    spoilt = bytearray(pack)
    struct.pack_into("<II", spoilt, 18, 2**32 - 1, 2**32 - 1)
    assert failed(verify.judge_zip(bytes(spoilt), keys)) == ["container"]


@pytest.mark.parametrize("more", [b"\0", b"PK\3\4", b"PK\5\6" + bytes(18)])
def test_bytes_around_a_zip_are_refused(more: bytes, pack: bytes, keys: Keys) -> None:
    """What other readers skip, before or after, could hide anything."""
    assert failed(verify.judge_zip(pack + more, keys)) == ["container"]
    assert failed(verify.judge_zip(more + pack, keys)) == ["container"]


def test_a_file_that_is_there_twice_is_refused(pack: bytes, keys: Keys) -> None:
    """One reader takes the first, one the last: we take neither."""
    size = struct.unpack_from("<I", pack, 18)[0]
    name = struct.unpack_from("<H", pack, 26)[0]
    first = pack[: 30 + name + size]
    assert failed(verify.judge_zip(first + pack, keys)) == ["container"]


def test_a_link_or_a_folder_in_a_folder_is_refused(
    files: Files, keys: Keys, tmp_path: Path
) -> None:
    """A folder is judged by its plain files; anything else there is not one of ours."""
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "report.pdf").unlink()
    (tmp_path / "report.pdf").symlink_to("/etc/hostname")
    assert failed(verify.judge_path(str(tmp_path), keys)) == ["container"]

    (tmp_path / "report.pdf").unlink()
    (tmp_path / "report.pdf").mkdir()
    assert failed(verify.judge_path(str(tmp_path), keys)) == ["container"]


def test_a_file_that_is_too_large_is_refused(
    keys: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read is bounded before it is read."""
    monkeypatch.setattr(verify, "PACK_BYTES_MAX", 1000)
    (tmp_path / "pack.zip").write_bytes(bytes(1001))
    verdict = verify.judge_path(str(tmp_path / "pack.zip"), keys)
    assert failed(verdict) == ["container"]


@pytest.mark.parametrize(
    "text",
    [b'"' + b'\\"' * 1_000_000, b"[]" * 1_000_000, b"{" * 1_000_000, b"\xff\xfe"],
)
def test_a_text_that_is_hard_to_read_is_refused_at_once(
    text: bytes, files: Files, keys: Keys
) -> None:
    """What comes before the signature is anybody's: reading it takes no time."""
    for name in ("manifest.sig", "public-keys.json"):
        assert failed(verify.judge({**files, name: text}, keys)) == ["signature"]


def test_a_text_cannot_write_to_the_terminal(files: Files, home: Path) -> None:
    """Escapes in a pack are shown as question marks."""
    forged = signed_again(files, private_key(home), verdict="\x1b[2JMATCH\nRIGHT")
    verdict = verify.judge(forged)
    assert "\x1b" not in "".join(verdict.lines)
    assert not any("\n" in line for line in verdict.lines)
