"""Puts an evidence pack together: its files, its manifest, the signature, the zip.

The same round, makers and time give the same bytes.
"""

import base64
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from contracts import ENGINE_VERSION
from contracts.round_events import RoundClosed
from push22.checkpoints.keys import SigningKeys
from push22.errors import Failure
from push22.evidence import verify
from push22.evidence.covering import Cover, cover_of
from push22.evidence.gather import Gathered, gather
from push22.evidence.report import About, report_of
from push22.evidence.tables import lines_csv, timeline_csv
from push22.evidence.texts import history_of, proofs_of, script_of
from push22.inspect.reader import Reader
from runtime.ambient import Clock, KeyMissing
from runtime.mirror_mark import is_mirrored

NOTE_MAX = 2000
_CASE_MAX = 100


class Asked(NamedTuple):
    """Who wants a pack, and what for. `player`: hide all others from it."""

    round_id: str
    by: str
    case: str = ""
    note: str = ""
    player: str = ""


class _File(msgspec.Struct, frozen=True):
    sha256: str
    bytes: int


class _Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed: everything else hangs on it by its digest."""

    format: str = verify.PACK_FORMAT
    round_id: str
    status: str
    scope: str
    player: str
    rule_set: str
    rule_set_digest: str
    engine: str
    made_by_engine: str = ENGINE_VERSION
    verdict: str
    verdict_text: str
    made_at: int
    made_by: str
    case: str
    note: str
    files: dict[str, _File]


class Made(NamedTuple):
    """A pack's bytes, and whether executing the round again was a match."""

    zip: bytes
    name: str
    is_match: bool


_NO_KEY = (
    "a copy, in which no key signs: nobody who checks the pack would know its key. Make"
    " it in the directory of the archive, or name its key in $PUSH22_CHECKPOINT_KEYS"
)


def make_pack(reader: Reader, asked: Asked, keys: SigningKeys, clock: Clock) -> Made:
    """Make the pack of a closed round. Raises Failure."""
    _check_asked(asked)
    if is_mirrored(reader.file) and not keys.are_there():
        raise Failure(reader.file.path, _NO_KEY)
    found = gather(reader, asked.round_id, asked.player)
    try:
        files = _files(reader, found, asked, (keys, clock))
    except KeyMissing as error:
        raise Failure("keys", str(error)) from error
    size = sum(map(len, files.values()))
    if size > verify.PACK_BYTES_MAX:
        raise Failure(asked.round_id, f"its pack would have {size:,} bytes")
    name = f"evidence-{asked.round_id}.zip"
    return Made(verify.zip_of(files), name, found.again.is_match)


def _check_asked(asked: Asked) -> None:
    for name, text, most in (
        ("case", asked.case, _CASE_MAX),
        ("note", asked.note, NOTE_MAX),
    ):
        if len(text) > most:
            raise Failure(f"--{name}", f"at most {most} characters", exit_code=2)


def _files(
    reader: Reader, found: Gathered, asked: Asked, signing: tuple[SigningKeys, Clock]
) -> dict[str, bytes]:
    keys, clock = signing
    entries = [item.entry for item in found.shown]
    # Before the public keys are read: the first signature makes the first key.
    cover = Cover() if found.eyes.others else cover_of(reader.file, entries, *signing)
    document = keys.public(clock)
    key = document.keys[-1]
    made_at = max(clock.now(), key.since)
    records = _lines(found, "whole")
    digest = sha256(records).hexdigest()
    about = About(made_at, asked.by, asked.case, asked.note, digest, key.key_id)
    files = {
        "checkpoints.json": _json(cover),
        "history.txt": history_of(found),
        "lines.csv": lines_csv(found, made_at),
        "masked.jsonl": _lines(found, "masked"),
        "proofs.json": proofs_of(found),
        "public-keys.json": _json(document),
        "record.json": _record(found),
        "records.jsonl": records,
        "report.pdf": report_of(found, about),
        "round.toml": script_of(found),
        "timeline.csv": timeline_csv(found, made_at),
        "verify.py": Path(verify.__file__).read_bytes(),
    }
    manifest = _manifest(found, asked, about, files)
    text = verify.PACK_DOMAIN + manifest
    signature = base64.b64encode(keys.sign_text(key.key_id, text, clock)).decode()
    signed = {"key_id": key.key_id, "signature": signature}
    return {
        **files,
        "manifest.json": manifest,
        "manifest.sig": msgspec.json.encode(signed),
    }


def _lines(found: Gathered, shown: str) -> bytes:
    lines = (item.line for item in found.shown if item.entry.shown == shown)
    return b"".join(line + b"\n" for line in lines)


def _record(found: Gathered) -> bytes:
    return _json(
        {
            "format": verify.RECORD_FORMAT,
            "round_id": found.round_id,
            "entries": [item.entry for item in found.shown],
        }
    )


def _manifest(
    found: Gathered, asked: Asked, about: About, files: dict[str, bytes]
) -> bytes:
    terms = found.terms
    return _json(
        _Manifest(
            round_id=found.round_id,
            status=next(found.of(RoundClosed)).status,
            scope="player" if found.eyes.others else "whole",
            player=asked.player,
            rule_set=terms.rule_set,
            rule_set_digest=terms.rule_set_digest,
            engine=terms.engine,
            verdict=found.again.verdict,
            verdict_text=found.again.text,
            made_at=about.made_at,
            made_by=about.made_by,
            case=about.case,
            note=about.note,
            files={
                name: _File(sha256(data).hexdigest(), len(data))
                for name, data in sorted(files.items())
            },
        )
    )


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
