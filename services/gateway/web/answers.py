"""How answers look: problems, the headers of every answer, and what is documented."""

import re
from typing import Any

import msgspec
from litestar import Litestar, Request, Response
from litestar.enums import ScopeType
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
)
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from runtime.metrics import GATEWAY_FAILURES
from runtime.telemetry import get_logger
from services.gateway.in_words import in_words
from services.gateway.ports import NotAvailable
from services.gateway.problems import (
    MEDIA_TYPE,
    DoorReason,
    Problem,
    Refused,
    problem,
)

_log = get_logger("services.gateway.web")

Asker = Request[Any, Any, Any]

_MISSING = re.compile(r"Missing required (\w+) parameter '([^']+)'")
"""How Litestar words it; the path that follows is the asker's own."""

_KEY = ("key", "header")

_GONE = "client disconnected prematurely"
"""And so a client that left before its body was whole: no failure of ours."""

_BY_STATUS = {
    400: DoorReason.MALFORMED,
    401: DoorReason.UNAUTHENTICATED,
    403: DoorReason.FORBIDDEN,
    404: DoorReason.NOT_FOUND,
    405: DoorReason.WRONG_METHOD,
    413: DoorReason.TOO_LARGE,
}


def answer(
    request: Asker, found: Problem, headers: dict[str, str] | None = None
) -> Response[bytes]:
    del request
    return Response(
        msgspec.json.encode(found),
        status_code=found.status,
        media_type=MEDIA_TYPE,
        headers=headers,
    )


def refused(request: Asker, error: Refused) -> Response[bytes]:
    headers = {"Retry-After": str(error.retry_s)} if error.retry_s else None
    return answer(request, error.problem, headers)


def not_available(request: Asker, error: NotAvailable) -> Response[bytes]:
    found = problem(DoorReason.NOT_AVAILABLE, str(error))
    return answer(request, found, {"Retry-After": "1"})


def http_error(request: Asker, error: HTTPException) -> Response[bytes]:
    """What Litestar itself refuses: paths, methods, parameters and bodies."""
    if isinstance(error, NotFoundException):
        return answer(request, problem(DoorReason.NOT_FOUND))
    if isinstance(error, MethodNotAllowedException):
        found = problem(DoorReason.WRONG_METHOD)
        return answer(request, found, dict(error.headers or {}))
    if error.detail == _GONE:
        return answer(request, problem(DoorReason.MALFORMED, "the body ends too soon"))
    reason = _BY_STATUS.get(error.status_code)
    if reason is None:
        return failed(request, error)
    return answer(request, problem(reason, _detail(error)))


def never_html(response: Response[Any]) -> Response[Any]:
    """Litestar has a page of its own for documents that are not there."""
    if response.status_code != 404:
        return response
    found = msgspec.json.encode(problem(DoorReason.NOT_FOUND))
    return Response(found, status_code=404, media_type=MEDIA_TYPE)


def _detail(error: HTTPException) -> str:
    """Name each parameter that is not what it should be, and nothing of ours."""
    missing = _MISSING.match(error.detail)
    if missing is not None:
        return f"{missing[2]}: missing, a {missing[1]} parameter"
    extra = error.extra if isinstance(error.extra, list) else []
    named = (
        in_words(str(item.get("message", "")), _field(item))
        for item in extra
        if isinstance(item, dict)
    )
    return "; ".join(named)[:500]


def _field(item: dict[str, Any]) -> str:
    """Name a parameter as the asker has to write it."""
    name = str(item.get("key", "body"))
    return "Idempotency-Key" if (name, item.get("source")) == _KEY else name


def failed(request: Asker, error: Exception) -> Response[bytes]:
    """A bug of ours: counted and logged whole, told to nobody outside."""
    GATEWAY_FAILURES.inc()
    _log.error("a request failed", path=request.url.path, exc_info=error)
    found = Problem("urn:push22:failed", "failed", 500, "failed")
    return answer(request, found)


_WORDS = {
    400: (DoorReason.MALFORMED, "not what the route takes"),
    401: (DoorReason.UNAUTHENTICATED, "no credentials, or wrong ones"),
    403: (DoorReason.FORBIDDEN, "known, but not allowed"),
    404: (DoorReason.NOT_FOUND, "no such thing, or not yours"),
    409: (DoorReason.STALE_VERSION, "the state of things does not allow it"),
    413: (DoorReason.TOO_LARGE, "the body is too large"),
    422: ("invalid_amount", "this can never be right"),
    429: (DoorReason.TOO_MANY_REQUESTS, "wait for Retry-After seconds"),
    503: (DoorReason.NOT_AVAILABLE, "cannot be asked now"),
    504: (DoorReason.NO_ANSWER, "not known yet: ask again with the same id"),
}


def documented(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the problems that a route answers with, for OpenAPI."""
    return {
        status: ResponseSpec(
            data_container=Problem,
            description=_WORDS[status][1],
            generate_examples=False,
            media_type=MEDIA_TYPE,
            examples=[Example(value=_example(status))],
        )
        for status in sorted({400, 413, 429, *statuses})
    }


def _example(status: int) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(problem(_WORDS[status][0]))
    return found


class Headers:
    """Adds to every answer what keeps browsers from doing harm with it.

    `through`: what stands between this and the application.
    """

    def __init__(
        self, app: Litestar, frame_ancestors: str, *, through: ASGIApp
    ) -> None:
        self.app = app
        self._through = through
        headers = {
            "Content-Security-Policy": (
                f"default-src 'none'; frame-ancestors {frame_ancestors}"
            ),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
            "Cache-Control": "no-store",
        }
        self._headers = [
            (name.lower().encode(), value.encode()) for name, value in headers.items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._through(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message["headers"])
                names = {name.lower() for name, _ in given}
                given += [item for item in self._headers if item[0] not in names]
                message["headers"] = given
            await send(message)

        await self._through(scope, receive, with_headers)
