"""The round viewer of the dispute desk: a round again, checked, and tried out."""

from typing import TypeVar

import msgspec
from litestar import get, post
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from services.gateway.desk.replay import Replay
from services.gateway.desk.verdict import RoundVerdict
from services.gateway.desk.what_if import ScriptGiven, WhatIf
from services.gateway.problems import DoorReason, Refused
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.masked import masked, masked_replay
from services.gateway.web.parameters import RoundPath

T = TypeVar("T")


class Someone(msgspec.Struct, frozen=True):
    """Who a token is of, and the highest role."""

    name: str
    role: str


@get("/me", guards=[guards.has_role("viewer")], responses=documented(401, 403))
async def signed_in(person: guards.ThePerson) -> Someone:
    """Tell whose token it is."""
    return Someone(person.name, person.role)


@get(
    "/rounds/{round_id:str}/replay",
    guards=[guards.has_role("viewer")],
    responses=documented(401, 403, 404, 409, 503),
)
async def replay(
    door: guards.TheDoor, look: guards.TheLook, round_id: RoundPath
) -> Replay:
    """Return a round to step through, as far as it may be shown."""
    found = await sync_to_thread(door.index.viewer.replay, round_id)
    return await masked_replay(door, look, _there(found, round_id))


@get(
    "/rounds/{round_id:str}/verdict",
    guards=[guards.has_role("viewer")],
    responses=documented(401, 403, 404, 409, 503),
)
async def verdict(
    door: guards.TheDoor, look: guards.TheLook, round_id: RoundPath
) -> RoundVerdict:
    """Execute a round again, and check its chains, cards and gaps."""
    found = await sync_to_thread(door.index.viewer.verdict, round_id)
    return await masked(door, look, round_id, _there(found, round_id))


@post(
    "/what-if",
    status_code=200,
    guards=[guards.has_role("viewer")],
    responses=documented(401, 403, 503),
)
async def what_if(door: guards.TheDoor, data: JSONBody[ScriptGiven]) -> WhatIf:
    """Play a round script at a table of its own; nothing of it is recorded."""
    return await sync_to_thread(door.index.viewer.what_if, data.script)


def _there(found: T | None, round_id: str) -> T:
    if found is None:
        raise Refused(DoorReason.NOT_FOUND, round_id)
    return found


def viewer_routes() -> list[HTTPRouteHandler]:
    return [signed_in, replay, verdict, what_if]
