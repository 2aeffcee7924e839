"""An operator's rounds and reports: of its own players, whoever else sat there."""

from litestar import get, post
from litestar.concurrency import sync_to_thread
from litestar.params import JSONBody
from msgspec.structs import fields, replace

from contracts import table as t
from contracts.envelope import Actor
from contracts.identities import operator_of, table_of_round
from contracts.reports import NO_ACTIVITY, table_csv
from services.gateway.door import Accepted
from services.gateway.ports import ReportRow
from services.gateway.problems import DoorReason, Refused
from services.gateway.signing import Operator
from services.gateway.web import bodies as b
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.listing import Known, page, story, told
from services.gateway.web.parameters import (
    Grouping,
    Moment,
    PlayerFilter,
    RoundPath,
)
from services.gateway.web.search_filters import TheSearch

TITLE = "Rounds, stakes and payouts"


def known_to(operator: Operator) -> Known:
    """Name the operator's own players as it does; nobody else is known to it."""

    def known(player: str) -> str | None:
        own, _, name = player.partition(".")
        return name if own == operator.name else None

    return known


@get("/rounds", responses=documented(401, 503))
async def rounds(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    search: TheSearch,
    player: PlayerFilter = "",
) -> b.Rounds:
    """List the rounds that the operator's players bet on, newest first."""
    name = f"{operator.name}.{player}" if player else ""
    query = replace(search, operator=operator.name, player=name)
    return await page(door, query, known_to(operator))


@get("/rounds/{round_id:str}", responses=documented(401, 404, 503))
async def round_told(
    door: guards.TheDoor, operator: guards.TheOperator, round_id: RoundPath
) -> b.RoundTold:
    """Tell a round of the operator's players, as a spectator might have seen it."""
    found = await story(door, round_id, "")
    if not any(operator_of(player) == operator.name for player in found.seats.values()):
        raise Refused(DoorReason.NOT_FOUND, round_id)
    return told(found, known_to(operator))


@post(
    "/rounds/{round_id:str}/void",
    status_code=200,
    responses=documented(401, 403, 404, 409, 422, 503, 504),
)
async def void_round(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    command_id: guards.TheCommandId,
    round_id: RoundPath,
    data: JSONBody[b.ReasonGiven],
) -> Accepted:
    """End a round at an own table that cannot be finished; stakes go back."""
    door.own_table(operator, table_of_round(round_id))
    actor = Actor("platform", operator.name)
    return await door.send(t.VoidRound(round_id, data.reason), actor, command_id)


@get("/reports/rounds", responses=documented(401, 503))
async def report(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    since: Moment,
    until: Moment,
    by: Grouping = "day",
) -> b.Report:
    """Add up the closed rounds of an interval, for the operator's players."""
    rows = await sync_to_thread(door.index.report, operator.name, since, until, by)
    in_play = await sync_to_thread(door.index.open_rounds, operator.name, until)
    return b.Report(
        operator.name,
        TITLE,
        since,
        until,
        door.casino.now(),
        by,
        in_play,
        [field.name for field in fields(ReportRow)],
        rows,
        "" if rows else NO_ACTIVITY,
    )


@get("/reports/rounds.csv", media_type="text/csv", responses=documented(401, 503))
async def report_csv(
    door: guards.TheDoor,
    operator: guards.TheOperator,
    *,
    since: Moment,
    until: Moment,
    by: Grouping = "day",
) -> str:
    """Return the same report for a spreadsheet."""
    made = await report.fn(door, operator, since=since, until=until, by=by)
    return table_csv(made, made.fields)


ROUND_ROUTES = (rounds, round_told, void_round, report, report_csv)
