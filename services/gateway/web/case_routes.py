"""Cases of the dispute desk, and who looked at what.

Every answer about a case is the case as it stands after what was asked.
"""

import hashlib
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from litestar import get, post
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from contracts import desk as d
from contracts.desk import VoidOrderReason
from contracts.envelope import Actor
from contracts.identities import case_id, round_of_case
from contracts.round_events import RoundOpened
from runtime.bus_memory import Delivery
from services.gateway.cases import (
    AccessQuery,
    CaseQuery,
    CaseTold,
    case_of,
    is_over,
    players_of,
    staked_minor,
)
from services.gateway.door import Door
from services.gateway.problems import DoorReason, Refused
from services.gateway.roles import Person
from services.gateway.web import bodies, guards
from services.gateway.web import case_bodies as b
from services.gateway.web.alone import alone_today
from services.gateway.web.answers import documented
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

P = TypeVar("P", d.VoidProposed, d.CorrectionProposed)

ProposalPath = Annotated[int, PathParameter(ge=1, le=10_000)]
CaseFilter = Annotated[str, QueryParameter(pattern=r"^[a-z0-9_-]{0,90}$")]
PersonFilter = Annotated[str, QueryParameter(max_length=300)]
Standing = Annotated[Literal["open", "closed", "waiting"] | None, QueryParameter()]

_ERRORS = documented(401, 403, 404, 409, 422, 503, 504)
_RESOLVER = guards.has_role("resolver")
_VOID = "-void"
"""The step of a request that proposes a void."""


class Asking(msgspec.Struct, frozen=True):
    """Who asks for something about a case, and under which key."""

    door: Door
    person: Person
    key: str

    async def send(self, kind: type[Any], step: str = "", **facts: Any) -> None:
        """Send a command; the steps of one request have names of their own."""
        command = kind(role=d.Role(self.person.role), **facts)
        name = f"{self.key}{step}" if self.key else ""
        await self.door.send(command, Actor("support", self.person.name), name)

    async def case(self, case: str) -> CaseTold:
        """Return a case as it stands. Raises Refused where there is none."""
        records = await sync_to_thread(self.door.index.cases.records, case)
        found = case_of(records)
        if found is None:
            raise Refused(DoorReason.NOT_FOUND, case)
        return found

    async def round(self, round_id: str) -> tuple[list[Delivery], str]:
        """Return a round's records and its currency. Raises Refused."""
        records = await sync_to_thread(self.door.index.records, round_id)
        for delivery in records:
            if isinstance(delivery.event, RoundOpened):
                return records, delivery.event.terms.currency
        raise Refused(DoorReason.NOT_FOUND, round_id)

    def name_of(self, round_id: str) -> str:
        """Return a case's name; a repeat under the same key is about the same one."""
        text = f"{self.person.name}\0{self.key or self.door.casino.new_id()}"
        name = hashlib.sha256(text.encode()).hexdigest()[:12]
        return case_id(round_id, name)

    async def open(self, round_id: str, subject: str, player: str = "") -> str:
        """Open a case about a round."""
        return await self._opened(self.name_of(round_id), round_id, subject, player)

    async def void(self, round_id: str, reason: str) -> str:
        """Open a case and propose a void in it; none is opened for a round that ended.

        Raises Refused.
        """
        case = self.name_of(round_id)
        if not await self._was_proposed(case):
            await self._in_play(round_id)
        await self._opened(case, round_id, reason)
        await self.propose_void(case, reason)
        return case

    async def _opened(
        self, case: str, round_id: str, subject: str, player: str = ""
    ) -> str:
        await self.round(round_id)
        opened = {"round_id": round_id, "subject": subject, "player": player}
        await self.send(d.OpenCase, "-open", case=case, **opened)
        return case

    async def propose_void(self, case: str, reason: str) -> None:
        """Propose to void a case's round; a repeat is that, whatever is staked now.

        The desk cannot know how the round stands (H7): it is looked up here. The table
        refuses what has ended meanwhile. Raises Refused.
        """
        if await self._was_proposed(case):
            return
        records, currency = await self._in_play(round_of_case(case))
        await self.send(
            d.ProposeVoid,
            _VOID,
            case=case,
            currency=currency,
            staked_minor=staked_minor(records),
            reason=reason,
            threshold_minor=self.door.threshold_minor(currency),
            alone=await alone_today(self.door, players_of(records), currency),
        )

    async def propose_correction(self, case: str, asked: b.CorrectionAsked) -> None:
        """Propose a correction of who was in the case's round, in its currency.

        The desk knows neither (H7): it is looked up here. Raises Refused.
        """
        await self.case(case)
        records, currency = await self.round(round_of_case(case))
        if asked.player not in players_of(records):
            raise Refused(DoorReason.NOT_IN_ROUND, asked.player)
        if asked.currency != currency:
            text = f"{asked.currency}, the round is in {currency}"
            raise Refused(DoorReason.WRONG_CURRENCY, text)
        # A repeat is the same command to the letter, whatever was decided since.
        before = await self._proposed(case, d.CorrectionProposed, self.key)
        await self.send(
            d.ProposeCorrection,
            case=case,
            threshold_minor=self.door.threshold_minor(currency),
            alone=before.alone
            if before
            else await alone_today(self.door, [asked.player], currency),
            **msgspec.structs.asdict(asked),
        )

    async def _in_play(self, round_id: str) -> tuple[list[Delivery], str]:
        """Return a round's records and currency while it can be voided."""
        records, currency = await self.round(round_id)
        if is_over(records):
            text = f"{round_id} is settled or void: only corrections exist now"
            raise Refused(VoidOrderReason.ROUND_OVER, text)
        return records, currency

    async def _was_proposed(self, case: str) -> bool:
        """Tell whether this very request has proposed a void before."""
        name = self.key and f"{self.key}{_VOID}"
        return await self._proposed(case, d.VoidProposed, name) is not None

    async def _proposed(self, case: str, kind: type[P], name: str) -> P | None:
        """Return what this person's command of that name has proposed before."""
        if not name:
            return None
        for delivery in await sync_to_thread(self.door.index.cases.records, case):
            event, envelope = delivery.event, delivery.envelope
            is_own = envelope.actor.who == self.person.name
            if isinstance(event, kind) and is_own and name == envelope.caused_by:
                return event
        return None


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
