"""The verifier's own Ed25519: RFC 8032's vectors, a kept library's word, bad points."""

from hashlib import sha512
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from push22.evidence.verify import L, is_signed

# RFC 8032, 7.1: secret key, public key, message, signature.
VECTORS = {
    "TEST 1": (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        b"",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    "TEST 2": (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        b"\x72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    "TEST 3": (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        b"\xaf\x82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
    "TEST SHA(abc)": (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        sha512(b"abc").digest(),
        (
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
            "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ),
}
SMALL = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
"""All eight points of small order, as they are encoded."""

NOT_CANONICAL = (
    "0100000000000000000000000000000000000000000000000000000000000080",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
)


@pytest.mark.parametrize("name", VECTORS)
def test_the_vectors_of_the_rfc_hold(name: str) -> None:
    """Signatures of RFC 8032 are accepted, for no other message and by no other key."""
    secret, public, message, text = VECTORS[name]
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    key, signature = private.public_key().public_bytes_raw(), bytes.fromhex(text)

    assert key.hex() == public
    assert is_signed(key, message, signature)
    assert not is_signed(key, message + b"\0", signature)
    assert not is_signed(bytes.fromhex(VECTORS["TEST 1"][1])[::-1], message, signature)


def test_it_agrees_with_a_kept_library() -> None:
    """Random keys and messages: signed is signed, and one flipped bit is not."""
    chance = Random(22)
    for _ in range(25):
        private = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
        key = private.public_key().public_bytes_raw()
        message = chance.randbytes(chance.randrange(200))
        signature = private.sign(message)
        assert is_signed(key, message, signature)

        spoilt = bytearray(signature)
        spoilt[chance.randrange(64)] ^= 1 << chance.randrange(8)
        assert not is_signed(key, message, bytes(spoilt))


def test_a_second_writing_of_a_signature_is_refused() -> None:
    """S plus the order of the group is the same number, and no signature (S < L)."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    key, signature = private.public_key().public_bytes_raw(), private.sign(b"pack")
    second = int.from_bytes(signature[32:], "little") + L

    assert is_signed(key, b"pack", signature)
    assert not is_signed(key, b"pack", signature[:32] + second.to_bytes(32, "little"))


@pytest.mark.parametrize("text", [*SMALL, *NOT_CANONICAL])
def test_a_point_of_small_order_is_no_key(text: str) -> None:
    """With such a key one signature would fit many messages: R = identity, S = 0."""
    point = bytes.fromhex(text)
    for first in (point, bytes.fromhex(SMALL[0])):
        signature = first + bytes(32)
        for number in range(16):
            assert not is_signed(point, bytes([number]), signature)


@pytest.mark.parametrize("text", [*SMALL, *NOT_CANONICAL])
def test_a_signature_with_a_bad_point_is_refused(text: str) -> None:
    """The first half of a signature is held to the same."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    key, signature = private.public_key().public_bytes_raw(), private.sign(b"pack")
    assert not is_signed(key, b"pack", bytes.fromhex(text) + signature[32:])


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_or_signature_of_another_length_is_refused(size: int) -> None:
    """Nothing is padded, nothing is cut."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    key, signature = private.public_key().public_bytes_raw(), private.sign(b"pack")

    assert not is_signed(bytes(size), b"pack", signature)
    assert not is_signed(
        key, b"pack", (signature + signature)[: size if size < 64 else 65]
    )
