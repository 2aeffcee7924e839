"""Makes and reads checkpoints, and proves by one that a record was in its log (H14).

A proof, `proof_of`, needs nothing but the record's bytes and the public keys, and shows
no other record. How to use all of it stands in docs/checkpoints.md.
"""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from blackjack.commitment import is_included, tree_of
from blackjack.commitment import proof_of as path_of
from contracts.checkpoints import DOMAIN, Checkpoint, KeyDocument, PublicKey, Statement
from contracts.envelope import Micros
from contracts.strict import check_nesting
from services.archive.frontier import Frontier, leaf_of

Sign = Callable[[bytes], bytes]
"""From a text to its Ed25519 signature."""

Keys = Mapping[str, PublicKey]

FAULTS = {
    "unreadable_checkpoint": "a checkpoint is not one that we write",
    "bad_signature": "its key did not sign this statement",
    "unknown_key": "its key is none of the known ones",
    "key_out_of_term": "it is dated before its key's begin or after its end",
    "removed_checkpoint": "a stretch has no checkpoint, but a later one has",
    "unjoined_checkpoint": "it goes on from another record than the one before",
    "forked_log": "two signed checkpoints contradict each other",
    "other_log": "the log is another one than the one that was signed",
    "changed_stretch": "a record was changed, and the chain made anew",
    "changed_chain": "the chain leads to another hash than the one that was signed",
    "lost_tail": "the log ends before what was signed",
    "not_included": "a record is not the one that the checkpoint covers",
}


class CheckpointFault(NamedTuple):
    """What is wrong with a checkpoint, or by its word with a log.

    `kind` is a key of `FAULTS`; `offset` is 0 where no place is known.
    """

    kind: str
    log: str
    offset: int
    text: str


class NotChained(Exception):
    """A record does not follow the one before: nothing of it is ever signed."""


class LogPlace(NamedTuple):
    """One partition of one service's log, under its present incarnation."""

    service: str
    log: str
    partition: int

    @property
    def name(self) -> str:
        return f"{self.service}/{self.partition}"


class Stretch:
    """The records since a checkpoint, checked against the chain as they come."""

    def __init__(self, place: LogPlace, since: int, before: bytes) -> None:
        self.place = place
        self.since = since
        self.before = before
        self.offset = since
        self.hash = before
        self._tree = Frontier()

    def take(self, offset: int, link: bytes, body: bytes) -> None:
        """Take in the next record. Raises NotChained."""
        digest = sha256(body).digest()
        chained = sha256(self.hash + digest).digest()
        if offset != self.offset + 1 or link != chained:
            raise NotChained(
                f"{self.place.name}: record {offset} does not follow {self.offset}"
            )
        self.offset, self.hash = offset, link
        self._tree.add(digest)

    @property
    def size(self) -> int:
        return self.offset - self.since

    def statement(self, made_at: Micros) -> Statement:
        assert self.size, "a statement is about at least one record"
        return Statement(
            *self.place,
            since=self.since,
            before=self.before.hex(),
            offset=self.offset,
            hash=self.hash.hex(),
            root=self._tree.root().hex(),
            made_at=made_at,
        )

    def next(self) -> "Stretch":
        """Return the empty stretch after this one."""
        return Stretch(self.place, self.offset, self.hash)


def signed(statement: Statement, key_id: str, sign: Sign) -> Checkpoint:
    text = msgspec.json.encode(statement)
    signature = base64.b64encode(sign(DOMAIN + text)).decode()
    return Checkpoint(key_id, text.decode(), signature)


def encode(checkpoint: Checkpoint) -> bytes:
    """Return the one line that a checkpoint is, without its end."""
    return msgspec.json.encode(checkpoint)


def decode(line: bytes) -> Checkpoint:
    """Read what `encode` wrote, to the byte. Raises ValueError."""
    check_nesting(line)
    checkpoint = msgspec.json.decode(line, type=Checkpoint)
    if encode(checkpoint) != line:
        raise ValueError("it is not written as we write checkpoints")
    return checkpoint


def said(checkpoint: Checkpoint) -> Statement:
    """Return what a checkpoint states, believed or not. Raises ValueError."""
    text = checkpoint.statement.encode()
    check_nesting(text)
    return msgspec.json.decode(text, type=Statement)


def fingerprint(checkpoint: Checkpoint) -> str:
    """Return 128 bits of the statement's SHA-256, to be printed and kept on paper."""
    digest = sha256(checkpoint.statement.encode()).hexdigest()[:32]
    return " ".join(digest[at : at + 8] for at in range(0, 32, 8))


def keys_of(document: KeyDocument) -> dict[str, PublicKey]:
    return {key.key_id: key for key in document.keys}


def key_id_of(public: bytes) -> str:
    return sha256(public).hexdigest()[:16]


def believed(checkpoint: Checkpoint, keys: Keys) -> Statement | CheckpointFault:
    """Return what a checkpoint states if its key signed it, and might."""
    try:
        statement = said(checkpoint)
    except ValueError as error:
        return CheckpointFault("unreadable_checkpoint", "", 0, str(error))
    key = keys.get(checkpoint.key_id)
    if key is None:
        return _about(statement, "unknown_key", f"key {checkpoint.key_id}")
    if not _has_signed(key, checkpoint):
        return _about(statement, "bad_signature", f"key {checkpoint.key_id}")
    if statement.made_at < key.since or (key.until and statement.made_at > key.until):
        text = f"key {key.key_id} did not sign at {statement.made_at}"
        return _about(statement, "key_out_of_term", text)
    return statement


def place_of(statement: Statement) -> LogPlace:
    return LogPlace(statement.service, statement.log, statement.partition)


def _about(statement: Statement, kind: str, text: str) -> CheckpointFault:
    stretch = f"records {statement.since + 1} to {statement.offset}: {text}"
    return CheckpointFault(kind, place_of(statement).name, statement.offset, stretch)


def _has_signed(key: PublicKey, checkpoint: Checkpoint) -> bool:
    try:
        public = base64.b64decode(key.public_key, validate=True)
        signature = base64.b64decode(checkpoint.signature, validate=True)
        # Base64 has spare bits at its end: a signature is written in one way only.
        is_exact = base64.b64encode(signature).decode() == checkpoint.signature
        if not is_exact or key_id_of(public) != key.key_id:
            return False
        text = DOMAIN + checkpoint.statement.encode()
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


class InclusionProof(msgspec.Struct, frozen=True):
    """That record `since + 1 + index` of the checkpoint's stretch was in the log.

    `path` are the sibling hashes from leaf to root, lower-case hex.
    """

    checkpoint: Checkpoint
    index: int
    path: tuple[str, ...]


def proof_of(
    checkpoint: Checkpoint, digests: Sequence[bytes], offset: int
) -> InclusionProof:
    """Prove one record of a checkpoint's stretch.

    `digests` are the SHA-256 of all records of the stretch, in order. Raises ValueError
    if they are not those that were signed.
    """
    statement = said(checkpoint)
    if len(digests) != statement.offset - statement.since:
        raise ValueError(f"{len(digests)} digests for another number of records")
    if not statement.since < offset <= statement.offset:
        raise ValueError(f"record {offset} is not in the checkpoint's stretch")
    tree = tree_of([leaf_of(digest) for digest in digests])
    if tree[-1][0].hex() != statement.root:
        raise ValueError("the records are not those that were signed")
    index = offset - statement.since - 1
    path = tuple(node.hex() for node in path_of(tree, index))
    return InclusionProof(checkpoint, index, path)


def check_record(
    proof: InclusionProof, body: bytes, keys: Keys
) -> CheckpointFault | None:
    """Say why a proof does not hold for a record's bytes; None if it does."""
    statement = believed(proof.checkpoint, keys)
    if isinstance(statement, CheckpointFault):
        return statement
    try:
        path = [bytes.fromhex(node) for node in proof.path]
        root = bytes.fromhex(statement.root)
    except ValueError as error:
        return _about(statement, "not_included", str(error))
    at = (proof.index, statement.offset - statement.since)
    if is_included(leaf_of(sha256(body).digest()), at, path, root):
        return None
    text = f"record {statement.since + 1 + proof.index} is not under the root"
    return _about(statement, "not_included", text)
