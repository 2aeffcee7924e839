"""What is owed to operators who keep their players' money, and trying it again."""

from typing import Annotated

from litestar import get, post
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from contracts.envelope import Actor
from contracts.wallet_calls import RetryCall
from services.gateway.door import Accepted
from services.gateway.web import bodies as b
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.masked import masked_calls
from services.gateway.web.parameters import IdempotencyKey

CallPath = Annotated[str, PathParameter(pattern=r"^[0-9a-f-]{36}$")]
OperatorFilter = Annotated[str, QueryParameter(pattern=r"^([a-z0-9][a-z0-9_]{0,31})?$")]


@get("/calls", responses=documented(401, 503))
async def own_calls(door: guards.TheDoor, operator: guards.TheOperator) -> b.Calls:
    """List what we owe you and have not got through to you; alarms come first."""
    return b.Calls(await sync_to_thread(door.index.owed_calls, operator.name))


@get("/calls", guards=[guards.has_role("viewer")], responses=documented(401, 403, 503))
async def calls(
    door: guards.TheDoor, look: guards.TheLook, operator: OperatorFilter = ""
) -> b.Calls:
    """List what is owed to operators; what needs a person comes first."""
    found = await sync_to_thread(door.index.owed_calls, operator)
    return b.Calls(await masked_calls(door, look, found))


@post(
    "/calls/{call:str}/retry",
    status_code=200,
    guards=[guards.has_role("resolver")],
    responses=documented(401, 403, 404, 409, 422, 503, 504),
)
async def retry_call(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    call: CallPath,
    data: JSONBody[b.WalletNamed],
    key: IdempotencyKey = None,
) -> Accepted:
    """Make the next attempt of a call now; who asked for it is recorded."""
    command = RetryCall(data.player, data.currency, call)
    return await door.send(command, Actor("support", person.name), key or "")


SUPPORT_CALLS: list[HTTPRouteHandler] = [calls, retry_call]
