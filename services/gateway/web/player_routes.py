"""What a player's browser asks, each request with a session token."""

from litestar import Router, delete, get, post, put
from litestar.di import Provide
from litestar.params import JSONBody

from contracts import identities
from contracts.round_search import Query
from services.gateway.door import Accepted
from services.gateway.fairness import ShoeRecord
from services.gateway.orders import (
    BetOrder,
    BurnedCardOrder,
    Move,
    MoveOrder,
    OpenedSeed,
    ReadyOrder,
    SeedOrder,
    Wagers,
    WithdrawOrder,
)
from services.gateway.problems import DoorReason, Refused
from services.gateway.tokens import Pass
from services.gateway.told_rules import RulesTold, told_rules
from services.gateway.web import bodies as b
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.listing import (
    Known,
    line_of,
    page,
    place_of,
    proof,
    state_of,
    story,
    told,
)
from services.gateway.web.parameters import (
    BoxPath,
    Cursor,
    IdempotencyKey,
    Limit,
    RoundPath,
    TablePath,
)

PREFIX = "/player/v1"

_ORDER = (401, 403, 404, 409, 422, 503, 504)


def own_name(player: str) -> str:
    return player.partition(".")[2]


def known_to(session: Pass) -> Known:
    """A player knows nobody but himself."""
    return lambda player: own_name(player) if player == session.player else None


@post("/sessions", status_code=201, responses=documented(401))
async def trade_launch(
    request: guards.Asker, door: guards.TheDoor, data: JSONBody[b.LaunchTraded]
) -> b.Session:
    """Trade a launch token in for a session."""
    guards.take_address(request)
    token, bound = door.session(data.launch_token)
    name = own_name(bound.player)
    return b.Session(token, bound.expires_at, name, bound.currency, bound.table)


@get("/me", responses=documented(401))
async def me(door: guards.TheDoor, session: guards.TheSession) -> b.Me:
    """Tell who is playing, and with how much."""
    balance = await door.casino.balance(session.player, session.currency)
    name = own_name(session.player)
    return b.Me(
        name, session.currency, balance.minor, session.table, session.expires_at
    )


@get("/tables", responses=documented(401))
async def tables(door: guards.TheDoor, session: guards.TheSession) -> b.Tables:
    """List the tables that the session may sit at."""
    return b.Tables([line_of(felt) for felt in door.tables_of(session)])


@get("/tables/{table:str}", responses=documented(401, 404))
async def table_state(
    door: guards.TheDoor, session: guards.TheSession, table: TablePath
) -> b.TableState:
    """Show a table as this player sees it."""
    return state_of(door.table_of(session, table), session.player)


@put("/rounds/{round_id:str}/wagers/{box:int}", responses=documented(*_ORDER))
async def bet(  # noqa: PLR0913 - the parts of a bet
    door: guards.TheDoor,
    session: guards.TheSession,
    *,
    round_id: RoundPath,
    box: BoxPath,
    data: JSONBody[Wagers],
    key: IdempotencyKey = None,
) -> Accepted:
    """Bet on a box, or replace the bet there."""
    order = BetOrder(
        round_id=round_id,
        box=box,
        wagers_minor=data.wagers_minor,
        side_wagers_minor=data.side_wagers_minor,
        seed_hash=data.seed_hash,
    )
    return await door.order(session, order, key or "")


@delete(
    "/rounds/{round_id:str}/wagers/{box:int}",
    status_code=200,
    responses=documented(*_ORDER),
)
async def withdraw(
    door: guards.TheDoor,
    session: guards.TheSession,
    *,
    round_id: RoundPath,
    box: BoxPath,
    key: IdempotencyKey = None,
) -> Accepted:
    """Take the bet on a box back."""
    order = WithdrawOrder(round_id=round_id, box=box)
    return await door.order(session, order, key or "")


@post("/rounds/{round_id:str}/ready", status_code=200, responses=documented(*_ORDER))
async def ready(
    door: guards.TheDoor,
    session: guards.TheSession,
    round_id: RoundPath,
    key: IdempotencyKey = None,
) -> Accepted:
    """Say that this player's bets are made."""
    return await door.order(session, ReadyOrder(round_id=round_id), key or "")


@post("/rounds/{round_id:str}/actions", status_code=200, responses=documented(*_ORDER))
async def act(
    door: guards.TheDoor,
    session: guards.TheSession,
    *,
    round_id: RoundPath,
    data: JSONBody[Move],
    key: IdempotencyKey = None,
) -> Accepted:
    """Decide on a box or hand."""
    order = MoveOrder(
        round_id=round_id,
        action=data.action,
        target=data.target,
        amount_minor=data.amount_minor,
        expected_version=data.expected_version,
    )
    return await door.order(session, order, key or "")


@post("/rounds/{round_id:str}/seeds", status_code=200, responses=documented(*_ORDER))
async def open_seed(
    door: guards.TheDoor,
    session: guards.TheSession,
    *,
    round_id: RoundPath,
    data: JSONBody[OpenedSeed],
    key: IdempotencyKey = None,
) -> Accepted:
    """Open the seed whose hash came with the bet."""
    order = SeedOrder(round_id=round_id, box=data.box, seed=data.seed)
    return await door.order(session, order, key or "")


@post(
    "/rounds/{round_id:str}/burned-card",
    status_code=200,
    responses=documented(*_ORDER),
)
async def show_burned_card(
    door: guards.TheDoor,
    session: guards.TheSession,
    round_id: RoundPath,
    key: IdempotencyKey = None,
) -> Accepted:
    """Ask to see the burned card."""
    return await door.order(session, BurnedCardOrder(round_id=round_id), key or "")


@get("/rounds", responses=documented(401, 503))
async def history(
    door: guards.TheDoor,
    session: guards.TheSession,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> b.Rounds:
    """List the player's own rounds, newest first."""
    query = Query(player=session.player, before=place_of(cursor), limit=limit)
    return await page(door, query, known_to(session))


@get("/rounds/{round_id:str}", responses=documented(401, 404, 503))
async def round_told(
    door: guards.TheDoor, session: guards.TheSession, round_id: RoundPath
) -> b.RoundTold:
    """Tell a round that the player bet on, as the player saw it."""
    found = await story(door, round_id, session.player)
    if session.player not in found.seats.values():
        raise Refused(DoorReason.NOT_FOUND, round_id)
    return told(found, known_to(session))


@get("/tables/{table:str}/rules", responses=documented(401, 404))
async def table_rules(
    door: guards.TheDoor, session: guards.TheSession, table: TablePath
) -> RulesTold:
    """Tell a table's rules."""
    felt = door.table_of(session, table)
    view = felt.view(felt.everybody)
    return told_rules(view.rule_set, view.options, view.limits)


@get("/rounds/{round_id:str}/proof", responses=documented(401, 404, 503))
async def round_proof(
    door: guards.TheDoor, session: guards.TheSession, round_id: RoundPath
) -> ShoeRecord:
    """Give a round's open cards with their proofs, as `verify_cards.py` reads them."""
    door.table_of(session, identities.table_of_round(round_id))
    return await proof(door, round_id)


def player_router() -> Router:
    behind_session = Router(
        "/",
        route_handlers=[
            me,
            tables,
            table_state,
            table_rules,
            bet,
            withdraw,
            ready,
            act,
            open_seed,
            show_burned_card,
            history,
            round_told,
            round_proof,
        ],
        guards=[guards.has_session],
        dependencies={"session": Provide(guards.the_session, sync_to_thread=False)},
        security=[{"session": []}],
    )
    return Router(
        PREFIX, route_handlers=[trade_launch, behind_session], tags=["player"]
    )
