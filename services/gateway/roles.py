"""Support's bearer tokens: who somebody is, and what the roles allow.

There is one issuer, for it alone says who is who: a person's name is the token's `sub`,
which only one issuer keeps apart. Its keys are a JWKS, and only asymmetric signatures
count.
"""

import json
import unicodedata
from typing import Any, Literal, Protocol

import jwt
import msgspec
from jwt.types import Options

from contracts.envelope import Micros
from services.gateway.problems import DoorReason, Refused

Role = Literal["viewer", "resolver", "admin"]
RANK: dict[str, int] = {"viewer": 1, "resolver": 2, "admin": 3}
"""Each role may do what those before it may."""

DEV_ISSUER = "push22-dev"
AUDIENCE = "push22"

_SECOND_US = 1_000_000
_ALGORITHMS = ["ES256", "ES384", "RS256", "RS512", "PS256", "EdDSA"]
_READ: Options = {
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "require": ["aud", "iss", "sub", "exp"],
}


class Person(msgspec.Struct, frozen=True):
    """Somebody of support, as the issuer names him (`sub`), and the highest role."""

    name: str
    role: str


class Issuer(msgspec.Struct):
    """Whose tokens are believed. `keys` may be replaced as the issuer rotates them."""

    name: str
    audience: str
    keys: dict[str, jwt.PyJWK]


def read_keys(text: str | bytes) -> dict[str, jwt.PyJWK]:
    """Read a JWKS by key id; it may be empty. Raises ValueError."""
    try:
        document = json.loads(text)
        # An issuer that takes its last key away says so with an empty list.
        if isinstance(document, dict) and document.get("keys") == []:
            return {}
        found = jwt.PyJWKSet.from_dict(document).keys
    except (jwt.PyJWTError, AttributeError, TypeError, RecursionError) as error:
        raise ValueError(f"no JWKS: {error}") from error
    return {str(key.key_id): key for key in found}


class Keeper(Protocol):
    """Keeps the issuer's keys as it rotates them."""

    async def keep_fresh(self) -> None:
        """Fetch keys that are old."""
        ...

    async def renew(self, issuer: Issuer) -> bool:
        """Fetch an issuer's keys, for one is not known; tell whether that was done."""
        ...


class KeptInFiles:
    """Keys from a file stay as they are."""

    async def keep_fresh(self) -> None:
        return

    async def renew(self, issuer: Issuer) -> bool:
        del issuer
        return False


class UnknownKey(Exception):
    """The issuer may have new keys: fetch them, then try once more."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        super().__init__(issuer.name)


def read_person(token: str, issuer: Issuer | None, now: Micros) -> Person:
    """Return who shows a token. Raises Refused, or UnknownKey."""
    if issuer is None:
        raise Refused(DoorReason.UNAUTHENTICATED, "no issuer is ours")
    key = _key_of(token, issuer)
    try:
        claims = jwt.decode(
            token,
            key,
            _ALGORITHMS,
            audience=issuer.audience,
            issuer=issuer.name,
            options=_READ,
        )
    except (jwt.InvalidTokenError, ValueError, RecursionError) as error:
        raise Refused(DoorReason.UNAUTHENTICATED, "no token of ours") from error
    return _person(claims, now)


def _key_of(token: str, issuer: Issuer) -> jwt.PyJWK:
    try:
        head = jwt.get_unverified_header(token)
        said = jwt.decode(token, options={"verify_signature": False})
    except (jwt.InvalidTokenError, ValueError, RecursionError) as error:
        raise Refused(DoorReason.UNAUTHENTICATED, "no token") from error
    if said.get("iss") != issuer.name:
        raise Refused(DoorReason.UNAUTHENTICATED, "an issuer that is not ours")
    key = issuer.keys.get(str(head.get("kid")))
    if key is None:
        raise UnknownKey(issuer)
    return key


def _person(claims: dict[str, Any], now: Micros) -> Person:
    expires, begins = claims["exp"], claims.get("nbf", 0)
    if not isinstance(expires, int | float) or expires * _SECOND_US <= now:
        raise Refused(DoorReason.TOKEN_EXPIRED)
    if not isinstance(begins, int | float) or begins * _SECOND_US > now:
        raise Refused(DoorReason.UNAUTHENTICATED, "not yet")
    said = claims.get("roles")
    roles = [role for role in said if role in RANK] if isinstance(said, list) else []
    if not roles:
        raise Refused(DoorReason.FORBIDDEN, "none of our roles")
    return Person(_name(claims["sub"]), max(roles, key=RANK.__getitem__))


def _name(sub: object) -> str:
    """Return a person's name; one that looks like another's is nobody's. Raises."""
    name = str(sub)
    is_plain = name.isprintable() and name == name.strip() != ""
    if not is_plain or unicodedata.normalize("NFKC", name) != name:
        raise Refused(DoorReason.UNAUTHENTICATED, "a name that cannot be read")
    return name


def require(person: Person, role: Role) -> None:
    """Raise Refused if a person's role does not reach so far."""
    if RANK[person.role] < RANK[role]:
        raise Refused(DoorReason.FORBIDDEN, f"needs {role}")
