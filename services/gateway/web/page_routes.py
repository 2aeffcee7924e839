"""Players' and support's pages: files read once, that load nothing from elsewhere."""

import hashlib
from pathlib import Path
from typing import Annotated, NamedTuple

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter

from services.gateway.problems import DoorReason, Refused
from services.gateway.web.guards import Asker

ROOT = Path(__file__).parents[1] / "page"

FilePath = Annotated[str, PathParameter()]

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
_REAL, _PLAY = b'data-money="real"', b'data-money="play"'


class Page(NamedTuple):
    """A file as it is sent. A browser asks each time whether its copy is still good."""

    body: bytes
    media_type: str
    tag: str


def page_routes(frame_ancestors: str, *, play_money: bool) -> list[HTTPRouteHandler]:
    """Return the routes of both pages; with play money players are told at once."""
    files = {
        str(path.relative_to(ROOT)): _page(path.read_bytes(), path.suffix)
        for path in sorted(ROOT.rglob("*"))
        if path.suffix in _TYPES
    }
    text = files.pop("index.html").body
    assert _REAL in text
    index = _page(text.replace(_REAL, _PLAY) if play_money else text, ".html")
    desk_page = files.pop("desk.html")
    policy = {"Content-Security-Policy": _POLICY + frame_ancestors}

    @get(["/play", "/play/{table:str}"], include_in_schema=False, sync_to_thread=False)
    def play(request: Asker) -> Response[bytes]:
        return _sent(request, index, policy)

    @get(["/desk", "/desk/{rest:path}"], include_in_schema=False, sync_to_thread=False)
    def desk(request: Asker) -> Response[bytes]:
        return _sent(request, desk_page, policy)

    @get("/static/{name:path}", include_in_schema=False, sync_to_thread=False)
    def static(request: Asker, name: FilePath) -> Response[bytes]:
        found = files.get(name.lstrip("/"))
        if found is None:
            raise Refused(DoorReason.NOT_FOUND, name)
        return _sent(request, found, {})

    return [play, desk, static]


def _page(body: bytes, suffix: str) -> Page:
    return Page(body, _TYPES[suffix], f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def _sent(request: Asker, page: Page, more: dict[str, str]) -> Response[bytes]:
    headers = {"Cache-Control": "no-cache", "ETag": page.tag, **more}
    if request.headers.get("if-none-match") == page.tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(page.body, media_type=page.media_type, headers=headers)
