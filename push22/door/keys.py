"""The identity provider's keys: from a file, or fetched again as it rotates them."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from push22.errors import Failure
from runtime.metrics import GATEWAY_KEYS
from runtime.telemetry import get_logger
from services.gateway.roles import Issuer, read_keys

_log = get_logger("push22.door.keys")

TIMEOUT_S = 5.0
AGAIN_AFTER_S = 30.0
"""Tokens with keys that nobody knows do not make us ask more often."""

FRESH_S = 300.0
"""So soon a key that the provider took away is not believed any more."""

GOOD_S = 24 * 3600.0
"""A provider that cannot be asked for so long vouches for nobody."""

_BYTES_MAX = 256 * 1024


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
        self._fetched_at = float("-inf")
        self._asking = asyncio.Lock()

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

    async def keep_fresh(self) -> None:
        """Fetch keys that are old; those of a provider long away count no more."""
        if not self.is_remote or self._age() < FRESH_S:
            return
        await self.renew(self.issuer)
        if self._age() >= GOOD_S:
            self.issuer.keys = {}

    def _age(self) -> float:
        return self._clock() - self._fetched_at

    async def renew(self, issuer: Issuer) -> bool:
        """Fetch the keys again; tell whether that was done.

        Those who ask meanwhile wait for the same answer.
        """
        if issuer is not self.issuer or not self.is_remote:
            return False
        begun = self._clock()
        async with self._asking:
            if self._fetched_at >= begun:
                return True
            if self._clock() - self._asked_at < AGAIN_AFTER_S:
                return False
            self._asked_at = self._clock()
            return await self._fetch()

    async def _fetch(self) -> bool:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                self.issuer.keys = read_keys(await self._asked())
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError) as error:
            GATEWAY_KEYS.inc()
            _log.warning("the issuer's keys were not fetched", error=repr(error))
            return False
        self._fetched_at = self._clock()
        return True

    async def _asked(self) -> bytes:
        """Return what the provider says, up to a bound."""
        async with (
            httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client,
            client.stream("GET", self._jwks) as answer,
        ):
            answer.raise_for_status()
            body = bytearray()
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > _BYTES_MAX:
                    raise ValueError(f"more than {_BYTES_MAX} bytes")
        return bytes(body)
