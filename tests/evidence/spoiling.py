"""Spoils packs: as a fault of a disk would, and as somebody with a key would."""

import base64
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from push22.evidence import verify

Files = dict[str, bytes]


def flipped(data: bytes, at: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 1 << bit
    return bytes(changed)


def flips(data: bytes, count: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """Flip one bit at `count` places; at each byte where there are no more of them."""
    chance = Random(seed)
    places = range(len(data))
    chosen = places if count >= len(data) else chance.sample(places, count)
    for at in chosen:
        yield at, flipped(data, at, chance.randrange(8))


def private_key(data: Path) -> Ed25519PrivateKey:
    """Return the casino's own signing key: an insider's, then."""
    text = json.loads((data / "checkpoint-keys.json").read_text())["private"]
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(text))


def signed_again(files: Files, key: Ed25519PrivateKey, **manifest: Any) -> Files:
    """Make manifest and signature anew over changed files."""
    rest = {name: files[name] for name in files if name not in verify.SIGNED}
    document = {**json.loads(files["manifest.json"]), **manifest}
    document["files"] = {
        name: {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
        for name, data in rest.items()
    }
    text = json.dumps(document).encode()
    public = key.public_key().public_bytes_raw()
    signature = key.sign(verify.PACK_DOMAIN + text)
    signed = {
        "key_id": sha256(public).hexdigest()[:16],
        "signature": base64.b64encode(signature).decode(),
    }
    sealed = {"manifest.json": text, "manifest.sig": msgspec.json.encode(signed)}
    return {**rest, **sealed}


def with_json(files: Files, name: str, change: Any) -> Files:
    """Change a JSON file by a function that is given its document."""
    document = json.loads(files[name])
    change(document)
    return {**files, name: json.dumps(document).encode()}


def with_record(files: Files, old: bytes, new: bytes, *, listed: bool = True) -> Files:
    """Change the first record that holds a text; its listed digest too, if wished."""
    lines = files["records.jsonl"].split(b"\n")
    at = next(at for at, line in enumerate(lines) if old in line)
    before = sha256(lines[at]).hexdigest()
    lines[at] = lines[at].replace(old, new)
    after = sha256(lines[at]).hexdigest() if listed else before
    record = files["record.json"].replace(before.encode(), after.encode())
    return {**files, "records.jsonl": b"\n".join(lines), "record.json": record}


def failed(verdict: verify.Verdict) -> list[str]:
    """Return the names of the checks that did not hold."""
    wrong = [line.split() for line in verdict.lines if line.startswith("WRONG  ")]
    return [words[1] for words in wrong]
