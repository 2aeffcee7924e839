"""What support does at the door, with a token of its identity provider."""

from collections.abc import AsyncIterator, Mapping

import httpx

from push22.client.answers import (
    OperatorLine,
    Operators,
    Record,
    RoundLine,
    RoundRecords,
)
from push22.client.caller import Caller, at
from push22.client.cases import Case, CaseLine, Cases
from push22.client.retries import USUAL, Retries
from push22.client.sending import Sender, paged

PREFIX = "/support/v1"


class Bearer:
    """Shows a token."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: httpx.Request) -> dict[str, str]:
        del request
        return {"Authorization": f"Bearer {self._token}"}


class SupportClient(Caller):
    """One person of support at one door; the token's role decides what is allowed."""

    prefix = PREFIX

    def __init__(
        self,
        address: str,
        token: str,
        *,
        retries: Retries = USUAL,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(Sender(address, Bearer(token), retries=retries, http=http))

    def rounds(  # noqa: PLR0913 - each is a way to search
        self,
        *,
        player: str = "",
        table: str = "",
        status: str = "",
        since: int = 0,
        until: int = 0,
        page: int = 50,
    ) -> AsyncIterator[RoundLine]:
        """Find rounds of any operator, newest first; `player` with its operator."""
        return self._rounds(
            player=player,
            table=table,
            status=status,
            since=since,
            until=until,
            limit=page,
        )

    async def records(self, round_id: str) -> tuple[Record, ...]:
        """Read a round's records; of an open one, what a spectator might see."""
        return (await self._get(at("rounds", round_id), RoundRecords)).records

    async def void(self, round_id: str, reason: str, *, key: str = "") -> Case:
        """Open a case and propose to void its round: somebody else must approve.

        What one person may decide alone is done at once.
        """
        path = at("rounds", round_id, "void")
        return await self._case(path, {"reason": reason}, key)

    def cases(
        self, *, round_id: str = "", status: str = "", page: int = 50
    ) -> AsyncIterator[CaseLine]:
        """List cases, newest first: `open`, `closed` or `waiting` ones, or all."""
        query = {"round_id": round_id, "status": status, "limit": page}
        return paged(
            lambda cursor: self._get("/cases", Cases, **query, cursor=cursor),
            lambda found: found.cases,
        )

    async def case(self, case: str) -> Case:
        return await self._get(at("cases", case), Case)

    async def open_case(
        self, round_id: str, subject: str, *, player: str = "", key: str = ""
    ) -> Case:
        body = {"round_id": round_id, "subject": subject, "player": player or None}
        return await self._case("/cases", body, key)

    async def note(self, case: str, text: str, *, key: str = "") -> Case:
        return await self._case(at("cases", case, "notes"), {"text": text}, key)

    async def propose_void(self, case: str, reason: str, *, key: str = "") -> Case:
        return await self._case(at("cases", case, "void"), {"reason": reason}, key)

    async def propose_correction(  # noqa: PLR0913 - who gets what, and why
        self,
        case: str,
        player: str,
        currency: str,
        amount_minor: int,
        *,
        reason: str,
        key: str = "",
    ) -> Case:
        """Above 0 the player is paid, below 0 it is taken back."""
        body = {
            "player": player,
            "currency": currency,
            "amount_minor": amount_minor,
            "reason": reason,
        }
        return await self._case(at("cases", case, "corrections"), body, key)

    async def approve(self, case: str, proposal: int, *, key: str = "") -> Case:
        """Approve what somebody else proposed."""
        path = at("cases", case, "proposals", str(proposal), "approve")
        return await self._case(path, None, key)

    async def reject(
        self, case: str, proposal: int, reason: str, *, key: str = ""
    ) -> Case:
        path = at("cases", case, "proposals", str(proposal), "reject")
        return await self._case(path, {"reason": reason}, key)

    async def close_case(self, case: str, resolution: str, *, key: str = "") -> Case:
        body = {"resolution": resolution}
        return await self._case(at("cases", case, "close"), body, key)

    async def _case(
        self, path: str, body: Mapping[str, object] | None, key: str
    ) -> Case:
        return await self._ordered("POST", path, body, key, kind=Case)

    async def operators(self) -> tuple[OperatorLine, ...]:
        """List who is configured, by the ids of their keys."""
        return (await self._get("/operators", Operators)).operators
