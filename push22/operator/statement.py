"""Asks an operator what he has of one transaction."""

import asyncio
import secrets
import time
from collections.abc import Sequence

import httpx
import msgspec

from contracts import operator_wallet as ow
from contracts.strict import check_nesting
from push22.operator import signing
from push22.operator.bounded import AS_IT_IS, Misunderstood, bounded
from push22.operator.settings import OperatorSettings

_PATH = "/wallet/v1/transactions/"
_AT_ONCE = 8

Known = ow.KnownTransaction | None
_KNOWN = msgspec.json.Decoder(ow.KnownTransaction)


class NoStatement(Exception):
    """He does not say; the text says why."""


async def all_known(settings: OperatorSettings, names: Sequence[str]) -> list[Known]:
    """Ask for transactions, a few at once; None where he knows none of this id.

    Raises NoStatement.
    """
    turns = asyncio.Semaphore(_AT_ONCE)
    failed: list[NoStatement] = []
    async with httpx.AsyncClient(trust_env=False) as http:

        async def one(name: str) -> Known:
            async with turns:
                try:
                    return None if failed else await _known(http, settings, name)
                except NoStatement as error:
                    failed.append(error)
                    return None

        found = await asyncio.gather(*map(one, names))
    if failed:
        raise failed[0]
    return list(found)


async def _known(
    http: httpx.AsyncClient, settings: OperatorSettings, name: str
) -> Known:
    try:
        async with asyncio.timeout(settings.timeout_ms / 1000):
            code, body = await _asked(http, settings, _PATH + name)
        if code == ow.code_of(ow.Status.NOT_FOUND):
            return None
        if code != ow.code_of(ow.Status.OK):
            raise Misunderstood(f"http_{code}")
        check_nesting(body)
        found = _KNOWN.decode(body)
    except (Misunderstood, TimeoutError, httpx.HTTPError, ValueError) as error:
        raise NoStatement(f"{name}: {error!r}") from error
    if found.transaction_id != name:
        raise NoStatement(f"{name}: he tells of {found.transaction_id!r}")
    return found


async def _asked(
    http: httpx.AsyncClient, settings: OperatorSettings, path: str
) -> tuple[int, bytes]:
    now_ms = time.time_ns() // 1_000_000
    what = signing.Signed("GET", path, now_ms, secrets.token_hex(16))
    secret = settings.key()
    headers = signing.request_headers(settings.key_id, secret, what, b"")
    url = settings.url.rstrip("/") + path
    asking = http.stream("GET", url, headers={**headers, **AS_IT_IS})
    async with asking as response:
        answer = response.status_code, await bounded(response, ow.BODY_BYTES_MAX)
        is_signed = signing.is_answer_signed(
            secret, what.nonce, answer, response.headers
        )
    if settings.answers_signed and not is_signed:
        raise Misunderstood("unsigned")
    return answer
