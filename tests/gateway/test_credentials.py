"""Tokens and buckets: what they are good for, and for how long."""

import base64
import json
from pathlib import Path
from typing import Any

import jwt
import pytest

from push22.__main__ import run
from push22.door.secrets import dev_issuer, dev_token
from services.gateway.problems import Refused
from services.gateway.rates import Buckets, Rate
from services.gateway.roles import UnknownKey, read_person, require
from services.gateway.tokens import Pass, Tokens

NOW = 1_789_000_000_000_000
SECOND = 1_000_000
PASS = Pass("acme.alice", "EUR", "t1", "id-1", NOW + 120 * SECOND)


def reason(doing: Any) -> str:
    with pytest.raises(Refused) as refused:
        doing()
    return refused.value.problem.reason


def test_a_launch_is_good_once_and_only_as_a_launch() -> None:
    """Traded in again, late, or shown as a session, it is refused."""
    tokens = Tokens(b"s" * 32)
    launch = tokens.make("launch", PASS)

    assert tokens.use(launch, NOW) == PASS
    assert reason(lambda: tokens.use(launch, NOW)) == "launch_used"
    assert reason(lambda: tokens.read("session", launch, NOW)) == "unauthenticated"
    late = PASS.expires_at
    assert reason(lambda: tokens.use(launch, late)) == "token_expired"


def test_a_known_token_still_expires() -> None:
    """That it was verified before does not keep it alive."""
    tokens = Tokens(b"s" * 32)
    session = tokens.make("session", PASS)
    tokens.read("session", session, NOW)

    assert (
        reason(lambda: tokens.read("session", session, PASS.expires_at))
        == "token_expired"
    )


@pytest.mark.parametrize("algorithm", ["none", "HS512"])
def test_another_algorithm_is_no_token(algorithm: str) -> None:
    """The header does not choose how it is verified."""
    claims = {"aud": "push22.session", "sub": "a.b", "exp": NOW, "jti": "x"}
    key = None if algorithm == "none" else b"s" * 64
    token = jwt.encode(claims, key, algorithm)

    tokens = Tokens(b"s" * 64)
    assert reason(lambda: tokens.read("session", token, NOW)) == "unauthenticated"


def test_a_support_token_is_believed_by_its_issuer_alone(tmp_path: Path) -> None:
    """Without --dev there is no issuer for it; another casino's key is unknown."""
    issuer = dev_issuer(tmp_path / "one")
    token = dev_token(tmp_path / "one", "carol", "resolver", NOW)
    person = read_person(token, issuer, NOW)

    assert (person.name, person.role) == ("carol", "resolver")
    require(person, "viewer")
    assert reason(lambda: require(person, "admin")) == "forbidden"
    assert reason(lambda: read_person(token, None, NOW)) == "unauthenticated"
    other = dev_issuer(tmp_path / "two")
    assert reason(lambda: read_person(token, other, NOW)) == "unauthenticated"
    day = 24 * 3600 * SECOND
    late = NOW + day
    assert reason(lambda: read_person(token, issuer, late)) == "token_expired"


@pytest.mark.parametrize("is_there", [False, True])
def test_no_support_token_is_made_where_no_gateway_has_dev(
    is_there: bool,  # noqa: FBT001
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A mistyped directory is refused and not made; nor is a key."""
    data = tmp_path / "data"
    if is_there:
        data.mkdir()

    assert run(["dev-token", "--data", str(data)]) == 2
    assert "no gateway was started with --dev" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["data"] * is_there


def test_an_unknown_key_asks_for_the_issuers_new_ones(tmp_path: Path) -> None:
    """A provider that rotates its keys is asked again, not refused."""
    issuer = dev_issuer(tmp_path)
    token = dev_token(tmp_path, "carol", "viewer", NOW)
    issuer.keys = {}

    with pytest.raises(UnknownKey):
        read_person(token, issuer, NOW)


def test_a_token_that_is_signed_with_the_public_key_is_refused(tmp_path: Path) -> None:
    """A symmetric signature made of what everybody knows counts for nothing."""
    issuer = dev_issuer(tmp_path)
    head = {"alg": "HS256", "kid": "dev", "typ": "JWT"}
    claims = {"iss": issuer.name, "aud": "push22", "sub": "x", "roles": ["admin"]}
    parts = (head, {**claims, "exp": NOW // SECOND + 60})
    text = ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in parts
    )

    def forged() -> Any:
        return read_person(f"{text}.c2ln", issuer, NOW)

    assert reason(forged) == "unauthenticated"


def test_a_bucket_fills_again_at_its_rate() -> None:
    """A burst at once, then so many a second; others have their own."""
    buckets = Buckets(Rate(per_second=2, burst=3))
    for _ in range(3):
        buckets.take("alice", NOW)

    assert reason(lambda: buckets.take("alice", NOW)) == "too_many_requests"
    buckets.take("bob", NOW)
    buckets.take("alice", NOW + SECOND // 2)
    assert reason(lambda: buckets.take("alice", NOW + SECOND // 2)) == (
        "too_many_requests"
    )
