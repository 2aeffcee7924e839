"""The identity provider's keys: from a file, or fetched again as it rotates them."""

import time
from collections.abc import Callable
from pathlib import Path

import httpx

from push22.errors import Failure
from runtime.telemetry import get_logger
from services.gateway.roles import Issuer, read_keys

_log = get_logger("push22.door.keys")

_TIMEOUT_S = 5.0
_AGAIN_AFTER_S = 30.0
"""Tokens with keys that nobody knows do not make us ask more often."""


class Provider:
    """An issuer and where its keys are."""

    def __init__(
        self,
        issuer: Issuer,
        jwks: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.issuer = issuer
        self._jwks = jwks
        self._clock = clock
        self._asked_at = float("-inf")

    def read_file(self) -> None:
        """Read the keys where they lie in a file. Raises Failure."""
        if self.is_remote:
            return
        try:
            self.issuer.keys = read_keys(Path(self._jwks).read_text())
        except (OSError, ValueError) as error:
            raise Failure("--oidc-jwks", str(error), exit_code=2) from error

    @property
    def is_remote(self) -> bool:
        return self._jwks.startswith(("https://", "http://"))

    async def renew(self, issuer: Issuer) -> bool:
        """Fetch the keys again; tell whether that was done."""
        is_due = self._clock() - self._asked_at >= _AGAIN_AFTER_S
        if issuer is not self.issuer or not self.is_remote or not is_due:
            return False
        self._asked_at = self._clock()
        try:
            async with httpx.AsyncClient(timeout=_TIMEOUT_S) as client:
                answer = await client.get(self._jwks)
            answer.raise_for_status()
            self.issuer.keys = read_keys(answer.text)
        except (httpx.HTTPError, ValueError) as error:
            _log.warning("the issuer's keys were not fetched", error=repr(error))
            return False
        return True
