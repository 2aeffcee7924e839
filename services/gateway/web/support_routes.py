"""What support asks, each request with a token of the identity provider."""

from litestar import Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.di import Provide
from litestar.params import JSONBody
from msgspec.structs import replace

from contracts import table as t
from contracts.envelope import Actor
from services.gateway.door import Accepted
from services.gateway.problems import DoorReason, Refused
from services.gateway.story import told_to_support
from services.gateway.web import bodies as b
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.listing import page
from services.gateway.web.parameters import (
    IdempotencyKey,
    OperatorFilter,
    RoundPath,
    WholePlayerFilter,
)
from services.gateway.web.report_routes import support_reports
from services.gateway.web.search_filters import TheSearch, asked_for, search_query
from services.gateway.web.viewer_routes import viewer_routes

PREFIX = "/support/v1"


@get("/rounds", guards=[guards.has_role("viewer")], responses=documented(401, 403, 503))
async def rounds(
    door: guards.TheDoor,
    person: guards.ThePerson,
    search: TheSearch,
    *,
    player: WholePlayerFilter = "",
    operator: OperatorFilter = "",
) -> b.Rounds:
    """Find rounds of any operator, newest first. `player`: `<operator>.<player>`."""
    query = replace(search, player=player, operator=operator)
    door.note(person, "search", asked_for(query))
    return await page(door, query, str)


@get(
    "/rounds/{round_id:str}",
    guards=[guards.has_role("viewer")],
    responses=documented(401, 403, 404, 503),
)
async def round_records(
    door: guards.TheDoor, person: guards.ThePerson, round_id: RoundPath
) -> b.RoundRecords:
    """Show a round's records; of an open one, what a spectator might see."""
    door.note(person, "read", round_id)
    records = await sync_to_thread(door.index.records, round_id)
    if not records:
        raise Refused(DoorReason.NOT_FOUND, round_id)
    return b.RoundRecords(round_id, told_to_support(records))


@post(
    "/rounds/{round_id:str}/void",
    status_code=200,
    guards=[guards.has_role("resolver")],
    responses=documented(401, 403, 404, 409, 422, 503, 504),
)
async def void_round(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    round_id: RoundPath,
    data: JSONBody[b.ReasonGiven],
    key: IdempotencyKey = None,
) -> Accepted:
    """End a round that cannot be finished; who ordered it and why is recorded."""
    door.note(person, "void", round_id)
    actor = Actor("support", person.name)
    return await door.send(t.VoidRound(round_id, data.reason), actor, key or "")


@get("/operators", guards=[guards.has_role("admin")], responses=documented(401, 403))
async def operators(door: guards.TheDoor, person: guards.ThePerson) -> b.Operators:
    """List who is configured, by the ids of their keys."""
    door.note(person, "list", "operators")
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
            *(rounds, round_records, void_round, operators),
            *viewer_routes(),
            *support_reports(),
        ],
        dependencies={
            "person": Provide(guards.the_person, sync_to_thread=False),
            "search": Provide(search_query, sync_to_thread=False),
        },
        security=[{"oidc": []}],
        tags=["support"],
    )
