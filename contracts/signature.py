"""An operator's signature on a request to the door: the same text on either side.

Whoever signs and whoever checks read it here; keys and nonces are the door's matter.
"""

import hashlib
import hmac

import msgspec

SCHEME = "push22-v1"


class Signed(msgspec.Struct, frozen=True):
    """What of a request is signed, and by which key."""

    key: str
    time: str
    nonce: str
    signature: str
    method: str
    target: str
    idempotency_key: str
    body: bytes


def text_of(signed: Signed) -> bytes:
    """Return the signed bytes: seven lines at least, the last ones the body."""
    head = (
        SCHEME,
        signed.method,
        signed.target,
        signed.time,
        signed.nonce,
        signed.idempotency_key,
        "",
    )
    return "\n".join(head).encode() + signed.body


def signature_of(signed: Signed, key: bytes) -> str:
    return hmac.new(key, text_of(signed), hashlib.sha256).hexdigest()
