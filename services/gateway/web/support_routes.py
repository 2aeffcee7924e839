"""What support asks, each request with a token of the identity provider."""

from litestar import Router, get
from litestar.concurrency import sync_to_thread
from litestar.di import Provide
from msgspec.structs import replace

from services.gateway.problems import DoorReason, Refused
from services.gateway.story import told_to_support
from services.gateway.web import bodies as b
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.call_routes import SUPPORT_CALLS
from services.gateway.web.case_routes import case_routes
from services.gateway.web.evidence_routes import evidence_routes
from services.gateway.web.listing import page
from services.gateway.web.masked import masked, masked_rounds
from services.gateway.web.parameters import (
    OperatorFilter,
    RoundPath,
    WholePlayerFilter,
)
from services.gateway.web.report_routes import support_reports
from services.gateway.web.search_filters import TheSearch, search_query
from services.gateway.web.viewer_routes import viewer_routes

PREFIX = "/support/v1"


@get("/rounds", guards=[guards.has_role("viewer")], responses=documented(401, 403, 503))
async def rounds(
    door: guards.TheDoor,
    look: guards.TheLook,
    search: TheSearch,
    *,
    player: WholePlayerFilter = "",
    operator: OperatorFilter = "",
) -> b.Rounds:
    """Find rounds of any operator, newest first. `player`: `<operator>.<player>`."""
    query = replace(search, player=player, operator=operator)
    return await masked_rounds(door, look, await page(door, query, str))


@get(
    "/rounds/{round_id:str}",
    guards=[guards.has_role("viewer")],
    responses=documented(401, 403, 404, 503),
)
async def round_records(
    door: guards.TheDoor, look: guards.TheLook, round_id: RoundPath
) -> b.RoundRecords:
    """Show a round's records; of an open one, what a spectator might see."""
    records = await sync_to_thread(door.index.records, round_id)
    if not records:
        raise Refused(DoorReason.NOT_FOUND, round_id)
    told = b.RoundRecords(round_id, told_to_support(records))
    return await masked(door, look, round_id, told)


@get("/operators", guards=[guards.has_role("admin")], responses=documented(401, 403))
async def operators(door: guards.TheDoor) -> b.Operators:
    """List who is configured, by the ids of their keys."""
    return b.Operators(
        [
            b.OperatorLine(name, list(found.currencies), sorted(found.keys))
            for name, found in sorted(door.signatures.operators.items())
        ]
    )


def support_router() -> Router:
    return Router(
        PREFIX,
        route_handlers=[
            *(rounds, round_records, operators),
            *SUPPORT_CALLS,
            *case_routes(),
            *evidence_routes(),
            *viewer_routes(),
            *support_reports(),
        ],
        dependencies={
            "person": Provide(guards.the_person, sync_to_thread=False),
            "look": Provide(guards.the_look, sync_to_thread=False),
            "search": Provide(search_query, sync_to_thread=False),
        },
        security=[{"oidc": []}],
        tags=["support"],
    )
