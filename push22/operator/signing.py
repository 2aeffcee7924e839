"""HMAC-SHA256 over the bytes that travel: requests are ours, answers the operator's."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

KEY = "x-push22-key"
TIME = "x-push22-time"
NONCE = "x-push22-nonce"
SIGNATURE = "x-push22-signature"
REPEATED = "x-push22-repeated"
"""Of an answer: `true` if the transaction was answered before. It decides nothing."""


@dataclass(frozen=True, slots=True)
class Signed:
    """What a request's signature covers besides its body."""

    method: str
    path: str
    time_ms: int
    nonce: str


def sign_request(secret: bytes, what: Signed, body: bytes) -> str:
    head = f"{what.time_ms}\n{what.nonce}\n{what.method}\n{what.path}\n"
    return hmac.new(secret, head.encode() + body, hashlib.sha256).hexdigest()


def sign_answer(secret: bytes, nonce: str, code: int, body: bytes) -> str:
    """An answer's signature covers the request's nonce: it answers no other one."""
    head = f"{nonce}\n{code}\n"
    return hmac.new(secret, head.encode() + body, hashlib.sha256).hexdigest()


def is_equal(left: str, right: str) -> bool:
    """Compare in constant time, whatever characters come."""
    return hmac.compare_digest(left.encode(), right.encode())


def request_headers(
    key_id: str, secret: bytes, what: Signed, body: bytes
) -> dict[str, str]:
    return {
        "content-type": "application/json",
        KEY: key_id,
        TIME: str(what.time_ms),
        NONCE: what.nonce,
        SIGNATURE: sign_request(secret, what, body),
    }


def is_answer_signed(
    secret: bytes, nonce: str, answer: tuple[int, bytes], headers: Mapping[str, str]
) -> bool:
    code, body = answer
    return is_equal(headers.get(SIGNATURE, ""), sign_answer(secret, nonce, code, body))
