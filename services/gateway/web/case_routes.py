"""Cases of the dispute desk, and who looked at what.

Every answer about a case is the case as it stands after what was asked.
"""

from typing import Annotated, Literal

from litestar import get, post
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from contracts import desk as d
from services.gateway.cases import AccessQuery, CaseQuery, CaseTold
from services.gateway.web import bodies, guards
from services.gateway.web import case_bodies as b
from services.gateway.web.answers import documented
from services.gateway.web.asking import Asking
from services.gateway.web.listing import cursor_at, place_of
from services.gateway.web.masked import masked_case, masked_rows
from services.gateway.web.parameters import (
    CasePath,
    Cursor,
    IdempotencyKey,
    Limit,
    Moment,
    RoundFilter,
    RoundPath,
)

ProposalPath = Annotated[int, PathParameter(ge=1, le=10_000)]
CaseFilter = Annotated[str, QueryParameter(pattern=r"^[a-z0-9_-]{0,90}$")]
PersonFilter = Annotated[str, QueryParameter(max_length=300)]
Standing = Annotated[Literal["open", "closed", "waiting"] | None, QueryParameter()]

_ERRORS = documented(401, 403, 404, 409, 422, 503, 504)
_RESOLVER = guards.has_role("resolver")


@get("/cases", guards=[guards.has_role("viewer")], responses=documented(401, 403, 503))
async def cases(  # noqa: PLR0913 - each is a way to search
    door: guards.TheDoor,
    look: guards.TheLook,
    *,
    round_id: RoundFilter = "",
    status: Standing = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> b.Cases:
    """List cases, newest first. `waiting`: for a second person's word."""
    query = CaseQuery(
        round_id=round_id,
        status=status or "",
        before=place_of(cursor),
        limit=limit,
    )
    rows = await sync_to_thread(door.index.cases.find, query)
    is_full = len(rows) == limit
    last = cursor_at(rows[-1].opened_at, rows[-1].case) if is_full else ""
    return b.Cases(await masked_rows(door, look, rows), last)


@post("/cases", guards=[_RESOLVER], responses=_ERRORS)
async def open_case(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    data: JSONBody[b.CaseAsked],
    key: IdempotencyKey = None,
) -> CaseTold:
    """Open a case about a round."""
    asking = Asking(door, person, key or "")
    case = await asking.open(data.round_id, data.subject, data.player or "")
    return await asking.case(case)


@get(
    "/cases/{case:str}",
    guards=[guards.has_role("viewer")],
    responses=documented(401, 403, 404, 503),
)
async def read_case(
    door: guards.TheDoor, look: guards.TheLook, case: CasePath
) -> CaseTold:
    """Show a case: what was proposed, what came of it, and all that was said."""
    found = await Asking(door, look.person, "").case(case)
    return await masked_case(door, look, found)


@post("/cases/{case:str}/notes", guards=[_RESOLVER], responses=_ERRORS)
async def add_note(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    case: CasePath,
    data: JSONBody[b.NoteGiven],
    key: IdempotencyKey = None,
) -> CaseTold:
    """Add a note; it stays as it was written."""
    asking = Asking(door, person, key or "")
    await asking.send(d.AddNote, case=case, text=data.text)
    return await asking.case(case)


@post("/cases/{case:str}/void", guards=[_RESOLVER], responses=_ERRORS)
async def propose_void(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    case: CasePath,
    data: JSONBody[b.VoidAsked],
    key: IdempotencyKey = None,
) -> CaseTold:
    """Propose to void the case's round."""
    asking = Asking(door, person, key or "")
    await asking.propose_void(case, data.reason)
    return await asking.case(case)


@post("/cases/{case:str}/corrections", guards=[_RESOLVER], responses=_ERRORS)
async def propose_correction(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    case: CasePath,
    data: JSONBody[b.CorrectionAsked],
    key: IdempotencyKey = None,
) -> CaseTold:
    """Propose to pay a player, or to take back."""
    asking = Asking(door, person, key or "")
    await asking.propose_correction(case, data)
    return await asking.case(case)


@post(
    "/cases/{case:str}/proposals/{proposal:int}/approve",
    status_code=200,
    guards=[_RESOLVER],
    responses=_ERRORS,
)
async def approve(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    case: CasePath,
    proposal: ProposalPath,
    key: IdempotencyKey = None,
) -> CaseTold:
    """Approve what somebody else proposed: it is carried out."""
    asking = Asking(door, person, key or "")
    await asking.send(d.ApproveProposal, case=case, proposal=proposal)
    return await asking.case(case)


@post(
    "/cases/{case:str}/proposals/{proposal:int}/reject",
    status_code=200,
    guards=[_RESOLVER],
    responses=_ERRORS,
)
async def reject(  # noqa: PLR0913 - each is a part of the request
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    case: CasePath,
    proposal: ProposalPath,
    data: JSONBody[bodies.ReasonGiven],
    key: IdempotencyKey = None,
) -> CaseTold:
    """Reject a proposal, or take one's own back."""
    asking = Asking(door, person, key or "")
    why = data.reason
    await asking.send(d.RejectProposal, case=case, proposal=proposal, reason=why)
    return await asking.case(case)


@post("/cases/{case:str}/close", status_code=200, guards=[_RESOLVER], responses=_ERRORS)
async def close_case(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    case: CasePath,
    data: JSONBody[b.ResolutionGiven],
    key: IdempotencyKey = None,
) -> CaseTold:
    """Close a case in which nothing is under way."""
    asking = Asking(door, person, key or "")
    await asking.send(d.CloseCase, case=case, resolution=data.resolution)
    return await asking.case(case)


@post("/rounds/{round_id:str}/void", guards=[_RESOLVER], responses=_ERRORS)
async def void_round(
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    round_id: RoundPath,
    data: JSONBody[bodies.ReasonGiven],
    key: IdempotencyKey = None,
) -> CaseTold:
    """Open a case and propose to void its round, in one request."""
    asking = Asking(door, person, key or "")
    return await asking.case(await asking.void(round_id, data.reason))


@get("/access", guards=[guards.has_role("admin")], responses=documented(401, 403, 503))
async def access(  # noqa: PLR0913 - each is a way to search
    door: guards.TheDoor,
    *,
    who: PersonFilter = "",
    round_id: RoundFilter = "",
    about_case: CaseFilter = "",
    since: Moment = 0,
    until: Moment = 0,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> b.AccessLog:
    """List who of support looked at, exported or did what, newest first."""
    query = AccessQuery(
        person=who,
        round_id=round_id,
        case=about_case,
        since=since,
        until=until,
        before=place_of(cursor),
        limit=limit,
    )
    rows = await sync_to_thread(door.index.cases.access, query)
    is_full = len(rows) == limit
    last = cursor_at(rows[-1].at, rows[-1].record) if is_full else ""
    return b.AccessLog(rows, last)


def case_routes() -> list[HTTPRouteHandler]:
    return [
        *(cases, open_case, read_case, add_note, close_case),
        *(propose_void, propose_correction, approve, reject, void_round),
        access,
    ]
