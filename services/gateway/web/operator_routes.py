"""What an operator's servers ask, each request signed."""

from litestar import Router, get, post, put
from litestar.di import Provide
from litestar.params import JSONBody

from contracts import table as t
from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.envelope import Actor
from services.gateway.door import Accepted, Launch
from services.gateway.problems import DoorReason, Refused
from services.gateway.signing import Operator
from services.gateway.usual_limits import usual_limits
from services.gateway.web import bodies as b
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.call_routes import own_calls
from services.gateway.web.listing import line_of, state_of
from services.gateway.web.operator_rounds import ROUND_ROUTES
from services.gateway.web.parameters import CurrencyQuery, PlayerPath, TablePath
from services.gateway.web.report_routes import operator_reports
from services.gateway.web.search_filters import search_query

PREFIX = "/operator/v1"

_COMMAND = (401, 403, 404, 409, 422, 503, 504)


def actor_of(operator: Operator) -> Actor:
    return Actor("platform", operator.name)


@post("/launches", status_code=201, responses=documented(*_COMMAND))
async def launch(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    command_id: guards.TheCommandId,
    data: JSONBody[b.LaunchAsked],
) -> Launch:
    """Let a player in: a token that is good for one session within two minutes.

    With a `wallet_token` his wallet is the operator's own from now on.
    """
    made = door.launch(operator, data.player, data.currency, data.table)
    if data.wallet_token:
        name = door.player_of(operator, data.player)
        command = c.OpenSession(name, data.currency, data.wallet_token)
        await door.send(command, actor_of(operator), command_id)
    return made


@get("/tables", responses=documented(401))
async def tables(door: guards.TheDoor, operator: guards.TheOperator) -> b.Tables:
    """List the operator's own tables and the house's."""
    return b.Tables(
        [
            line_of(felt, is_own=felt.owner == operator.name)
            for felt in door.operators_tables(operator)
        ]
    )


@post("/tables", status_code=201, responses=documented(*_COMMAND))
async def open_table(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    command_id: guards.TheCommandId,
    data: JSONBody[b.TableAsked],
) -> Accepted:
    """Open a table. It is the operator's own: only its players sit there."""
    door.check_currency(operator, data.currency)
    command = t.OpenTable(
        table=data.table,
        rule_set=data.rule_set,
        currency=data.currency,
        options=data.options,
        limits=data.limits or usual_limits(data.rule_set),
        timings=data.timings,
    )
    return await door.send(command, actor_of(operator), command_id)


@get("/tables/{table:str}", responses=documented(401, 404))
async def table_state(
    door: guards.TheDoor, operator: guards.TheOperator, table: TablePath
) -> b.TableState:
    """Show a table as a spectator sees it."""
    return state_of(door.operators_table(operator, table), "")


@post("/tables/{table:str}/close", status_code=200, responses=documented(*_COMMAND))
async def close_table(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    command_id: guards.TheCommandId,
    table: TablePath,
    data: JSONBody[b.ReasonGiven],
) -> Accepted:
    """Take no new rounds; the round in play is finished."""
    door.own_table(operator, table)
    command = t.CloseTable(table, data.reason)
    return await door.send(command, actor_of(operator), command_id)


@put("/tables/{table:str}/limits", responses=documented(*_COMMAND))
async def change_limits(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    command_id: guards.TheCommandId,
    table: TablePath,
    data: JSONBody[b.LimitsAsked],
) -> Accepted:
    """Post new limits, from the next round on."""
    door.own_table(operator, table)
    limits = t.TableLimits(data.min_minor, data.max_minor, data.side_min_minor)
    command = t.ChangeLimits(table, limits)
    return await door.send(command, actor_of(operator), command_id)


@get("/players/{player:str}/balance", responses=documented(401, 403, 404))
async def balance(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    player: PlayerPath,
    currency: CurrencyQuery,
) -> b.Balance:
    """Tell a player's balance; who never had any money here is not found."""
    door.check_currency(operator, currency)
    name = door.player_of(operator, player)
    if not await door.casino.has_wallet(name, currency):
        raise Refused(DoorReason.NOT_FOUND, player)
    found = await door.casino.balance(name, currency)
    return b.Balance(player, currency, found.minor)


@post(
    "/players/{player:str}/deposits", status_code=201, responses=documented(*_COMMAND)
)
async def deposit(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    command_id: guards.TheCommandId,
    player: PlayerPath,
    data: JSONBody[b.MoneyMoved],
) -> Accepted:
    """Put money into a player's account."""
    door.check_currency(operator, data.currency)
    name = door.player_of(operator, player)
    command = w.Deposit(name, data.currency, data.amount_minor, data.reference)
    return await door.send(command, actor_of(operator), command_id)


@post(
    "/players/{player:str}/withdrawals",
    status_code=201,
    responses=documented(*_COMMAND),
)
async def withdraw(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    command_id: guards.TheCommandId,
    player: PlayerPath,
    data: JSONBody[b.MoneyMoved],
) -> Accepted:
    """Take money out of a player's account."""
    door.check_currency(operator, data.currency)
    name = door.player_of(operator, player)
    command = w.Withdraw(name, data.currency, data.amount_minor, data.reference)
    return await door.send(command, actor_of(operator), command_id)


def operator_router() -> Router:
    return Router(
        PREFIX,
        route_handlers=[
            launch,
            tables,
            open_table,
            table_state,
            close_table,
            change_limits,
            balance,
            deposit,
            withdraw,
            own_calls,
            *ROUND_ROUTES,
            *operator_reports(),
        ],
        guards=[guards.signed_by_operator],
        dependencies={
            "operator": Provide(guards.the_operator, sync_to_thread=False),
            "command_id": Provide(guards.operators_command_id, sync_to_thread=False),
            "search": Provide(search_query, sync_to_thread=False),
        },
        security=[{"key": [], "time": [], "nonce": [], "signature": []}],
        tags=["operator"],
    )
