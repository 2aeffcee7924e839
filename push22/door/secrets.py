"""What the gateway keeps secret, and the keys that it only has for development.

Files are made where there are none, readable by their owner alone.
"""

import base64
import binascii
import json
import os
import secrets
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from jwt.algorithms import ECAlgorithm

from contracts.envelope import Micros
from push22.errors import Failure
from services.gateway.roles import AUDIENCE, DEV_ISSUER, Issuer, Role, read_keys
from services.gateway.tokens import SECRET_BYTES_MIN

SECRET = "PUSH22_GATEWAY_SECRET"  # noqa: S105 - the name of a variable
_SECRET_FILE = "gateway-secret"  # noqa: S105 - the name of a file
_ISSUER_FILE = "dev-issuer.json"
DEV_OPERATORS = "dev-operators.toml"
_KEY_ID = "dev"
_TOKEN_S = 8 * 3600


def token_secrets(data: Path) -> tuple[bytes, ...]:
    """Return what players' tokens are signed with: several doors share it.

    The first signs; those after it, parted by commas, are rotated out: what they signed
    is believed until it has run out.
    """
    text = os.environ.get(SECRET, "")
    place = SECRET
    if not text:
        path = data / _SECRET_FILE
        place = str(path)
        text = _kept(path, lambda: base64.b64encode(secrets.token_bytes(32)).decode())
    return tuple(_secret(place, one.strip()) for one in text.split(","))


def _secret(place: str, text: str) -> bytes:
    try:
        secret = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise Failure(place, "is not base64", exit_code=2) from error
    if len(secret) < SECRET_BYTES_MIN:
        raise Failure(place, f"has less than {SECRET_BYTES_MIN} bytes", exit_code=2)
    return secret


def _kept(path: Path, make: Any) -> str:
    """Return a file's text; make the file, whole or not at all, where there is none."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    return path.read_text()


def dev_operators(data: Path) -> str:
    """Return an operators file with one operator, for development."""
    return _kept(data / DEV_OPERATORS, _made_operators)


def _made_operators() -> str:
    key = base64.b64encode(secrets.token_bytes(32)).decode()
    return f'[local]\ncurrencies = ["EUR"]\nkeys = {{ dev = "{key}" }}\n'


def _dev_key(data: Path) -> EllipticCurvePrivateKey:
    key = ECAlgorithm.from_jwk(_kept(data / _ISSUER_FILE, _made_key))
    assert isinstance(key, EllipticCurvePrivateKey)
    return key


def _made_key() -> str:
    return str(ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1())))


def dev_issuer(data: Path) -> Issuer:
    """Return the issuer of development's own tokens."""
    public = ECAlgorithm.to_jwk(_dev_key(data).public_key(), as_dict=True)
    keys = {"keys": [{**public, "kid": _KEY_ID, "alg": "ES256"}]}
    return Issuer(DEV_ISSUER, AUDIENCE, read_keys(json.dumps(keys)))


def dev_token(data: Path, who: str, role: Role, now: Micros) -> str:
    """Return a token of development's issuer: good where the gateway has --dev.

    Raises Failure where none ever had: a key made now would be nobody's.
    """
    if not (data / _ISSUER_FILE).is_file():
        reason = "no gateway was started with --dev on this data directory"
        raise Failure(str(data), reason, exit_code=2)
    claims = {
        "iss": DEV_ISSUER,
        "aud": AUDIENCE,
        "sub": who,
        "roles": [role],
        "exp": now // 1_000_000 + _TOKEN_S,
    }
    return jwt.encode(claims, _dev_key(data), "ES256", headers={"kid": _KEY_ID})
