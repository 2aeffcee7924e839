"""Making a checkpoint, and proving one record by it."""

import base64
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from blackjack.commitment import root_of, tree_of
from contracts.checkpoints import Checkpoint, PublicKey
from services.archive.checkpoints import (
    CheckpointFault,
    LogPlace,
    NotChained,
    Stretch,
    believed,
    check_record,
    decode,
    encode,
    key_id_of,
    proof_of,
    said,
    signed,
)
from services.archive.frontier import Frontier, leaf_of

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw()
KEY = PublicKey(key_id_of(PUBLIC), base64.b64encode(PUBLIC).decode(), 100, 900)
KEYS = {KEY.key_id: KEY}
PLACE = LogPlace("wallet", "9f86", 0)


def filled(bodies: list[bytes]) -> Stretch:
    stretch = Stretch(PLACE, 0, bytes(32))
    for offset, body in enumerate(bodies, 1):
        link = sha256(stretch.hash + sha256(body).digest()).digest()
        stretch.take(offset, link, body)
    return stretch


def made(bodies: list[bytes], made_at: int = 500) -> Checkpoint:
    return signed(filled(bodies).statement(made_at), KEY.key_id, PRIVATE.sign)


def kind(found: object) -> str:
    assert isinstance(found, CheckpointFault), found
    return found.kind


@pytest.mark.parametrize("size", [*range(1, 34), 255, 256, 257, 1000])
def test_a_growing_tree_has_the_root_of_the_whole_one(size: int) -> None:
    """The frontier forgets the leaves, not what they add up to (RFC 6962)."""
    entries = [bytes([n % 251]) * 32 for n in range(size)]
    frontier = Frontier()
    for entry in entries:
        frontier.add(entry)
    assert frontier.root() == root_of(tree_of([leaf_of(one) for one in entries]))


def test_a_tree_of_nothing_is_that_of_the_rfc() -> None:
    """RFC 6962, 2.1: the hash of an empty list is that of an empty string."""
    assert Frontier().root() == sha256(b"").digest()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13])
def test_every_record_of_a_stretch_is_proved_alone(size: int) -> None:
    """A proof holds for its own record and for no other one."""
    bodies = [b"record %d" % n for n in range(size)]
    checkpoint = made(bodies)
    digests = [sha256(body).digest() for body in bodies]
    for offset, body in enumerate(bodies, 1):
        proof = proof_of(checkpoint, digests, offset)
        assert check_record(proof, body, KEYS) is None
        assert kind(check_record(proof, body + b" ", KEYS)) == "not_included"
        moved = replace(proof, index=proof.index + 1)
        assert kind(check_record(moved, body, KEYS)) == "not_included"


def test_no_proof_is_made_from_other_records() -> None:
    """What was signed is proved, not what is there now."""
    bodies = [b"a", b"b", b"c"]
    digests = [sha256(body).digest() for body in (b"a", b"x", b"c")]
    with pytest.raises(ValueError, match="not those that were signed"):
        proof_of(made(bodies), digests, 1)
    with pytest.raises(ValueError, match="not in the checkpoint's stretch"):
        proof_of(made([b"a"]), [sha256(b"a").digest()], 2)


def test_what_does_not_chain_is_not_taken() -> None:
    """The maker never signs a record that does not follow, nor one that is skipped."""
    stretch = filled([b"a"])
    link = sha256(stretch.hash + sha256(b"b").digest()).digest()
    with pytest.raises(NotChained):
        stretch.take(2, link, b"c")
    with pytest.raises(NotChained):
        stretch.take(3, link, b"b")
    stretch.take(2, link, b"b")
    assert stretch.size == 2


def test_a_key_is_believed_within_its_term_only() -> None:
    """A key that was given up signs nothing that is dated later."""
    assert believed(made([b"a"], 900), KEYS) == said(made([b"a"], 900))
    assert kind(believed(made([b"a"], 901), KEYS)) == "key_out_of_term"
    assert kind(believed(made([b"a"], 99), KEYS)) == "key_out_of_term"
    assert kind(believed(made([b"a"]), {})) == "unknown_key"


def test_one_bit_anywhere_in_a_checkpoint_is_found() -> None:
    """No bit of a line can change without its own verdict."""
    line = encode(made([b"a", b"b"]))
    verdicts = {_verdict_of(_flipped(line, bit)) for bit in range(len(line) * 8)}
    assert verdicts == {"unreadable_checkpoint", "bad_signature", "unknown_key"}


def _flipped(line: bytes, bit: int) -> bytes:
    changed = bytearray(line)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _verdict_of(line: bytes) -> str:
    try:
        checkpoint = decode(line)
    except ValueError:
        return "unreadable_checkpoint"
    return kind(believed(checkpoint, KEYS))


def test_a_key_that_is_not_its_name_is_not_believed() -> None:
    """A key document with another key under a lodged id opens nothing."""
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = base64.b64encode(other.public_key().public_bytes_raw()).decode()
    forged = signed(filled([b"a"]).statement(500), KEY.key_id, other.sign)
    keys = {KEY.key_id: replace(KEY, public_key=public)}
    assert kind(believed(forged, keys)) == "bad_signature"
