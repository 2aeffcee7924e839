"""Sends requests until they are answered: the same command under the same key."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode
from uuid import uuid4

import httpx
import msgspec

from push22.client.problems import Garbled, Problem, Refused, Unreachable
from push22.client.retries import PASSING, USUAL, Retries

Answered = TypeVar("Answered")
Credentials = Callable[[httpx.Request], dict[str, str]]

TIMEOUT = httpx.Timeout(15.0, connect=5.0)
"""Longer than the ten seconds after which the door says `no_answer` itself."""

_PROBLEM = "application/problem+json"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request, without what each attempt signs anew.

    `is_repeatable`: twice asked is once done; all but one request are.
    """

    method: str
    path: str
    query: dict[str, Any] = {}
    body: Any = None
    key: str = ""
    is_repeatable: bool = True


class Sender:
    """Asks one door. `credentials` gives the headers that prove who is asking."""

    def __init__(
        self,
        address: str,
        credentials: Credentials,
        *,
        retries: Retries = USUAL,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.address = address.rstrip("/")
        self._credentials = credentials
        self._retries = retries
        self._is_own = http is None
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)

    async def close(self) -> None:
        """Close the connections, if they are this sender's own."""
        if self._is_own:
            await self._http.aclose()

    async def ask(self, asked: Asked, kind: type[Answered]) -> Answered:
        """Return the decoded answer. Raises Refused, Unreachable or Garbled."""
        answer = await self.send(asked)
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Garbled(f"{asked.path}: {error}") from error

    async def send(self, asked: Asked) -> httpx.Response:
        """Return the first answer that no further attempt would change."""
        tried, until = 0, time.monotonic() + self._retries.patience_s
        while True:
            tried += 1
            found = await self._attempt(asked)
            if isinstance(found, httpx.Response) and found.is_success:
                return found
            wait = self._wait(asked, found, tried)
            if wait is None or time.monotonic() + wait > until:
                raise _failed(asked, found)
            await asyncio.sleep(wait)

    async def _attempt(self, asked: Asked) -> httpx.Response | httpx.TransportError:
        try:
            return await self._http.send(self._request(asked))
        except httpx.TransportError as error:
            return error

    def _request(self, asked: Asked) -> httpx.Request:
        given = {name: value for name, value in asked.query.items() if value}
        query = f"?{urlencode(given)}" if given else ""
        content = b"" if asked.body is None else msgspec.json.encode(asked.body)
        url = f"{self.address}{asked.path}{query}"
        request = self._http.build_request(asked.method, url, content=content)
        if asked.body is not None:
            request.headers["Content-Type"] = "application/json"
        if asked.key:
            request.headers["Idempotency-Key"] = asked.key
        request.headers.update(self._credentials(request))
        return request

    def _wait(
        self, asked: Asked, found: httpx.Response | httpx.TransportError, tried: int
    ) -> float | None:
        """Return how long to wait for the next attempt; `None` if there is none."""
        if tried >= self._retries.attempts or not _is_passing(asked, found):
            return None
        asked_s = _asked_s(found) if isinstance(found, httpx.Response) else 0.0
        chance = random.random()  # noqa: S311 - jitter keeps no secret
        return self._retries.wait_s(tried, chance, asked_s)


def _is_passing(asked: Asked, found: httpx.Response | httpx.TransportError) -> bool:
    """Tell whether another attempt may fare better, and can do no harm."""
    if isinstance(found, httpx.Response):
        is_known = found.status_code in (429, 503)
        is_passing = found.status_code in PASSING
        return is_passing and (asked.is_repeatable or is_known)
    never_sent = isinstance(found, httpx.ConnectError | httpx.ConnectTimeout)
    return asked.is_repeatable or never_sent


def _asked_s(answer: httpx.Response) -> float:
    """Return what `Retry-After` asks for in seconds; a date is not the door's way."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0


def _failed(
    asked: Asked, found: httpx.Response | httpx.TransportError
) -> Refused | Unreachable:
    if isinstance(found, httpx.Response):
        return Refused(problem_of(found))
    why = f"{type(found).__name__} {found}".strip()
    return Unreachable(f"{asked.method} {asked.path}: {why}")


def problem_of(answer: httpx.Response) -> Problem:
    """Read the door's problem; what is not the door's own is named by its status."""
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    if kind == _PROBLEM:
        try:
            return msgspec.json.decode(answer.content, type=Problem)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            pass
    return Problem(f"http_{answer.status_code}", answer.status_code)


def new_key() -> str:
    """Return a fresh idempotency key: a command's identity for ever."""
    return uuid4().hex


class Page(Protocol):
    """A part of a list; with `cursor`, if it is not empty, the list goes on."""

    @property
    def cursor(self) -> str: ...


AnyPage = TypeVar("AnyPage", bound=Page)
Line = TypeVar("Line")


async def paged(
    ask: Callable[[str], Awaitable[AnyPage]], lines: Callable[[AnyPage], Iterable[Line]]
) -> AsyncIterator[Line]:
    """Go through a list page by page; a page may be empty and the list go on."""
    cursor = ""
    while True:
        page = await ask(cursor)
        for line in lines(page):
            yield line
        cursor = page.cursor
        if not cursor:
            return
