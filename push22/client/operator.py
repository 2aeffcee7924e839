"""What an operator's servers do at the door, each request signed."""

import secrets
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import msgspec

from contracts.signature import Signed, signature_of
from push22.client.answers import (
    Accepted,
    Balance,
    Launch,
    Report,
    RoundLine,
    RoundTold,
    TableLine,
    Tables,
    TableState,
)
from push22.client.caller import Caller, at
from push22.client.retries import USUAL, Retries
from push22.client.sending import Asked, Sender
from push22.client.views import USUAL_TIMINGS, Limits, Timings

PREFIX = "/operator/v1"


class Key(msgspec.Struct, frozen=True):
    """An operator's key: its name, `acme.k1`, and its bytes."""

    name: str
    secret: bytes

    def __repr__(self) -> str:
        """Keep the secret out of logs."""
        return f"Key({self.name!r})"


class Signer:
    """Signs requests; `clock` tells the seconds since 1970."""

    def __init__(self, key: Key, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock

    def __call__(self, request: httpx.Request) -> dict[str, str]:
        """Return the headers of one attempt: its time and nonce are used once."""
        signed = Signed(
            key=self._key.name,
            time=str(int(self._clock())),
            nonce=secrets.token_hex(16),
            signature="",
            method=request.method,
            target=request.url.raw_path.decode("ascii"),
            idempotency_key=request.headers.get("Idempotency-Key", ""),
            body=request.content,
        )
        return {
            "Push22-Key": signed.key,
            "Push22-Time": signed.time,
            "Push22-Nonce": signed.nonce,
            "Push22-Signature": signature_of(signed, self._key.secret),
        }


class OperatorClient(Caller):
    """One operator at one door.

    Calls that change something take a `key`, the command's id: the same call under the
    same key takes effect once, whenever it is repeated. Without one, each call gets a
    fresh one, which covers its own attempts only.
    """

    prefix = PREFIX

    def __init__(
        self,
        address: str,
        key: Key,
        *,
        retries: Retries = USUAL,
        http: httpx.AsyncClient | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        signer = Signer(key, clock)
        super().__init__(Sender(address, signer, retries=retries, http=http))

    async def launch(
        self, player: str, currency: str, table: str = "", *, wallet_token: str = ""
    ) -> Launch:
        """Let a player in, to one table or to all: a token for one session.

        `wallet_token`: where the operator keeps the player's money himself.
        """
        body = {"player": player, "currency": currency, "table": table}
        if wallet_token:
            body["wallet_token"] = wallet_token
        asked = Asked(method="POST", path=f"{PREFIX}/launches", body=body)
        return await self._sender.ask(asked, Launch)

    async def tables(self) -> tuple[TableLine, ...]:
        """List the own tables and the house's."""
        return (await self._get("/tables", Tables)).tables

    async def table(self, table: str) -> TableState:
        """Show a table as a spectator sees it."""
        return await self._get(at("tables", table), TableState)

    async def open_table(  # noqa: PLR0913 - a table's terms
        self,
        table: str,
        rule_set: str,
        currency: str,
        *,
        options: dict[str, Any] | None = None,
        limits: Limits | None = None,
        timings: Timings = USUAL_TIMINGS,
        key: str = "",
    ) -> Accepted:
        """Open a table of one's own; `limits`: those of its rule set if none."""
        body = {
            "table": table,
            "rule_set": rule_set,
            "currency": currency,
            "options": options or {},
            "timings": timings,
        } | ({} if limits is None else {"limits": limits})
        return await self._command("POST", "/tables", body, key)

    async def close_table(self, table: str, reason: str, *, key: str = "") -> Accepted:
        """Take no new rounds; the round in play is finished."""
        path = at("tables", table, "close")
        return await self._command("POST", path, {"reason": reason}, key)

    async def change_limits(
        self, table: str, limits: Limits, *, key: str = ""
    ) -> Accepted:
        """Post new limits, from the next round on."""
        return await self._command("PUT", at("tables", table, "limits"), limits, key)

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
        """Go through the rounds that one's players bet on, newest first."""
        return self._rounds(
            player=player,
            table=table,
            status=status,
            since=since,
            until=until,
            limit=page,
        )

    async def round(self, round_id: str) -> RoundTold:
        """Tell a round of one's players, as a spectator might have seen it."""
        return await self._get(at("rounds", round_id), RoundTold)

    async def void(self, round_id: str, reason: str, *, key: str = "") -> Accepted:
        """End a round at an own table that cannot be finished; stakes go back."""
        path = at("rounds", round_id, "void")
        return await self._command("POST", path, {"reason": reason}, key)

    async def balance(self, player: str, currency: str) -> Balance:
        """Tell a player's balance in the built-in ledger."""
        path = at("players", player, "balance")
        return await self._get(path, Balance, currency=currency)

    async def deposit(
        self,
        player: str,
        currency: str,
        amount_minor: int,
        *,
        reference: str = "",
        key: str = "",
    ) -> Accepted:
        """Put money into a player's account; `reference` is one's own name for it."""
        body = _money(currency, amount_minor, reference)
        return await self._command("POST", at("players", player, "deposits"), body, key)

    async def withdraw(
        self,
        player: str,
        currency: str,
        amount_minor: int,
        *,
        reference: str = "",
        key: str = "",
    ) -> Accepted:
        """Take money out of a player's account."""
        body = _money(currency, amount_minor, reference)
        return await self._command(
            "POST", at("players", player, "withdrawals"), body, key
        )

    async def report(self, since: int, until: int, by: str = "day") -> Report:
        """Add up closed rounds by `day`, `table` or `rule_set`."""
        query = _interval(since, until, by)
        asked = Asked(method="GET", path=f"{PREFIX}/reports/rounds?{query}")
        return await self._sender.ask(asked, Report)

    async def report_csv(self, since: int, until: int, by: str = "day") -> str:
        """Return the same report for a spreadsheet."""
        query = _interval(since, until, by)
        asked = Asked(method="GET", path=f"{PREFIX}/reports/rounds.csv?{query}")
        return (await self._sender.send(asked)).text


def _money(currency: str, amount_minor: int, reference: str) -> dict[str, Any]:
    return {
        "currency": currency,
        "amount_minor": amount_minor,
        "reference": reference,
    }


def _interval(since: int, until: int, by: str) -> str:
    """Both ends are needed, also where one is 0."""
    return f"since={since}&until={until}&by={by}"
