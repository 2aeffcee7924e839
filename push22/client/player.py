"""What a player does at the door: over HTTP, or live over the socket."""

from collections.abc import AsyncIterator
from typing import Any, Self

import httpx
import msgspec

from push22.client.answers import (
    Accepted,
    Me,
    RoundLine,
    RoundTold,
    Rules,
    Session,
    TableLine,
    Tables,
    TableState,
)
from push22.client.caller import Caller, at
from push22.client.line import PATIENT, Patience
from push22.client.live import Live
from push22.client.orders import (
    Act,
    AnyOrder,
    Bet,
    OpenSeed,
    Ready,
    ShowBurnedCard,
    Withdraw,
)
from push22.client.retries import USUAL, Retries
from push22.client.sending import Asked, Sender
from push22.client.support import Bearer

PREFIX = "/player/v1"


class PlayerClient(Caller):
    """One player's session at one door."""

    prefix = PREFIX

    def __init__(
        self,
        address: str,
        session: Session,
        *,
        retries: Retries = USUAL,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.session = session
        bearer = Bearer(session.session_token)
        super().__init__(Sender(address, bearer, retries=retries, http=http))

    @classmethod
    async def launched(
        cls,
        address: str,
        launch_token: str,
        *,
        retries: Retries = USUAL,
        http: httpx.AsyncClient | None = None,
    ) -> Self:
        """Trade a launch token in for a session.

        The token is good once: where no answer came it is not sent again, and the
        player has to be launched anew.
        """
        sender = Sender(address, lambda _: {}, retries=retries, http=http)
        asked = Asked(
            method="POST",
            path=f"{PREFIX}/sessions",
            body={"launch_token": launch_token},
            is_repeatable=False,
        )
        try:
            session = await sender.ask(asked, Session)
        finally:
            await sender.close()
        return cls(address, session, retries=retries, http=http)

    def live(self, patience: Patience = PATIENT) -> Live:
        """Return a live session over the socket: open it with `async with`."""
        address = self._sender.address.replace("http", "ws", 1)
        url = f"{address}{PREFIX}/socket"
        return Live(url, self.session.session_token, patience)

    async def me(self) -> Me:
        """Tell who is playing, and with how much."""
        return await self._get("/me", Me)

    async def tables(self) -> tuple[TableLine, ...]:
        """List the tables that the session may sit at."""
        return (await self._get("/tables", Tables)).tables

    async def table(self, table: str) -> TableState:
        """Show a table as this player sees it."""
        return await self._get(at("tables", table), TableState)

    async def rules(self, table: str) -> Rules:
        """Tell a table's rules."""
        return await self._get(at("tables", table, "rules"), Rules)

    async def order(self, order: AnyOrder, *, key: str = "") -> Accepted:
        """Send an order. Raises Refused; the same under the same key is done once."""
        method, path, body = _request_of(order)
        return await self._command(method, path, body, key)

    def rounds(self, *, page: int = 50) -> AsyncIterator[RoundLine]:
        """Go through the player's own rounds, newest first."""
        return self._rounds(limit=page)

    async def round(self, round_id: str) -> RoundTold:
        """Tell a round that the player bet on, as the player saw it."""
        return await self._get(at("rounds", round_id), RoundTold)

    async def proof(self, round_id: str) -> dict[str, Any]:
        """Return a round's cards with their proofs, as `verify_cards.py` reads them."""
        return await self._get(at("rounds", round_id, "proof"), dict[str, Any])


def _request_of(order: AnyOrder) -> tuple[str, str, Any]:
    """Return the method, the path and the body of an order over HTTP."""
    path = at("rounds", order.round_id)
    match order:
        case Bet(box=box):
            return "PUT", f"{path}/wagers/{box}", _body(order, without=("box",))
        case Withdraw(box=box):
            return "DELETE", f"{path}/wagers/{box}", None
        case Ready():
            return "POST", f"{path}/ready", None
        case Act():
            return "POST", f"{path}/actions", _body(order)
        case OpenSeed():
            return "POST", f"{path}/seeds", _body(order)
        case ShowBurnedCard():
            return "POST", f"{path}/burned-card", None


def _body(order: AnyOrder, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return an order's members that its path does not say."""
    left_out = {"do", "round_id", *without}
    members: dict[str, Any] = msgspec.to_builtins(order)
    return {name: value for name, value in members.items() if name not in left_out}
