"""Check an evidence pack of Push22: `python verify.py PACK [--keys FILE]`.

One file, Python 3.9 or newer, standard library only, nothing of Push22 imported: read
it, then trust it. Take it and the keys from elsewhere than the pack that you judge.
"""

# PACK is the zip, or a folder that holds exactly what was in it. FILE holds the public
# keys as they were lodged outside, in the form of the pack's `public-keys.json`.
# Without it only the keys in the pack are left to believe: then the last line says
# SELF-CONSISTENT and not RIGHT, for whoever makes a pack anew brings keys along.
#
# What is checked, in this order; nothing after a failed 1, 2 or 3 is looked at:
#   1 container   the zip is, byte for byte, the only one that holds its files
#   2 signature   manifest.json bears the Ed25519 signature (RFC 8032) of a known key
#   3 files       each file is the one that the manifest names; none more, none less
#   4 records     each line of records.jsonl has the digest that record.json gives it
#   5 log         each link of the hash chain, and that each record lies under the root
#                 of a signed checkpoint (RFC 6962) of its log
#   6 order       streams of the round have no gap, from its opening to its end
#   7 cards       each open card's salted leaf lies under the root that was fixed before
#                 the bets; cut and order of dealing follow from it
#   8 money       transfers, balances, settlement lines and the round's result agree;
#                 corrections are no part of it, and each was approved
#   9 tables      lines.csv and timeline.csv are what the records say
#
# Not checked here, because it takes the rules of the game: that the decisions follow
# from the inputs. The manifest tells what came of it when the pack was made. The texts
# of history.txt and report.pdf are covered by the signature alone.
#
# A pack of scope `player` hides who else sat there. What names them is a masked copy
# that the signature vouches for; 5 is left out, for neighbouring hashes would tell.

from __future__ import annotations

import base64
import csv
import datetime as dt
import hashlib
import io
import json
import os
import re
import stat
import struct
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Json = dict[str, Any]

PACK_BYTES_MAX = 64 * 1024 * 1024
JSON_BYTES_MAX = 16 * 1024 * 1024
FILES_MAX = 32
ENTRIES_MAX = 50_000
NESTING_MAX = 64
DIGITS_MAX = 20

PACK_FORMAT = "push22-evidence-v2"
OLD_FORMAT = "push22-evidence-v1"
"""Its net counts all that a wallet did meanwhile: see `check_old_nets`."""

RECORD_FORMAT = "push22-evidence-record-v1"
PACK_DOMAIN = b"push22.evidence.v1\n"
CHECKPOINT_DOMAIN = b"push22.checkpoint.v1\n"
SIGNED = ("manifest.json", "manifest.sig")
NEEDED = (
    "checkpoints.json",
    "history.txt",
    "lines.csv",
    "masked.jsonl",
    "proofs.json",
    "public-keys.json",
    "record.json",
    "records.jsonl",
    "report.pdf",
    "round.toml",
    "timeline.csv",
    "verify.py",
)
NAME = re.compile(r"[a-z][a-z-]{0,30}\.[a-z]{1,8}")


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def are(number: int, noun: str) -> str:
    return f"{counted(number, noun)} {'is' if number == 1 else 'are'}"


class Wrong(Exception):
    """The pack is not what it says; the text says where."""


def wrong_unless(holds: bool, reason: str) -> None:  # noqa: FBT001
    if not holds:
        raise Wrong(reason)


# --- Ed25519, RFC 8032, verification only -------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T)."""

ZERO = (0, 1, 1, 0)


def add(p: Point, q: Point) -> Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(factor: int, p: Point) -> Point:
    q = ZERO
    while factor:
        if factor & 1:
            q = add(q, p)
        p = add(p, p)
        factor >>= 1
    return q


def is_equal(p: Point, q: Point) -> bool:
    x_differs = (p[0] * q[2] - q[0] * p[2]) % P
    y_differs = (p[1] * q[2] - q[1] * p[2]) % P
    return not x_differs and not y_differs


def x_of(y: int, sign: int) -> int | None:
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x: int = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point_of(text: bytes) -> Point | None:
    """Read a point. `None`: not on the curve, not canonical, or of small order."""
    number = int.from_bytes(text, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    x = x_of(y, sign) if y < P else None
    if x is None:
        return None
    point = (x, y, 1, x * y % P)
    return None if is_equal(times(8, point), ZERO) else point


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = x_of(BASE_Y, 0) or 0
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    if len(key) != 32 or len(signature) != 64:
        return False
    public, first = point_of(key), point_of(signature[:32])
    second = int.from_bytes(signature[32:], "little")
    if public is None or first is None or second >= L:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    factor = int.from_bytes(digest, "little") % L
    return is_equal(times(second, BASE), add(first, times(factor, public)))


# --- JSON, strictly -----------------------------------------------------------

STRINGS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
"""One that does not end is one too: else its every quote would be tried as a start."""


def once_each(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    wrong_unless(len(found) == len(pairs), "an object names a field twice")
    return found


def small_int(text: str) -> int:
    wrong_unless(len(text) <= DIGITS_MAX, "a number of too many digits")
    return int(text)


def small_float(text: str) -> float:
    wrong_unless(len(text) <= 2 * DIGITS_MAX, "a number of too many digits")
    return float(text)


def no_constant(text: str) -> Any:
    raise Wrong(f"{text} is no number")


def read_json(data: bytes, where: str) -> Any:
    wrong_unless(len(data) <= JSON_BYTES_MAX, f"{where}: too large")
    depth = 0
    for mark in re.finditer(rb"[\[{\]}]", STRINGS.sub(b"", data)):
        depth += 1 if mark[0] in b"[{" else -1
        wrong_unless(depth <= NESTING_MAX, f"{where}: nested too deeply")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=once_each,
            parse_int=small_int,
            parse_float=small_float,
            parse_constant=no_constant,
        )
    except (ValueError, RecursionError, Wrong) as error:
        raise Wrong(f"{where}: {error}") from error


def read_object(data: bytes, where: str) -> Json:
    found = read_json(data, where)
    if not isinstance(found, dict):
        raise Wrong(f"{where}: not an object")
    return found


def bytes_of(text: Any, size: int, where: str) -> bytes:
    """Read base64 that has one way to be written; `size` 0 takes any length."""
    try:
        data = base64.b64decode(text, validate=True)
    except (TypeError, ValueError) as error:
        raise Wrong(f"{where}: not base64") from error
    same = base64.b64encode(data).decode() == text
    wrong_unless(same and size in (0, len(data)), f"{where}: not base64 of its length")
    return data


def hex_of(text: Any, where: str) -> bytes:
    is_hex = isinstance(text, str) and re.fullmatch("[0-9a-f]{64}", text) is not None
    wrong_unless(is_hex, f"{where}: not a digest")
    return bytes.fromhex(text)


# --- 1 The container ----------------------------------------------------------

LOCAL = struct.Struct("<4s5H3I2H")
CENTRAL = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
DAY_0 = 0x21
"""1 January 1980, the first day that a zip knows: no file here has a time."""


def zip_of(files: Json) -> bytes:
    """Return the one zip of these files: in order of name, stored, without times."""
    body, index = b"", b""
    for name in sorted(files):
        data, text = files[name], name.encode()
        shape = (zlib.crc32(data), len(data), len(data), len(text))
        kind = (20, 0, 0, 0, DAY_0)
        index += (
            CENTRAL.pack(b"PK\1\2", 20, *kind, *shape, 0, 0, 0, 0, 0, len(body)) + text
        )
        body += LOCAL.pack(b"PK\3\4", *kind, *shape, 0) + text + data
    count = len(files)
    end = END.pack(b"PK\5\6", 0, 0, count, count, len(index), len(body), 0)
    return body + index + end


def unzipped(data: bytes) -> Json:
    """Read a zip as `zip_of` writes it; any other is refused, however alike."""
    wrong_unless(data[:4] == b"PK\3\4", "this is no zip")
    files: Json = {}
    at = 0
    while data[at : at + 4] == b"PK\3\4" and len(files) < FILES_MAX:
        wrong_unless(at + LOCAL.size <= len(data), "the zip ends in a header")
        head = LOCAL.unpack_from(data, at)
        size, length, begin = head[8], head[9], at + LOCAL.size
        name = data[begin : begin + length].decode("latin-1")
        wrong_unless(NAME.fullmatch(name) is not None, "a file's name is not ours")
        wrong_unless(name not in files, f"{name} is there twice")
        at = begin + length + size
        wrong_unless(at <= len(data), f"{name} is cut off")
        files[name] = data[begin + length : at]
    wrong_unless(zip_of(files) == data, "the zip was changed, or packed again")
    return files


class Unreadable(Exception):
    """A file cannot be read: nothing was checked, so nobody is accused."""

    def __init__(self, path: str, error: Exception) -> None:
        why = getattr(error, "strerror", None) or str(error)
        why = why[:1].lower() + why[1:]
        super().__init__(f"{path}: cannot be read: {why}; nothing was checked")


def read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - one plain call
            data = file.read(PACK_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(path, error) from error
    wrong_unless(len(data) <= PACK_BYTES_MAX, f"{path}: too large")
    return data


def read_folder(path: str) -> Json:
    files: Json = {}
    for name in names_in(path):
        wrong_unless(NAME.fullmatch(name) is not None, "a file's name is not ours")
        files[name] = read_file(plain_file(os.path.join(path, name)))  # noqa: PTH118
        room = sum(map(len, files.values())) <= PACK_BYTES_MAX
        wrong_unless(room, "too large")
    return files


def names_in(path: str) -> list[str]:
    try:
        names = sorted(os.listdir(path))  # noqa: PTH208 - plain calls only
    except OSError as error:
        raise Unreadable(path, error) from error
    wrong_unless(len(names) <= FILES_MAX, "too many files")
    return names


def plain_file(path: str) -> str:
    try:
        mode = os.lstat(path).st_mode
    except OSError as error:
        raise Unreadable(path, error) from error
    name = os.path.basename(path)  # noqa: PTH119
    wrong_unless(stat.S_ISREG(mode), f"{name} is no plain file")
    return path


# --- Merkle trees, RFC 6962 ---------------------------------------------------


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def proved_root(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """Return the root that an inclusion proof leads to; empty if it has no shape."""
    if size <= 1 or not path:
        return leaf if size == 1 and index == 0 and not path else b""
    left: int = 1 << ((size - 1).bit_length() - 1)
    if index < left:
        inner = proved_root(leaf, index, left, path[:-1])
        return inner and node(inner, path[-1])
    inner = proved_root(leaf, index - left, size - left, path[:-1])
    return inner and node(path[-1], inner)


# --- What a pack holds --------------------------------------------------------


class Record:
    """One record of the round: its place as listed, and its envelope.

    `body` is empty for a masked copy; `entry["sha256"]` is too where it would tell.
    """

    def __init__(self, entry: Json, body: bytes, envelope: Json) -> None:
        self.entry, self.body, self.envelope = entry, body, envelope
        self.id: str = entry["id"]
        self.data: Json = envelope["data"]
        self.kind: str = envelope["type"]

    def is_of(self, *kinds: str) -> bool:
        return self.kind.rpartition(".")[0] in kinds


class Pack:
    """The files, and what the checks have made of them so far."""

    def __init__(self, files: Json, trusted: Json | None) -> None:
        self.files, self.trusted = files, trusted
        self.manifest: Json = {}
        self.keys: Json = {}
        self.records: list[Record] = []

    @property
    def is_whole(self) -> bool:
        return bool(self.manifest["scope"] == "whole")

    def json(self, name: str) -> Json:
        return read_object(self.files[name], name)

    def of(self, *kinds: str) -> Iterator[Record]:
        return (record for record in self.records if record.is_of(*kinds))

    def one(self, kind: str) -> Record:
        found = list(self.of(kind))
        wrong_unless(len(found) == 1, f"{len(found)} records of {kind}, 1 due")
        return found[0]


def read_keys(data: bytes, where: str) -> Json:
    """Read public keys by id: each id is the first 16 digits of its key's SHA-256."""
    document = read_object(data, where)
    known = document.get("algorithm", "Ed25519") == "Ed25519"
    wrong_unless(known, f"{where}: an unknown algorithm")
    listed = document.get("keys")
    if not isinstance(listed, list) or not listed:
        raise Wrong(f"{where}: no list of keys")
    found: Json = {}
    for key in listed:
        key_id, item = read_key(key, where)
        found[key_id] = item
    return found


def read_key(key: Any, where: str) -> tuple[str, tuple[bytes, int, int]]:
    """Read one key: its id, its bytes, and since and until when it signed."""
    wrong_unless(isinstance(key, dict), f"{where}: a key that is no object")
    for name in ("key_id", "public_key", "since"):
        wrong_unless(name in key, f"{where}: a key without {name}")
    public = bytes_of(key["public_key"], 32, f"{where}: a key")
    due = hashlib.sha256(public).hexdigest()[:16]
    wrong_unless(key["key_id"] == due, f"{where}: a key under another's name")
    since, until = key["since"], key.get("until", 0)
    whole = all(type(at) is int for at in (since, until))
    wrong_unless(whole, f"{where}: a key without whole times")
    return due, (public, since, until)


def check_signed(
    keys: Json, key_id: Any, message: bytes, made: tuple[Any, int, str]
) -> None:
    """Refuse a signature that is not of a trusted key, in the time when it signed."""
    text, made_at, what = made
    wrong_unless(key_id in keys, f"{what}: signed by {key_id}, no trusted key")
    public, since, until = keys[key_id]
    good = is_signed(public, message, bytes_of(text, 64, what))
    wrong_unless(good, f"{what}: not the signature of key {key_id}")
    in_term = since <= made_at and (not until or made_at <= until)
    wrong_unless(in_term, f"{what}: made when key {key_id} did not sign")


# --- 2, 3 Signature and files -------------------------------------------------


def check_signature(pack: Pack) -> str:
    for name in (*SIGNED, *NEEDED):
        wrong_unless(name in pack.files, f"{name} is missing")
    signature = pack.json("manifest.sig")
    key_id, text = signature["key_id"], signature["signature"]
    plain = {"key_id": key_id, "signature": text}
    same = json.dumps(plain, separators=(",", ":")).encode() == pack.files[SIGNED[1]]
    wrong_unless(same, "manifest.sig is not written as it should be")
    own = read_keys(pack.files["public-keys.json"], "public-keys.json")
    pack.keys = own if pack.trusted is None else pack.trusted
    pack.manifest = pack.json("manifest.json")
    message = PACK_DOMAIN + pack.files["manifest.json"]
    made = (text, pack.manifest["made_at"], "manifest.json")
    check_signed(pack.keys, key_id, message, made)
    form = pack.manifest["format"]
    known = form in (PACK_FORMAT, OLD_FORMAT)
    wrong_unless(known, f"format {form}: this verifier knows none after {PACK_FORMAT}")
    wrong_unless(pack.manifest["scope"] in ("whole", "player"), "an unknown scope")
    whose = "the pack's own key" if pack.trusted is None else "the trusted key"
    return f"the manifest is signed by {whose} {key_id}"


def check_files(pack: Pack) -> str:
    listed = pack.manifest["files"]
    there = set(pack.files) - set(SIGNED)
    for name in sorted(there - set(listed)):
        raise Wrong(f"{name} was added: the manifest does not name it")
    for name in sorted(set(listed) - there):
        raise Wrong(f"{name} is missing")
    for name in sorted(listed):
        data = pack.files[name]
        same = hashlib.sha256(data).hexdigest() == listed[name]["sha256"]
        wrong_unless(same and len(data) == listed[name]["bytes"], f"{name} was changed")
    return f"all {len(listed)} files are those that were signed"


# --- 4 Records ----------------------------------------------------------------

COMMITTED, CUT = OF_SHOE = ("shoe.shoe_committed", "shoe.shoe_cut")
"""Records of the shoe, before the round. Every pack has a copy of the first without the
sealed order; of the second, without names, where an earlier round's players cut."""

PLACE = ("id", "type", "service", "log", "partition", "offset", "stream", "version")


def lines_in(data: bytes, name: str) -> list[bytes]:
    wrong_unless(not data or data.endswith(b"\n"), f"{name}: cut off")
    return data.split(b"\n")[:-1]


def check_records(pack: Pack) -> str:
    document = pack.json("record.json")
    wrong_unless(document["format"] == RECORD_FORMAT, "record.json: another format")
    round_id = pack.manifest["round_id"]
    wrong_unless(document["round_id"] == round_id, "record.json: another round")
    entries = document["entries"]
    wrong_unless(0 < len(entries) <= ENTRIES_MAX, "not a number of records")
    names = {"whole": "records.jsonl", "masked": "masked.jsonl"}
    lines = {how: iter(lines_in(pack.files[f], f)) for how, f in names.items()}
    for entry in entries:
        body = next(lines[entry["shown"]], None)
        if body is None:
            raise Wrong(f"{entry['id']}: its record is missing")
        pack.records.append(record_of(entry, body, round_id))
    for how, rest in lines.items():
        wrong_unless(next(rest, None) is None, f"{names[how]}: more than is listed")
    hidden = [r for r in pack.records if not r.body and not r.is_of(*OF_SHOE)]
    wrong_unless(not (pack.is_whole and hidden), "a masked copy in a whole pack")
    seen = {record.id for record in pack.records}
    wrong_unless(len(seen) == len(pack.records), "a record is there twice")
    whole = sum(bool(record.body) for record in pack.records)
    text = f"{are(whole, 'record')} byte for byte as listed"
    masked = len(pack.records) - whole
    if masked:
        text += (
            f", {masked} {'is a masked copy' if masked == 1 else 'are masked copies'}"
        )
    return text


def record_of(entry: Json, body: bytes, round_id: str) -> Record:
    envelope = read_object(body, entry["id"])
    for name in PLACE:
        wrong_unless(envelope[name] == entry[name], f"{entry['id']}: another {name}")
    named = f"{entry['stream']}@{entry['version']}"
    wrong_unless(entry["id"] == named, f"{entry['id']}: not its stream and version")
    if entry["shown"] == "whole":
        same = hashlib.sha256(body).hexdigest() == entry["sha256"]
        wrong_unless(same, f"{entry['id']}: not the record of its digest")
    about = envelope.get("round_id", "")
    is_shoe = entry["type"].rpartition(".")[0] in OF_SHOE
    wrong_unless(about == round_id or is_shoe, f"{entry['id']}: of another round")
    return Record(entry, body if entry["shown"] == "whole" else b"", envelope)


# --- 5 The log ----------------------------------------------------------------


def check_log(pack: Pack) -> str:
    if not pack.is_whole:
        return "left out: other players' records would show by their hashes"
    links: dict[Any, bytes] = {}
    for record in pack.records:
        entry, name = record.entry, record.id
        digest, before, after = (
            hex_of(entry[field], name) for field in ("sha256", "previous", "hash")
        )
        chained = hashlib.sha256(before + digest).digest() == after
        wrong_unless(chained, f"{name}: not chained to the record before it")
        place = (entry["service"], entry["log"], entry["partition"])
        for at, link in ((entry["offset"] - 1, before), (entry["offset"], after)):
            same = links.setdefault((*place, at), link) == link
            wrong_unless(same, f"{name}: another link than its neighbour's")
    document = pack.json("checkpoints.json")
    statements = [statement_of(pack, item) for item in document["checkpoints"]]
    proofs = {item["record"]: item for item in document["proofs"]}
    for record in pack.records:
        wrong_unless(record.id in proofs, f"{record.id}: under no checkpoint")
        proof = proofs[record.id]
        check_included(record.entry, statements[proof["checkpoint"]], proof["path"])
        check_ends(record.entry, links, statements[proof["checkpoint"]])
    wrong_unless(len(proofs) == len(pack.records), "a proof of a record that is none")
    count = len(statements)
    say = "says" if count == 1 else "say"
    text = f"{counted(count, 'signed checkpoint')} {say}"
    return f"every record lies in its log, as {text}"


def statement_of(pack: Pack, item: Json) -> Json:
    text = item["statement"].encode()
    statement = read_object(text, "a checkpoint")
    made = (item["signature"], statement["made_at"], "a checkpoint")
    check_signed(pack.keys, item["key_id"], CHECKPOINT_DOMAIN + text, made)
    return statement


def is_earlier(log: str, later: str) -> bool:
    """A log that went on after a loss is `<name>~2`, then `<name>~3`, in one chain."""
    (root, _, count), (other, _, most) = log.partition("~"), later.partition("~")
    return root == other and int(count or 1) <= int(most or 1)


def check_included(entry: Json, statement: Json, path: list[Any]) -> None:
    name = entry["id"]
    same = all(statement[n] == entry[n] for n in ("service", "partition"))
    same = same and is_earlier(entry["log"], statement["log"])
    wrong_unless(same, f"{name}: a checkpoint of another log")
    since = statement["since"]
    index, size = entry["offset"] - since - 1, statement["offset"] - since
    wrong_unless(0 <= index < size and len(path) <= 64, f"{name}: not covered")
    leaf = hashlib.sha256(b"\0" + hex_of(entry["sha256"], name)).digest()
    steps = [hex_of(step, name) for step in path]
    found = proved_root(leaf, index, size, steps)
    wrong_unless(found == hex_of(statement["root"], name), f"{name}: not in its log")


def check_ends(entry: Json, links: dict[Any, bytes], statement: Json) -> None:
    """Where a record lies at an end of a checkpoint, its link is the signed one."""
    place = (entry["service"], entry["log"], entry["partition"])
    ends = {
        statement["since"]: statement["before"],
        statement["offset"]: statement["hash"],
    }
    for at, text in ends.items():
        link = links.get((*place, at), hex_of(text, entry["id"]))
        same = link == hex_of(text, entry["id"])
        wrong_unless(same, f"{entry['id']}: another link than its checkpoint's")


# --- 6 Order ------------------------------------------------------------------


def check_order(pack: Pack) -> str:
    round_id = pack.manifest["round_id"]
    streams: dict[str, list[int]] = {}
    own: list[int] = []
    for record in pack.records:
        entry = record.entry
        streams.setdefault(entry["stream"], []).append(entry["version"])
        if entry["stream"] == round_id:
            own.append(entry["sequence"])
            wrong_unless(entry["sequence"] == entry["version"], "another sequence")
    wrong_unless(own == sorted(own), "the round's records are not in order")
    for stream, versions in streams.items():
        found = sorted(versions)
        is_own = stream in (round_id, f"settlement-{round_id}")
        if is_own:
            due = list(range(1, len(found) + 1))
            wrong_unless(found == due, f"{stream}: a version is missing")
    dealt = sorted(r.entry["version"] for r in shoe_records(pack))
    due = list(range(dealt[0], dealt[0] + len(dealt))) if dealt else []
    wrong_unless(dealt == due, "a record of the shoe is missing")
    check_ends_of(pack, round_id)
    events = counted(len(own), "event")
    return f"{events} of the round without a gap, from its opening to its end"


def check_ends_of(pack: Pack, round_id: str) -> None:
    """A round begins with its opening; after its end only commands are refused."""
    opened, closed = pack.one("table.round_opened"), pack.one("table.round_closed")
    wrong_unless(opened.entry["version"] == 1, "the opening is not the first event")
    end = closed.entry["version"]
    for record in pack.records:
        late = record.entry["stream"] == round_id and record.entry["version"] > end
        fits = not late or record.is_of("table.command_refused")
        wrong_unless(fits, f"{record.id} follows the round's end")


def shoe_records(pack: Pack) -> list[Record]:
    """Return the shoe's records of the round itself, as they were dealt."""
    found = [r for r in pack.records if r.entry["service"] == "shoe"]
    found = [r for r in found if "round_id" in r.data]
    return sorted(found, key=lambda record: int(record.entry["version"]))


# --- 7 Cards ------------------------------------------------------------------

ALGORITHM = "push22-shoe-v1"


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def field(value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return number(len(data)) + data


def leaf_of(shoe: str, slot: tuple[int, int], card: str, salt: bytes) -> bytes:
    place = field(ALGORITHM) + field(shoe) + number(slot[0]) + number(slot[1])
    return hashlib.sha256(b"\0" + place + field(card) + field(salt)).digest()


def cut_of(shoe: str, root: bytes, cards: int, shares: list[Json]) -> int:
    """Return where the seeds cut: the lowest bits of SHAKE-256 words below `cards`."""
    if not shares:
        return cards // 2
    text = field(shoe) + field(root)
    for share in shares:
        seed = bytes_of(share.get("seed", ""), 0, "a seed")
        shut = b"\0" + field(bytes_of(share["seed_hash"], 32, "a seed's hash"))
        text += number(share["box"]) + (b"\1" + field(seed) if seed else shut)
    mask, block = (1 << (cards - 1).bit_length()) - 1, 0
    while True:
        head = field(ALGORITHM) + field("cut") + number(block)
        words = hashlib.shake_256(head + text).digest(64)
        for at in range(0, 64, 4):
            low = int.from_bytes(words[at : at + 4], "big") & mask
            if low < cards:
                return low
        block += 1


class Shoe:
    """Follows the cards of the round as they leave the shoe."""

    def __init__(self, name: str, root: bytes, cards: int, cut: int | None) -> None:
        self.name, self.cards, self.cut = name, cards, cut
        self.roots = {0: (root, cards)}
        self.out: int | None = None
        self.leaves: dict[tuple[int, int], bytes] = {}
        self.shown: dict[tuple[int, int], str] = {}
        self.places: dict[tuple[int, int], str] = {}

    def leave(self, item: Json) -> None:
        slot = (item.get("order", 0), item["index"])
        leaf = bytes_of(item["leaf"], 32, "a leaf")
        wrong_unless(slot not in self.leaves, f"card {slot} left the shoe twice")
        self.leaves[slot] = leaf
        if self.cut is None:
            return
        order, index = slot
        here = (index - self.cut) % self.cards if order == 0 else self.cards + index
        due = here if self.out is None else self.out
        wrong_unless(here == due, f"card {slot} left the shoe out of turn")
        self.out = due + 1

    def prove(self, item: Json) -> None:
        slot = (item.get("order", 0), item["index"])
        salt = bytes_of(item["salt"], 0, "a salt")
        wrong_unless(len(salt) >= 16, f"card {slot}: its salt is too short")
        leaf = leaf_of(self.name, slot, item["card"], salt)
        same = leaf == bytes_of(item["leaf"], 32, "a leaf") == self.leaves.get(slot)
        wrong_unless(same, f"card {slot} is not the one of its leaf")
        wrong_unless(slot[0] in self.roots, f"card {slot}: its order has no root")
        root, size = self.roots[slot[0]]
        path = [bytes_of(step, 32, "a proof") for step in item.get("proof", [])]
        wrong_unless(0 <= slot[1] < size and len(path) <= 64, f"card {slot}: no place")
        found = proved_root(leaf, slot[1], size, path)
        wrong_unless(found == root, f"card {slot} does not lie under the root")
        self.shown[slot] = item["card"]

    def see(self, record: Record) -> None:
        data = record.data
        if record.is_of("shoe.cards_dealt"):
            for item in data["cards"]:
                self.leave(item)
                self.places[item.get("order", 0), item["index"]] = item["place"]
                if "card" in item:
                    self.prove(item)
        elif record.is_of("shoe.card_burned"):
            self.leave(data)
        elif record.is_of("shoe.hole_revealed", "shoe.burned_card_shown"):
            slot = (data["card"].get("order", 0), data["card"]["index"])
            leaf = bytes_of(data["card"]["leaf"], 32, "a leaf")
            # A burned card may have left in an earlier round.
            self.leaves.setdefault(slot, leaf)
            self.prove(data["card"])
        elif record.is_of("shoe.discards_shuffled"):
            root = bytes_of(data["root"], 32, "a root")
            self.roots[data["order"]] = (root, data["cards"])


def check_cards(pack: Pack) -> str:
    terms = pack.one("table.round_opened").data["terms"]
    records, fixed = shoe_records(pack), list(pack.of(COMMITTED))
    wrong_unless(len(fixed) == 1, "what the shoe was committed to is missing")
    committed = fixed[0].data
    root = bytes_of(terms["shoe_root"], 32, "the shoe's root")
    same = (
        committed["shoe"] == terms["shoe"] and committed["root"] == terms["shoe_root"]
    )
    wrong_unless(same, "the shoe was committed to another root than the round names")
    wrong_unless(committed["algorithm"] == ALGORITHM, "an unknown algorithm")
    cards = 52 * committed["decks"]
    wrong_unless(52 <= cards <= 52 * 64, "not a number of decks")
    cut = check_cut(pack, terms["shoe"], root, cards)
    shoe = Shoe(terms["shoe"], root, cards, cut)
    for record in records:
        wrong_unless(record.data["shoe"] == shoe.name, "a card of another shoe")
        shoe.see(record)
    check_proofs(pack, committed, records)
    check_seen(pack, shoe)
    return (
        f"{counted(len(shoe.shown), 'open card')} lay in the order that was fixed "
        "before the bets"
    )


def check_cut(pack: Pack, name: str, root: bytes, cards: int) -> int | None:
    found = [record.data for record in pack.of(CUT)]
    if not found:
        wrong_unless(not list(pack.of("shoe.cards_dealt")), "the cut is missing")
        return None
    shares = found[0].get("shares", [])
    for share in shares:
        seed = bytes_of(share.get("seed", ""), 0, "a seed")
        fixed = bytes_of(share["seed_hash"], 32, "a seed's hash")
        same = not seed or hashlib.sha256(seed).digest() == fixed
        wrong_unless(same, f"box {share['box']} opened another seed")
    check_shares(pack, shares)
    due = cut_of(name, root, cards, shares)
    same = found[0]["shoe"] == name and found[0]["cut"] == due and len(found) == 1
    wrong_unless(same, f"the seeds cut at {due}, recorded is {found[0]['cut']}")
    return due


def check_shares(pack: Pack, shares: list[Json]) -> None:
    """In the round of the cut, the seeds are those that the players gave.

    Of a bet that took another's place the hash is either's: its funds may be refused.
    """
    asked = [record.data for record in pack.of("table.cards_requested")]
    if not asked or asked[0].get("shares") is None:
        return
    by_box = {str(share["box"]): share for share in shares}
    dealt = {place.partition(".")[0] for place in asked[0]["places"]}
    placed = [record.data for record in pack.of("table.wagers_placed")]
    opened = [record.data for record in pack.of("table.seed_opened")]
    for box in sorted(by_box.keys() | dealt - {"dealer", "hole"}):
        hashes = {x.get("seed_hash", "") for x in placed if str(x["box"]) == box}
        share = by_box.get(box, {"seed_hash": "", "seed": ""})
        same = share["seed_hash"] in (hashes or {""})
        wrong_unless(same, f"box {box}: another seed's hash than was bet with")
        seeds = [x["seed"] for x in opened if str(x["box"]) == box]
        fits = [x for x in seeds if seed_hash_of(x) == share["seed_hash"]]
        same = share.get("seed", "") == (fits[-1] if fits else "")
        wrong_unless(same, f"box {box}: another seed than was opened")


def seed_hash_of(seed: str) -> str:
    digest = hashlib.sha256(bytes_of(seed, 0, "a seed")).digest()
    return base64.b64encode(digest).decode()


def check_proofs(pack: Pack, committed: Json, records: list[Record]) -> None:
    """The proofs that other verifiers read are those of the records."""
    proofs = pack.json("proofs.json")
    cut = next((record.data for record in pack.of(CUT)), None)
    due = {
        "format": "push22-shoe-record-v1",
        "shoe_committed": committed,
        "shoe_cut": cut,
        "dealt": [record.data for record in records],
        "retired": None,
    }
    wrong_unless(proofs == due, "proofs.json is not what the records say")


def check_seen(pack: Pack, shoe: Shoe) -> None:
    """What lay on the table is what left the shoe."""
    for record in pack.of("table.cards_received"):
        for item in record.data["cards"]:
            slot = (item.get("order", 0), item["index"])
            wrong_unless(slot in shoe.leaves, f"{record.id}: a card that never left")
            same = item.get("card") in (None, shoe.shown.get(slot))
            same = same and item["place"] == shoe.places.get(slot)
            wrong_unless(same, f"{record.id}: another card than left the shoe")
    turned = [record.data["card"] for record in pack.of("table.hole_card_turned")]
    shown = [r.data["card"]["card"] for r in pack.of("shoe.hole_revealed")]
    wrong_unless(turned == shown, "another hole card than left the shoe")


# --- 8 Money ------------------------------------------------------------------


def transfers_of(data: Json) -> list[Json]:
    found = [data[name] for name in ("returned", "transfer") if data.get(name)]
    return [*found, *data.get("transfers", [])]


def moved(data: Json, account: str) -> int:
    """Add up what a record's transfers bring to accounts of this beginning."""
    total = 0
    for move in transfers_of(data):
        amount = move["amount_minor"]
        good = type(amount) is int and amount > 0 and move["debit"] != move["credit"]
        wrong_unless(good, f"transfer {move['id']} moves nothing")
        total += amount * (
            move["credit"].startswith(account) - move["debit"].startswith(account)
        )
    return total


CORRECTION = "wallet.correction_posted"
REFUSED_CORRECTION = "wallet.correction_refused"
APPROVAL = "desk.proposal_approved"
OWN = (
    *("wallet.funds_reserved", "wallet.funds_refused"),
    *("wallet.reservation_cancelled", "wallet.payouts_posted"),
)
CALLS = ("wallet.call_owed", "wallet.call_ended")
MOVING = ("debit", "credit", "rollback")


def called(call: Json) -> int:
    """Return what a call did at the operator: a debit nobody is sure of, nothing."""
    amount: int = call["amount_minor"]
    if call["kind"] == "debit":
        return -amount
    return amount if call.get("is_booked", False) else 0


class Purse:
    """One player's wallet during the round.

    `first` and `last` are its balance around all records here. The round's own
    movements are told apart: between them there may lie a deposit, another round, a
    correction.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.first = self.last = self.version = 0
        self.in_play = self.house = self.net = 0
        self.own: list[tuple[bool, int, int]] = []
        self.told: list[tuple[int, int]] = []
        self.is_operators = False

    def take(self, record: Record) -> None:
        data, version = record.data, record.entry["version"]
        account = f"player:{data['player']}:{data['currency']}"
        change = moved(data, account)
        # A call that is owed to an operator moves nothing yet, and names no balance.
        balance = data.get("balance_minor", self.last + change)
        if not self.version:
            self.first = balance - change
        elif version == self.version + 1:
            follows = self.last + change == balance
            wrong_unless(follows, f"{record.id}: the balance does not follow")
        wrong_unless(balance >= 0, f"{record.id}: a balance below zero")
        self.last, self.version = balance, version
        if record.is_of(CORRECTION):
            return  # No part of the game: check_corrections looks at it.
        self.in_play += moved(data, "in_play:")
        self.house += moved(data, "house:")
        if record.is_of(*OWN):
            self.net += change
            self.own.append((bool(transfers_of(data)), balance - change, balance))
        elif record.is_of(*CALLS):
            self.hear(data)

    def hear(self, data: Json) -> None:
        """Take in a call to the operator who keeps the money."""
        call = data["call"]
        if call["kind"] not in MOVING or call.get("reason") == "correction":
            return
        self.is_operators = True
        if data.get("outcome") == "done":
            self.told.append((called(call), data.get("operator_balance_minor", 0)))

    @property
    def has_part(self) -> bool:
        return bool(self.own) or self.is_operators

    def row(self) -> list[Any]:
        """Return before, net, other, owed, after: a balance that nobody told is None.

        Before and net and other, less what is owed, come to after.
        """
        if self.is_operators:
            return self.row_at_operator()
        moving = [item for item in self.own if item[0]] or self.own
        before, after = moving[0][1], moving[-1][2]
        return ["casino", before, self.net, after - before - self.net, 0, after]

    def row_at_operator(self) -> list[Any]:
        through = sum(amount for amount, _ in self.told)
        owed = self.net - through
        if not self.told:
            return ["operator", None, self.net, 0, owed, None]
        before, after = self.told[0][1] - self.told[0][0], self.told[-1][1]
        other = after - before - through
        return ["operator", before, self.net, other, owed, after]


def purses_of(pack: Pack) -> dict[str, Purse]:
    found: dict[str, Purse] = {}
    wallets = [r for r in pack.records if r.entry["service"] == "wallet"]
    for record in sorted(wallets, key=lambda r: int(r.entry["version"])):
        name = record.data["player"]
        purse = found.setdefault(name, Purse(name))
        purse.take(record)
    return found


def nets_of_lines(pack: Pack) -> dict[str, int]:
    nets: dict[str, int] = {}
    for record in pack.of("settlement.wagers_settled"):
        for item in record.data["lines"]:
            line = item["line"]
            net = line["payout_minor"] - line["stake_minor"]
            nets[item["player"]] = nets.get(item["player"], 0) + net
    for record in pack.of("settlement.round_void_settled"):
        for item in record.data["refunds"]:
            nets.setdefault(item["player"], 0)
            nets[item["player"]] += item.get("lost_minor", 0)
    return nets


def check_corrections(pack: Pack) -> int:
    """Each correction is what a second person approved, or one alone might."""
    posted = list(pack.of(CORRECTION))
    for record in posted:
        data = record.data
        same = ("round_id", "case", "proposal", "player", "currency")
        approved = [
            item.data
            for item in pack.of(APPROVAL)
            if all(item.data.get(name) == data[name] for name in same)
        ]
        wrong_unless(len(approved) == 1, f"{record.id}: nobody approved it")
        order = approved[0]
        amount = moved(data, f"player:{data['player']}:{data['currency']}")
        named = f"correction:{data['case']}:{data['proposal']}"
        as_ordered = order["kind"] == "correction" and order["amount_minor"] == amount
        as_ordered = as_ordered and data["transfer"]["id"] == named
        as_ordered = as_ordered and moved(data, "house:") == -amount
        wrong_unless(as_ordered, f"{record.id}: not what was approved")
        # Who spells a name another way is the same person.
        is_second = order["approved_by"].casefold() != order["proposed_by"].casefold()
        is_small = order.get("is_alone", False) and (
            abs(amount) <= order["threshold_minor"]
        )
        wrong_unless(is_second or is_small, f"{record.id}: no second person")
    return len(posted)


def check_money(pack: Pack) -> str:
    closed = pack.one("table.round_closed").data
    purses, lines = purses_of(pack), nets_of_lines(pack)
    ids = [m["id"] for r in pack.records for m in transfers_of(r.data)]
    wrong_unless(len(ids) == len(set(ids)), "a transfer is booked twice")
    for name, purse in purses.items():
        wrong_unless(purse.in_play == 0, f"{name}: money is left in play")
        same = -purse.house == lines.get(name, 0)
        same = same and purse.net == lines.get(name, 0)
        wrong_unless(same, f"{name}: booked is {purse.net}, settled {lines.get(name)}")
    for name, net in closed["nets_minor"].items():
        same = lines.get(name, 0) == net
        wrong_unless(
            same, f"{name}: the round reports {net}, settled {lines.get(name)}"
        )
    missing = sorted(n for n in lines if lines[n] and n not in closed["nets_minor"])
    wrong_unless(not missing, f"{missing}: settled, but not in the round's result")
    unknown = set(lines) - set(purses) if pack.is_whole else set()
    wrong_unless(not unknown, f"{sorted(unknown)}: settled, but no wallet's records")
    count = sum(len(r.data["lines"]) for r in pack.of("settlement.wagers_settled"))
    corrections = check_corrections(pack)
    text = (
        f"{counted(len(ids), 'transfer')} and {counted(count, 'settlement line')} agree"
    )
    if corrections:
        were = "was" if corrections == 1 else "were"
        text = f"{counted(corrections, 'correction')} {were} approved; {text}"
    whose = (
        "1 player's balance" if len(purses) == 1 else f"{len(purses)} players' balances"
    )
    return f"{text} with {whose} and the round's result"


# --- 9 Tables -----------------------------------------------------------------


def clock(micros: int) -> str:
    start = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)  # noqa: UP017 - 3.9
    day = start + dt.timedelta(microseconds=micros)
    return day.strftime("%Y-%m-%d %H:%M:%S")


def csv_of(rows: Iterable[Iterable[Any]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def heading(pack: Pack, title: str) -> list[list[Any]]:
    opened, closed = pack.one("table.round_opened"), pack.one("table.round_closed")
    names = set(closed.data["players"]) | set(purses_of(pack))
    operators = sorted({name.partition(".")[0] for name in names if "." in name})
    interval = (opened, closed)
    times_ = [clock(record.envelope["recorded_at"]) for record in interval]
    return [
        ["operator", " ".join(operators) or "none"],
        ["title", title],
        ["interval UTC", *times_],
        ["made at UTC", clock(pack.manifest["made_at"])],
        ["round", pack.manifest["round_id"]],
        ["currency", opened.data["terms"]["currency"]],
        [],
    ]


def settled_rows(pack: Pack) -> Iterator[list[Any]]:
    for record in pack.of("settlement.wagers_settled"):
        for item in record.data["lines"]:
            line = item["line"]
            stake, paid = line["stake_minor"], line["payout_minor"]
            money = [stake, paid, paid - stake, " ".join(line["clauses"])]
            part = record.data["part"]
            yield [part, line["label"], item["player"], line["result"], *money]
    for record in pack.of("settlement.round_void_settled"):
        for item in record.data["refunds"]:
            stake, lost = item["stake_minor"], item.get("lost_minor", 0)
            part = record.data["part"]
            yield [part, item["label"], item["player"], "void", stake, stake, lost, ""]


def lines_csv(pack: Pack) -> bytes:
    none = [["no activity"]]
    rows = heading(pack, "Settlement lines, transfers and balances of one round")
    names = "part wager player result stake_minor payout_minor net_minor clauses"
    rows += [names.split(), *(list(settled_rows(pack)) or none), []]
    rows.append(["transfer", "record", "debit", "credit", "amount_minor"])
    moves = [
        [m["id"], r.id, m["debit"], m["credit"], m["amount_minor"]]
        for r in pack.records
        for m in transfers_of(r.data)
    ]
    rows += [*(moves or none), []]
    return csv_of(
        [*rows, *(old_balance_rows(pack) if is_old(pack) else balance_rows(pack))]
    )


def balance_rows(pack: Pack) -> Iterator[list[Any]]:
    none = [["no activity"]]
    parts = "before_minor net_minor other_minor owed_minor after_minor"
    yield ["player", "kept_by", *parts.split()]
    purses = sorted(purses_of(pack).items())
    yield from [
        [name, *purse.row()] for name, purse in purses if purse.has_part
    ] or none
    yield []
    yield ["correction", "player", "amount_minor", *CORRECTED.split()]
    yield from list(correction_rows(pack)) or none


CORRECTED = "case proposed_by approved_by outcome before_minor after_minor"


def correction_rows(pack: Pack) -> Iterator[list[Any]]:
    """Return each correction that was approved, and what the wallet made of it."""
    ends = {
        tuple(record.data[name] for name in ("player", "case", "proposal")): record
        for record in pack.of(CORRECTION, REFUSED_CORRECTION)
    }
    calls = {record.data["player"] for record in pack.of(*CALLS)}
    for record in pack.of(APPROVAL):
        data = record.data
        if data["kind"] != "correction":
            continue
        player, case, proposal = data["player"], data["case"], data["proposal"]
        end = ends.get((player, case, proposal))
        people = [data["proposed_by"], data["approved_by"]]
        row = [
            f"correction:{case}:{proposal}",
            player,
            data["amount_minor"],
            case,
            *people,
        ]
        if end is None or not end.is_of(CORRECTION):
            yield [*row, "refused" if end else "awaited", None, None]
        elif player in calls:
            yield [*row, "posted", None, None]
        else:
            after = end.data["balance_minor"]
            change = moved(end.data, f"player:{player}:{data['currency']}")
            yield [*row, "posted", after - change, after]


def is_old(pack: Pack) -> bool:
    return bool(pack.manifest["format"] == OLD_FORMAT)


def old_balance_rows(pack: Pack) -> Iterator[list[Any]]:
    yield ["player", "before_minor", "after_minor", "net_minor"]
    purses = sorted(purses_of(pack).items())
    rows = [[n, p.first, p.last, p.last - p.first] for n, p in purses]
    yield from rows or [["no activity"]]


def check_old_nets(pack: Pack) -> None:
    """Take an old pack only where nothing but the round moved a player's balance."""
    for name, purse in sorted(purses_of(pack).items()):
        stated = purse.last - purse.first
        text = (
            f"lines.csv states a net of {stated} for {name}, but the round's own is "
            f"{purse.net}: in the old format {OLD_FORMAT} it counts whatever moved the "
            "balance; have the pack made again"
        )
        wrong_unless(stated == purse.net, text)


TIMELINE = (
    *("sequence", "foreign", "time_utc", "microseconds"),
    *("service", "partition", "offset", "record", "type", "actor", "words"),
)


def check_tables(pack: Pack) -> str:
    if is_old(pack):
        check_old_nets(pack)
    same = pack.files["lines.csv"] == lines_csv(pack)
    wrong_unless(same, "lines.csv is not what the records say")
    head = csv_of([*heading(pack, "Events of one round, in order"), TIMELINE])
    text = pack.files["timeline.csv"]
    wrong_unless(text.startswith(head), "timeline.csv: another heading")
    rows = list(csv.reader(io.StringIO(text[len(head) :].decode())))
    wrong_unless(len(rows) == len(pack.records), "timeline.csv: not all records")
    for at, record in enumerate(pack.records):
        entry, when = record.entry, record.envelope["recorded_at"]
        place = [entry[n] for n in ("service", "partition", "offset", "id", "type")]
        foreign = "yes" if entry["foreign"] else "no"
        due = [entry["sequence"], foreign, clock(when), when, *place]
        wrong_unless(rows[at][:9] == list(map(str, due)), f"timeline.csv: row {at + 1}")
    return "lines.csv and timeline.csv are what the records say"


# --- The verdict --------------------------------------------------------------

Check = Callable[[Pack], str]
FIRST: tuple[tuple[str, Check], ...] = (
    ("signature", check_signature),
    ("files", check_files),
)
CHECKS: tuple[tuple[str, Check], ...] = (
    ("records", check_records),
    ("log", check_log),
    ("order", check_order),
    ("cards", check_cards),
    ("money", check_money),
    ("tables", check_tables),
)
MALFORMED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    csv.Error,
    struct.error,
)


class Verdict:
    """The lines to read, and whether all of them are good."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.is_right = True

    def add(self, name: str, text: str, *, good: bool = True) -> bool:
        self.is_right = self.is_right and good
        self.lines.append(f"{'ok   ' if good else 'WRONG'}  {name:10} {plain(text)}")
        return good

    def run(self, name: str, check: Check, pack: Pack) -> bool:
        try:
            return self.add(name, check(pack))
        except Wrong as error:
            return self.add(name, str(error), good=False)
        except MALFORMED as error:
            text = f"can't be read: {type(error).__name__} {error}"
            return self.add(name, text, good=False)


def plain(text: str) -> str:
    """Keep a pack from writing to the terminal what it likes."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)[:500]


def judge(files: Json, trusted: Json | None = None) -> Verdict:
    """Check the files of a pack, by trusted keys or, without any, by its own."""
    verdict, pack = Verdict(), Pack(files, trusted)
    if all(verdict.run(name, check, pack) for name, check in FIRST):
        for name, check in CHECKS:
            verdict.run(name, check, pack)
        about = pack.manifest
        verdict.lines.append(
            plain(
                f"       said by its maker, not checked here: {about.get('round_id')} "
                f"executed again: {about.get('verdict')}"
            )
        )
    verdict.lines.append(last_line(pack, is_right=verdict.is_right))
    return verdict


def last_line(pack: Pack, *, is_right: bool) -> str:
    if not is_right:
        return "WRONG: this pack is not what it says"
    what = "" if pack.is_whole else ", other players' data masked and not proved"
    if pack.trusted is None:
        return f"SELF-CONSISTENT{what}; signer not confirmed: give --keys FILE"
    return f"RIGHT{what}"


def refused(error: Exception) -> Verdict:
    verdict = Verdict()
    verdict.add("container", str(error), good=False)
    verdict.lines.append("WRONG: this pack is not what it says")
    return verdict


def judge_zip(data: bytes, trusted: Json | None = None) -> Verdict:
    try:
        files = unzipped(data)
    except Wrong as error:
        return refused(error)
    return judged(files, "zip", trusted)


def judged(files: Json, kind: str, trusted: Json | None) -> Verdict:
    verdict = judge(files, trusted)
    text = f"a {kind} of {len(files)} files and nothing else"
    verdict.lines.insert(0, f"ok     {'container':10} {text}")
    return verdict


def judge_path(path: str, trusted: Json | None = None) -> Verdict:
    """Judge a zip or a folder. Raises Unreadable: then nothing is known of it."""
    try:
        if os.path.isdir(path):  # noqa: PTH112 - plain calls only
            return judged(read_folder(path), "folder", trusted)
        return judge_zip(read_file(path), trusted)
    except Wrong as error:
        return refused(error)


def main(words: list[str]) -> int:
    if len(words) not in (1, 3) or (len(words) == 3 and words[1] != "--keys"):
        sys.stderr.write("usage: python verify.py PACK [--keys FILE]\n")
        return 2
    try:
        trusted = read_keys(read_file(words[2]), words[2]) if words[1:] else None
    except (Wrong, Unreadable, ValueError) as error:
        sys.stderr.write(f"--keys: {plain(str(error))}\n")
        return 2
    try:
        verdict = judge_path(words[0], trusted)
    except Unreadable as error:
        sys.stderr.write(f"{plain(str(error))}\n")
        return 2
    sys.stdout.write("\n".join(verdict.lines) + "\n")
    return 0 if verdict.is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
