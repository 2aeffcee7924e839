"""One issuer says who of support is who: with two, one human could be two persons."""

import json
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from push22.__main__ import run
from push22.door.secrets import dev_issuer, dev_token
from services.gateway.problems import Refused
from services.gateway.roles import AUDIENCE, Issuer, read_keys, read_person

NOW = 1_000_000_000_000_000
OIDC = "https://identity.test"


def an_issuer(name: str) -> tuple[Issuer, str]:
    """Return an issuer with a key under development's key id, and Carol's token."""
    key = ec.generate_private_key(ec.SECP256R1())
    public = {**ECAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": "dev"}
    claims = {
        "iss": name,
        "aud": AUDIENCE,
        "sub": "carol",
        "roles": ["resolver"],
        "exp": NOW // 1_000_000 + 60,
    }
    token = jwt.encode(claims, key, "ES256", headers={"kid": "dev"})
    return Issuer(name, AUDIENCE, read_keys(json.dumps({"keys": [public]}))), token


def test_two_issuers_start_no_gateway(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Said before anything is served; no key for development is made either."""
    data = tmp_path / "data"
    asked = ["serve", "--dev", "--port", "0", "--data", str(data)]
    oidc = ["--oidc-issuer", OIDC, "--oidc-jwks", "http://127.0.0.1:9/jwks"]

    assert run([*asked, *oidc]) == 2
    assert "--dev: not beside --oidc-issuer" in capsys.readouterr().err
    assert not list(data.glob("dev-*"))


def test_the_same_name_of_another_issuer_is_nobody(tmp_path: Path) -> None:
    """Whichever of the two the door believes, it believes no other."""
    provider, theirs = an_issuer(OIDC)
    own, ours = dev_issuer(tmp_path), dev_token(tmp_path, "carol", "resolver", NOW)

    assert read_person(theirs, provider, NOW).name == "carol"
    assert read_person(ours, own, NOW).name == "carol"
    for token, issuer in ((ours, provider), (theirs, own)):
        with pytest.raises(Refused, match="an issuer that is not ours"):
            read_person(token, issuer, NOW)
