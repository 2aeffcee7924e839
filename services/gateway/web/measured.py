"""Times requests by route, and has each traced: by its template, never by its path."""

from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import Histogram

from runtime.metrics import ANSWERED, FAILED, REQUEST_SECONDS, Stopwatch
from runtime.tracing import ASKED, CURRENT, Asked, Route

UNKNOWN = "unknown"
"""A path or a method that is none of ours: anybody may think of more of them."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_FAILED = 500
"""What a client gets that is answered nothing."""

_APART = frozenset({UNKNOWN, "/live", "/ready"})
"""What nobody plays or works by: a probe's 503 at the start is no outage."""


def note_answer(status: int) -> None:
    """Count what a client got from the door: what is not up to him is a failure."""
    (ANSWERED if status < _FAILED else FAILED).inc()


class Measured:
    """Stands before the routes; what is not HTTP goes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._timed: dict[Route, Histogram] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        status = _FAILED

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        stopwatch = Stopwatch()
        asked = None
        if CURRENT.tracer is not None:
            asked = Asked()
            ASKED.set(asked)
        try:
            await self.app(scope, receive, noting)
        finally:
            self._note(scope, status, stopwatch.seconds(), asked)

    def _note(
        self, scope: Any, status: int, seconds: float, asked: Asked | None
    ) -> None:
        method = scope["method"]
        template = scope.get("path_template") or UNKNOWN
        known = method if method in _METHODS else UNKNOWN
        route = Route(known, template, status)
        timed = self._timed.get(route)
        if timed is None:
            labels = (template, known, str(status))
            timed = self._timed[route] = REQUEST_SECONDS.labels(*labels)
        timed.observe(seconds)
        if template not in _APART:
            note_answer(status)
        if asked is not None and (tracer := CURRENT.tracer) is not None:
            tracer.requested(asked, route)
