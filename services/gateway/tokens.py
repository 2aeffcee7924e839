"""A player's tokens: a launch, good for one session, and the session itself.

They are signed values; nothing is looked up. Time is the casino's.
"""

import hmac
from collections import OrderedDict
from contextlib import suppress
from typing import Any, Literal

import jwt
import msgspec
from jwt.types import Options

from contracts.envelope import Micros
from services.gateway.once import Once, OnceHere
from services.gateway.problems import DoorReason, Refused

LAUNCH_S = 120
SESSION_S = 8 * 3600
SECRET_BYTES_MIN = 32

_KNOWN_MAX = 10_000
"""So many tokens are not verified again each time they are shown."""

_SECOND_US = 1_000_000
_ALGORITHM = "HS256"
_READ: Options = {
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "require": ["aud", "sub", "exp", "jti"],
}
"""PyJWT reads the machine's clock; the door has the casino's."""

Kind = Literal["launch", "session"]


class Pass(msgspec.Struct, frozen=True):
    """What a token is bound to. `table`: the only one it is good for, if any."""

    player: str
    currency: str
    table: str
    id: str
    expires_at: Micros


class Tokens:
    """Makes tokens under one secret; reads those of the ones before it as well."""

    def __init__(
        self, secret: bytes, once: Once | None = None, before: tuple[bytes, ...] = ()
    ) -> None:
        assert len(secret) >= SECRET_BYTES_MIN, "a secret that can be guessed"
        self._secret = secret
        self._secrets = (secret, *before)
        self._known: OrderedDict[tuple[Kind, str], Pass] = OrderedDict()
        self._once = once or OnceHere()

    def pseudonym(self, text: str) -> str:
        """Stand in for a name: the same wherever the secret is, and telling nothing."""
        said = f"push22.pseudonym {text}".encode()
        return hmac.new(self._secret, said, "sha256").hexdigest()[:8]

    def make(self, kind: Kind, bound: Pass) -> str:
        claims = {
            "aud": f"push22.{kind}",
            "sub": bound.player,
            "cur": bound.currency,
            "tab": bound.table,
            "jti": bound.id,
            "exp": bound.expires_at // _SECOND_US,
        }
        return jwt.encode(claims, self._secret, _ALGORITHM)

    def read(self, kind: Kind, token: str, now: Micros) -> Pass:
        """Return what a token is bound to. Raises Refused."""
        known = kind, token
        bound = self._known.get(known)
        if bound is None:
            bound = self._known[known] = self._verified(kind, token)
            if len(self._known) > _KNOWN_MAX:
                self._known.popitem(last=False)
        if bound.expires_at <= now:
            raise Refused(DoorReason.TOKEN_EXPIRED, f"the {kind} is over")
        return bound

    def _verified(self, kind: Kind, token: str) -> Pass:
        try:
            claims = self._claims(kind, token)
        except (jwt.InvalidTokenError, ValueError, RecursionError) as error:
            raise Refused(DoorReason.UNAUTHENTICATED, f"no {kind} token") from error
        name = (claims["sub"], claims["cur"], claims["tab"], claims["jti"])
        return Pass(*name, int(claims["exp"]) * _SECOND_US)

    def _claims(self, kind: Kind, token: str) -> dict[str, Any]:
        """Read a token under the secret that it was signed with."""
        audience = f"push22.{kind}"
        for secret in self._secrets[:-1]:
            with suppress(jwt.InvalidSignatureError):
                return jwt.decode(
                    token, secret, [_ALGORITHM], audience=audience, options=_READ
                )
        last = self._secrets[-1]
        return jwt.decode(token, last, [_ALGORITHM], audience=audience, options=_READ)

    def use(self, token: str, now: Micros) -> Pass:
        """Trade a launch token in: it is good once. Raises Refused."""
        launch = self.read("launch", token, now)
        if not self._once.take("launch", launch.id, launch.expires_at, now):
            raise Refused(DoorReason.LAUNCH_USED)
        return launch
