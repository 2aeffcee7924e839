"""A checkpoint: a signed statement of where a log stood, and over which records (H14).

A hash chain does not show a tail that was cut off with its head row; a checkpoint that
is kept elsewhere does. It also proves that a record was in the log then, without any
other record: by its place in the tree over the records since the checkpoint before.
"""

from contracts.base import Value
from contracts.envelope import Micros

DOMAIN = b"push22.checkpoint.v1\n"
"""Signed before the statement, so that no other signature of ours passes for one."""


class Statement(Value, frozen=True):
    """What is signed, as the JSON bytes that `Checkpoint.statement` holds.

    The records `since + 1` to `offset` of one partition of one incarnation. Hashes are
    lower-case hex of 32 bytes: `hash` is the chain's link at `offset`, `before` that at
    `since` (64 zeros at 0). `root` is the RFC 6962 root over their digests: entry
    i is the SHA-256 of record `since + 1 + i`, so its leaf is SHA-256(0x00 || entry).
    """

    service: str
    log: str
    partition: int
    since: int
    before: str
    offset: int
    hash: str
    root: str
    made_at: Micros


class Checkpoint(Value, frozen=True):
    """`signature`: Ed25519 (RFC 8032) over `DOMAIN` and the statement's bytes.

    `statement` is the exact text that was signed; `signature` is base64. `key_id` names
    the public key: keys are rotated, and old ones still verify what they signed.
    """

    key_id: str
    statement: str
    signature: str


class PublicKey(Value, frozen=True):
    """What verifies signatures made from `since` on; `until` is 0 while it signs.

    `public_key` is base64 of 32 bytes, `key_id` the first 16 hex digits of their
    SHA-256: who has lodged the id knows the key.

    `lost`: nobody had its private half any more. `until` is then the last checkpoint
    that it signed, and the next key follows it by the word of who keeps the logs alone.
    """

    key_id: str
    public_key: str
    since: Micros
    until: Micros = 0
    lost: bool = False


class KeyDocument(Value, frozen=True):
    """All public keys that ever signed checkpoints, the one in use last."""

    keys: tuple[PublicKey, ...]
    algorithm: str = "Ed25519"
