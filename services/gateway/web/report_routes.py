"""Statements of players and reports by rule set, for operators and for support."""

from litestar import get
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler

from contracts.reports import Performance, Statement, to_csv
from services.gateway.door import Door
from services.gateway.problems import DoorReason, Refused
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.parameters import (
    CurrencyQuery,
    Moment,
    OperatorFilter,
    PlayerPath,
    WholePlayerPath,
)

_CSV = "text/csv"
_READ = [guards.has_role("viewer")]
_SUPPORT = documented(401, 403, 404, 503)
_OPERATOR = documented(401, 404, 503)


async def _statement(
    door: Door, player: str, currency: str, span: tuple[int, int]
) -> Statement:
    """Return a statement up to now or an earlier time. Raises Refused."""
    now = door.casino.now()
    asked = (player, currency, (span[0], span[1] or now), now)
    found = await sync_to_thread(door.index.statement, *asked)
    if found is None:
        raise Refused(DoorReason.NOT_FOUND, f"{player} has no wallet in {currency}")
    return found


async def _performance(door: Door, operator: str, span: tuple[int, int]) -> Performance:
    now = door.casino.now()
    asked = (operator, (span[0], span[1] or now), now)
    return await sync_to_thread(door.index.performance, *asked)


@get("/players/{player:str}/statement", responses=_OPERATOR)
async def own_statement(  # noqa: PLR0913 - which player, and which interval
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    player: PlayerPath,
    currency: CurrencyQuery,
    since: Moment = 0,
    until: Moment = 0,
) -> Statement:
    """Tell a player's money from the opening to the closing balance; life to date."""
    name = f"{operator.name}.{player}"
    return await _statement(door, name, currency, (since, until))


@get("/players/{player:str}/statement.csv", media_type=_CSV, responses=_OPERATOR)
async def own_statement_csv(  # noqa: PLR0913 - which player, and which interval
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    player: PlayerPath,
    currency: CurrencyQuery,
    since: Moment = 0,
    until: Moment = 0,
) -> str:
    """Return the same statement for a spreadsheet."""
    name = f"{operator.name}.{player}"
    return to_csv(await _statement(door, name, currency, (since, until)))


@get("/reports/performance", responses=documented(401, 503))
async def own_performance(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    since: Moment = 0,
    until: Moment = 0,
) -> Performance:
    """Report stakes, payouts and returns by rule set, of the operator's players."""
    return await _performance(door, operator.name, (since, until))


@get("/reports/performance.csv", media_type=_CSV, responses=documented(401, 503))
async def own_performance_csv(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    since: Moment = 0,
    until: Moment = 0,
) -> str:
    """Return the same report for a spreadsheet."""
    return to_csv(await _performance(door, operator.name, (since, until)))


@get("/players/{player:str}/statement", guards=_READ, responses=_SUPPORT)
async def statement(
    door: guards.TheDoor,
    *,
    player: WholePlayerPath,
    currency: CurrencyQuery,
    since: Moment = 0,
    until: Moment = 0,
) -> Statement:
    """Tell the money of a player, `<operator>.<player>`; life to date."""
    return await _statement(door, player, currency, (since, until))


@get(
    "/players/{player:str}/statement.csv",
    guards=_READ,
    media_type=_CSV,
    responses=_SUPPORT,
)
async def statement_csv(
    door: guards.TheDoor,
    *,
    player: WholePlayerPath,
    currency: CurrencyQuery,
    since: Moment = 0,
    until: Moment = 0,
) -> str:
    """Return the same statement for a spreadsheet."""
    return to_csv(await _statement(door, player, currency, (since, until)))


@get("/reports/performance", guards=_READ, responses=documented(401, 403, 503))
async def performance(
    door: guards.TheDoor,
    *,
    operator: OperatorFilter = "",
    since: Moment = 0,
    until: Moment = 0,
) -> Performance:
    """Report stakes, payouts and returns by rule set; of one operator, or of all."""
    return await _performance(door, operator, (since, until))


@get(
    "/reports/performance.csv",
    guards=_READ,
    media_type=_CSV,
    responses=documented(401, 403, 503),
)
async def performance_csv(
    door: guards.TheDoor,
    *,
    operator: OperatorFilter = "",
    since: Moment = 0,
    until: Moment = 0,
) -> str:
    """Return the same report for a spreadsheet."""
    return to_csv(await _performance(door, operator, (since, until)))


def operator_reports() -> list[HTTPRouteHandler]:
    return [own_statement, own_statement_csv, own_performance, own_performance_csv]


def support_reports() -> list[HTTPRouteHandler]:
    return [statement, statement_csv, performance, performance_csv]
