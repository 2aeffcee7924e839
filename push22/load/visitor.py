"""One player of a load test: comes, bets, decides, stalls or leaves, by the clock."""

import asyncio
import ssl
import zlib
from functools import cache
from time import perf_counter

import httpx

from push22.client import (
    Act,
    Bet,
    Live,
    OperatorClient,
    Patience,
    PlayerClient,
    Problem,
    Ready,
    Refused,
    Retries,
    Round,
)
from push22.door_bot import own_boxes
from push22.load.found import Found
from push22.load.moves import is_awaited, next_move
from push22.load.schedule import Mood

WAIT_S = 60.0
"""Nothing of a round takes longer; who waits so long has met an error."""

_MAIN_MINOR = 1000
_ORDERS_MAX = 60
_PATIENCE = Patience(answer_s=WAIT_S, lost_s=20.0)
_TABLE_ALONE_S = 120.0
_LOOK_S = 0.5


class Visitor:
    """A player with a table of its own, at most one round at a time."""

    def __init__(
        self, operator: OperatorClient, address: str, who: tuple[str, str, str]
    ) -> None:
        self._operator = operator
        self._address = address
        self.player, self._currency, self.table = who
        self._client: PlayerClient | None = None
        self._live: Live | None = None
        self._http: httpx.AsyncClient | None = None
        self._round_id = ""
        self._seen_version = 0

    async def play(self, due: float, mood: Mood, found: Found, pace_s: float) -> str:
        """Play a round whose bet is due; return how it ended: `closed` or `left`."""
        due_first = due
        if self._live is None:
            await self._launch(due, found)
            due += pace_s
        due = await self._bet(due, found, pace_s)
        ended, last_due, last_sent = await self._decide(due, mood, found, pace_s)
        if ended == "closed" and not mood.stalls:
            found.note("settled", last_due, last_sent)
            found.note("round", due_first, due_first)
        return ended

    async def _launch(self, due: float, found: Found) -> None:
        sent = perf_counter()
        launch = await self._operator.launch(self.player, self._currency, self.table)
        self._http = self._from_its_address()
        self._client = await PlayerClient.launched(
            self._address, launch.launch_token, http=self._http, retries=Retries(3)
        )
        live = self._client.live(_PATIENCE)
        await live.__aenter__()
        self._live = live
        await live.watch(self.table)
        found.note("launch", due, sent)

    def _from_its_address(self) -> httpx.AsyncClient:
        """The door counts new sessions by address: each player has one of its own."""
        number = zlib.crc32(self.player.encode())
        forwarded = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        headers = {"X-Forwarded-For": forwarded}
        return httpx.AsyncClient(timeout=15.0, headers=headers, verify=_trusted())

    async def _bet(self, due: float, found: Found, pace_s: float) -> float:
        """Bet on box 1, wait for the money, and say ready; return when to decide."""
        live = self._there
        shown = await live.until(self._betting, WAIT_S)
        self._round_id = shown.round_id
        await _until(due)
        sent = perf_counter()
        answer = await live.order(Bet(shown.round_id, 1, self._wagers()))
        if isinstance(answer, Problem):
            raise Refused(answer)
        found.note("bet", due, sent)
        await live.until(self._is_funded, WAIT_S)
        found.note("funds", due, sent)
        due += pace_s
        await _until(due)
        await self._order(Ready(shown.round_id), due, found)
        return due + pace_s

    def _wagers(self) -> tuple[int, ...]:
        seen = self._there.tables[self.table]
        return (_MAIN_MINOR,) * (2 if "switch" in seen.view.rule_set else 1)

    async def _decide(
        self, due: float, mood: Mood, found: Found, pace_s: float
    ) -> tuple[str, float, float]:
        """Decide until the round is closed; return how it ended and the last times."""
        last, stalls = (due - pace_s, perf_counter()), mood.stalls
        self._seen_version = 0
        for _ in range(_ORDERS_MAX):
            move = await self._there.until(lambda: self._next(mood), WAIT_S)
            if not isinstance(move, Act):
                return ("closed", *last)
            if mood.leaves:
                await self.leave()
                found.actions["leave"] += 1
                return ("left", *last)
            if stalls:
                stalls = False
                found.actions["stall"] += 1
                self._seen_version = move.expected_version or 0
                await self._there.until(lambda: self._next(mood), WAIT_S)
                due = perf_counter()
                continue
            await _until(due)
            last = due, perf_counter()
            self._seen_version = await self._order(move, due, found)
            due += pace_s
        raise TimeoutError("a round without end")

    async def _order(self, order: Act | Ready, due: float, found: Found) -> int:
        """Send an order and wait for what follows; return the version to go on from."""
        sent = perf_counter()
        name = order.action if isinstance(order, Act) else "ready"
        found.actions[name] += 1
        answer = await self._there.order(order)
        if isinstance(answer, Problem):
            found.errors[f"{name}: {answer.reason}"] += 1
            return (order.expected_version or 0) if isinstance(order, Act) else 0
        await self._there.until(lambda: self._shows(answer.version), WAIT_S)
        found.note("action", due, sent)
        return answer.version - 1

    async def leave(self) -> None:
        """Go away, wherever the round is."""
        live, client, http = self._live, self._client, self._http
        self._live = self._client = self._http = None
        if live is not None:
            await live.close()
        if client is not None:
            await client.close()
        if http is not None:
            await http.aclose()

    async def settle(self) -> None:
        """Wait until the table takes bets for a new round. Raises TimeoutError."""
        if self._live is not None:
            await self._live.until(self._betting, _TABLE_ALONE_S)
            return
        async with asyncio.timeout(_TABLE_ALONE_S):
            while True:
                state = await self._operator.table(self.table)
                if _bets(state.view.round, self._round_id):
                    return
                await asyncio.sleep(_LOOK_S)

    # What the live session shows.

    @property
    def _there(self) -> Live:
        assert self._live is not None, "the player is at the table"
        return self._live

    def _shown(self) -> Round | None:
        seen = self._there.tables.get(self.table)
        return seen.view.round if seen else None

    def _betting(self) -> Round | None:
        shown = self._shown()
        return shown if _bets(shown, self._round_id) else None

    def _is_over(self) -> bool:
        seen = self._there.tables[self.table]
        if seen.closed is not None and seen.closed.round_id == self._round_id:
            return True
        shown = seen.view.round
        return shown is not None and shown.round_id != self._round_id

    def _shows(self, version: int) -> bool:
        shown = self._shown()
        return self._is_over() or (shown is not None and shown.version >= version)

    def _is_funded(self) -> bool:
        shown, you = self._shown(), self._there.you
        for refusal in you.refusals:
            if refusal.round_id == self._round_id:
                raise Refused(Problem(refusal.reason, 0))
        own = own_boxes(shown, you) if shown else []
        return bool(own) and not own[0].pending

    def _next(self, mood: Mood) -> Act | bool:
        """Return the next decision, true once the round is over, else false."""
        if self._is_over():
            return True
        seen = self._there.tables[self.table]
        shown = seen.view.round
        if shown is None or shown.version <= self._seen_version:
            return False
        own = frozenset(box.box for box in own_boxes(shown, self._there.you))
        if not is_awaited(shown, own):
            return False
        return next_move(seen.view, own, mood) or False


@cache
def _trusted() -> ssl.SSLContext:
    """One for all: each would be a megabyte of certificates."""
    return httpx.create_ssl_context()


def _bets(shown: Round | None, before: str) -> bool:
    is_new = shown is not None and shown.round_id != before
    return is_new and shown is not None and shown.phase == "betting"


async def _until(due: float) -> None:
    await asyncio.sleep(max(0.0, due - perf_counter()))
