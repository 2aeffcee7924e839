"""The application: routes, documents, headers, limits and how errors are answered."""

from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from contracts import strict
from services.gateway.door import Door
from services.gateway.in_words import in_words
from services.gateway.ports import NotAvailable
from services.gateway.problems import DoorReason, Refused
from services.gateway.roles import Keeper, KeptInFiles
from services.gateway.web import bodies as b
from services.gateway.web import guards
from services.gateway.web.answers import (
    Headers,
    failed,
    http_error,
    never_html,
    not_available,
    refused,
)
from services.gateway.web.measured import Measured
from services.gateway.web.operator_routes import operator_router
from services.gateway.web.page_routes import page_routes
from services.gateway.web.player_routes import player_router
from services.gateway.web.socket import player_socket
from services.gateway.web.support_routes import support_router

BODY_BYTES_MAX = 64 * 1024
_NESTING_MAX = 32


class Settings(msgspec.Struct, frozen=True):
    """`frame_ancestors`: who may show the pages in a frame, as CSP has it."""

    version: str
    frame_ancestors: str = "'none'"
    play_money: bool = False


_UNAVAILABLE = {
    503: ResponseSpec(b.Health, description="not now", generate_examples=False)
}


@cache
def _decoder_of(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


async def strict_body(request: Request[Any, Any, Any]) -> None:
    """Nothing that a body says may have two readings, and a text is no number.

    Litestar itself would take "1000" for 1000.
    """
    if request.method not in ("POST", "PUT"):
        return
    body = await request.body()
    try:
        strict.check_nesting(body, _NESTING_MAX)
        field = request.route_handler.parsed_data_field
        if field is not None:
            strict.check_names(body)
            _decoder_of(field.annotation).decode(body)
    except (strict.NotStrict, msgspec.MsgspecError) as error:
        raise Refused(DoorReason.MALFORMED, in_words(str(error))[:200]) from error


@get("/live", tags=["health"], responses=_UNAVAILABLE)
async def live(door: guards.TheDoor) -> Response[b.Health]:
    """Tell whether work gets done."""
    return _health(is_good=door.casino.is_well())


@get("/ready", tags=["health"], responses=_UNAVAILABLE)
async def ready(door: guards.TheDoor) -> Response[b.Health]:
    """Tell whether all that is known of is handled."""
    return _health(is_good=door.casino.is_well() and door.casino.is_ready())


@get("/openapi.json", include_in_schema=False, sync_to_thread=False)
def document(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Describe every route."""
    return request.app.openapi_schema.to_schema()


def _health(*, is_good: bool) -> Response[b.Health]:
    found = b.Health("ok" if is_good else "unavailable")
    return Response(found, status_code=200 if is_good else 503)


def application(
    door: Door,
    settings: Settings,
    *,
    keeper: Keeper | None = None,
) -> Headers:
    """Return the ASGI application of a door."""
    found = routes(door, settings, keeper or KeptInFiles())
    return Headers(found, settings.frame_ancestors, through=Measured(found))


def routes(door: Door, settings: Settings, keeper: Keeper) -> Litestar:
    return Litestar(
        route_handlers=[
            live,
            ready,
            document,
            operator_router(),
            player_router(),
            support_router(),
            player_socket,
            *page_routes(settings.frame_ancestors, play_money=settings.play_money),
        ],
        dependencies={"door": Provide(guards.the_door, sync_to_thread=False)},
        before_request=strict_body,
        exception_handlers={
            Refused: refused,
            NotAvailable: not_available,
            HTTPException: http_error,
            Exception: failed,
        },
        openapi_config=_openapi(settings),
        logging_config=None,
        request_max_body_size=BODY_BYTES_MAX,
        state=State({"door": door, "keeper": keeper, "present": {}}),
    )


def _openapi(settings: Settings) -> OpenAPIConfig:
    signed = {
        name: SecurityScheme(
            type="apiKey", name=f"Push22-{name.title()}", security_scheme_in="header"
        )
        for name in ("key", "time", "nonce", "signature")
    }
    bearer = {
        "session": SecurityScheme(type="http", scheme="bearer"),
        "oidc": SecurityScheme(type="http", scheme="bearer", bearer_format="JWT"),
    }
    return OpenAPIConfig(
        title="Push22",
        version=settings.version,
        description="Blackjack Switch tables for casino platforms.",
        openapi_router=Router(
            "/documents",
            route_handlers=[],
            include_in_schema=False,
            after_request=never_html,
        ),
        render_plugins=[JsonRenderPlugin()],
        components=Components(security_schemes={**signed, **bearer}),
    )
