"""What support does at the door, with a token of its identity provider."""

from collections.abc import AsyncIterator

import httpx

from push22.client.answers import (
    Accepted,
    OperatorLine,
    Operators,
    Record,
    RoundLine,
    RoundRecords,
    Rounds,
)
from push22.client.caller import Caller, at
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
        query = {
            "player": player,
            "table": table,
            "status": status,
            "since": since,
            "until": until,
            "limit": page,
        }
        return paged(
            lambda cursor: self._get("/rounds", Rounds, **query, cursor=cursor)
        )

    async def records(self, round_id: str) -> tuple[Record, ...]:
        """Read a round's records; of an open one, what a spectator might see."""
        return (await self._get(at("rounds", round_id), RoundRecords)).records

    async def void(self, round_id: str, reason: str, *, key: str = "") -> Accepted:
        """End a round that cannot be finished; who ordered it and why is recorded."""
        path = at("rounds", round_id, "void")
        return await self._command("POST", path, {"reason": reason}, key)

    async def operators(self) -> tuple[OperatorLine, ...]:
        """List who is configured, by the ids of their keys."""
        return (await self._get("/operators", Operators)).operators
