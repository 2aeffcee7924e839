"""Signatures cover all that they should, and the documented vector is true."""

from pathlib import Path

import pytest

from push22.operator.signing import Signed, is_answer_signed, sign_answer, sign_request
from tests.operator.conftest import SECRET

DOCS = Path(__file__).parents[2] / "docs" / "operator-wallet.md"
WHAT = Signed("POST", "/wallet/v1/balance", 1_793_471_400_125, "00ff")
PUBLISHED = "7b919c05a1d8c8a9c6d4d8c07dfbd26ada66cb0407faa6882d2046d9d9c9c961"
"""Computed by hand with the standard library, not by the code under test."""


def test_the_published_vector_is_what_we_sign() -> None:
    """Whoever implements the protocol can check his own code by the page."""
    assert sign_request(SECRET, WHAT, b"{}") == PUBLISHED
    assert PUBLISHED in DOCS.read_text()


@pytest.mark.parametrize(
    "other",
    [
        Signed("GET", WHAT.path, WHAT.time_ms, WHAT.nonce),
        Signed(WHAT.method, "/wallet/v1/debit", WHAT.time_ms, WHAT.nonce),
        Signed(WHAT.method, WHAT.path, WHAT.time_ms + 1, WHAT.nonce),
        Signed(WHAT.method, WHAT.path, WHAT.time_ms, "00fe"),
    ],
    ids=["method", "path", "time", "nonce"],
)
def test_a_signature_is_for_one_request_only(other: Signed) -> None:
    """None of its parts can be exchanged."""
    assert sign_request(SECRET, other, b"{}") != PUBLISHED
    assert sign_request(SECRET, WHAT, b"{ }") != PUBLISHED
    assert sign_request(SECRET + b"x", WHAT, b"{}") != PUBLISHED


def test_an_answer_is_signed_for_its_request_and_code() -> None:
    """An answer to another request, or with another code, is not taken."""
    headers = {"x-push22-signature": sign_answer(SECRET, "00ff", 200, b"{}")}

    assert is_answer_signed(SECRET, "00ff", (200, b"{}"), headers)
    assert not is_answer_signed(SECRET, "00fe", (200, b"{}"), headers)
    assert not is_answer_signed(SECRET, "00ff", (422, b"{}"), headers)
    assert not is_answer_signed(SECRET, "00ff", (200, b"{ }"), headers)
    assert not is_answer_signed(SECRET, "00ff", (200, b"{}"), {})
    assert not is_answer_signed(
        SECRET, "00ff", (200, b"{}"), {"x-push22-signature": "é"}
    )
