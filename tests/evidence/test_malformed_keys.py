"""`verify.py --keys FILE`: a file that holds no keys is one clear line and exit 2."""

import base64
import hashlib
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from push22.evidence import verify

VERIFIER = Path(verify.__file__)
PUBLIC = bytes(range(32))
KEY_ID = hashlib.sha256(PUBLIC).hexdigest()[:16]
GOOD = {
    "key_id": KEY_ID,
    "public_key": base64.b64encode(PUBLIC).decode(),
    "since": 1,
    "until": 0,
}
FUZZED = 3_000


def document(**changed: Any) -> bytes:
    key = {name: x for name, x in {**GOOD, **changed}.items() if x is not ...}
    return json.dumps({"algorithm": "Ed25519", "keys": [key]}).encode()


MALFORMED = {
    "empty": (b"", "Expecting value"),
    "no JSON": (b"-----BEGIN PUBLIC KEY-----", "Expecting value"),
    "no text": (b"\xff\xfe\x00", "codec"),
    "a list": (b"[]", "not an object"),
    "a number": (b"7", "not an object"),
    "deep": (b"[" * 50_000, "nested too deeply"),
    "no keys": (b"{}", "no list of keys"),
    "none at all": (b'{"keys": []}', "no list of keys"),
    "keys by name": (b'{"keys": {"a": 1}}', "no list of keys"),
    "keys of text": (b'{"keys": ["abc"]}', "no object"),
    "keys of nothing": (b'{"keys": [null]}', "no object"),
    "another algorithm": (b'{"algorithm": "RSA", "keys": []}', "algorithm"),
    "no id": (document(key_id=...), "without key_id"),
    "no key": (document(public_key=...), "without public_key"),
    "no time": (document(since=...), "without since"),
    "another id": (document(key_id="0" * 16), "another's name"),
    "an id of a list": (document(key_id=["x"]), "another's name"),
    "not base64": (document(public_key="%%%%"), "not base64"),
    "no ASCII": (document(public_key="\u20ac" * 44), "not base64"),
    "too short": (document(public_key="AAAA"), "not base64 of its length"),
    "unpadded": (document(public_key=str(GOOD["public_key"])[:-1]), "not base64"),
    "a number as key": (document(public_key=7), "not base64"),
    "time as text": (document(since="then"), "whole times"),
    "time as truth": (document(until=True), "whole times"),
    "no end": (document(until=None), "whole times"),
}


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = verify.main(words)
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize(("data", "reason"), MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_key_file_is_one_line(
    data: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing of the pack is judged by keys that were not understood."""
    keys = tmp_path / "keys.json"
    keys.write_bytes(data)
    code, out, err = told(["pack.zip", "--keys", str(keys)], capsys)
    assert (code, out) == (2, "")
    assert err.startswith("--keys: ")
    assert err.count("\n") == 1
    assert reason in err


@pytest.mark.parametrize("name", ["nowhere.json", ".", "a\0b"])
def test_what_cannot_be_read_is_one_line(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No such file, a directory, no name of a file."""
    monkeypatch.chdir(tmp_path)
    code, out, err = told(["pack.zip", "--keys", name], capsys)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_good_keys_are_read() -> None:
    """So that what is refused above is refused for what was changed in it."""
    assert verify.read_keys(document(), "keys") == {KEY_ID: (PUBLIC, 1, 0)}


def test_it_is_so_from_the_command_line(tmp_path: Path) -> None:
    """As whoever got a pack runs it: no traceback."""
    keys = tmp_path / "keys.json"
    keys.write_bytes(document(key_id=...))
    words = [sys.executable, str(VERIFIER), "pack.zip", "--keys", str(keys)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_spoilt_files_are_read_or_refused_and_nothing_else() -> None:
    """Bytes changed, cut, doubled, and values put in others' places."""
    source = random.Random(22)
    refused = 0
    for _ in range(FUZZED):
        try:
            found = verify.read_keys(_spoilt(source), "keys")
        except verify.Wrong:
            refused += 1
            continue
        assert all(type(at) is int for _, *times in found.values() for at in times)
    assert FUZZED // 2 < refused < FUZZED


_VALUES = (None, True, 7, -1, 0.5, "", "AAAA", [], {}, [[]], {"keys": []}, "\ud800")


def _spoilt(source: random.Random) -> bytes:
    if source.random() < 0.5:
        name = source.choice((*GOOD, "more"))
        return document(**{name: source.choice(_VALUES)})
    data = bytearray(document())
    for _ in range(source.randint(1, 3)):
        at = source.randrange(len(data))
        match source.randrange(3):
            case 0:
                data[at] = source.randrange(256)
            case 1:
                del data[at : at + source.randint(1, 20)]
            case _:
                data[at:at] = data[at : at + source.randint(1, 20)]
        if not data:
            break
    return bytes(data)
