"""All players of a load test, and the schedule that sends them in (an open loop)."""

import asyncio
from time import perf_counter

from push22.client import (
    Ended,
    Garbled,
    OperatorClient,
    Refused,
    Timings,
    Unreachable,
)
from push22.load.found import Found, Timeline
from push22.load.schedule import Tick, ticks
from push22.load.settings import DRAIN_S, START_S, Settings
from push22.load.tasks import Tasks
from push22.load.visitor import Visitor

_BETTING_MS = 600_000
_BALANCE_MINOR = 10**11
_OPENED_AT_ONCE = 20
_GONE_WRONG = (Refused, Unreachable, Garbled, Ended, TimeoutError)


class Crowd:
    """Players with their tables; those who have nothing to do are free."""

    def __init__(self, visitors: list[Visitor], settings: Settings) -> None:
        self._visitors = visitors
        self._settings = settings
        self._free: asyncio.Queue[Visitor] = asyncio.Queue()
        for visitor in visitors:
            self._free.put_nowait(visitor)
        self._after = Tasks()
        self.timeline = Timeline()

    async def run(self, number: int, rate: float, warm_up_s: float) -> Found:
        """Let players arrive at a rate; what happens in the warm-up is not counted."""
        seconds = self._settings.seconds
        found, warming = Found(rate, seconds), Found(rate, warm_up_s)
        how = self._settings.arrivals, self._settings.shares
        seed = f"{self._settings.seed}/{number}"
        begun, tasks = perf_counter(), Tasks()
        try:
            for tick in ticks(rate, warm_up_s + seconds, seed, how):
                await asyncio.sleep(max(0.0, begun + tick.at - perf_counter()))
                into = found if tick.at >= warm_up_s else warming
                tasks.begin(self._round(tick, begun, into))
            await asyncio.sleep(max(0.0, begun + warm_up_s + seconds - perf_counter()))
        except asyncio.CancelledError:
            # Rounds end before the clients that they are played by.
            await tasks.drain(0.0)
            raise
        await tasks.drain(DRAIN_S)
        return found

    async def _round(self, tick: Tick, begun: float, found: Found) -> None:
        due = begun + tick.at
        found.due += 1
        self.timeline.due.append(due)
        found.late.note(due, due, perf_counter())
        try:
            wait_s = START_S - (perf_counter() - due)
            visitor = await asyncio.wait_for(self._free.get(), wait_s)
        except TimeoutError:
            found.dropped += 1
            self.timeline.dropped.append(perf_counter())
            return
        await self._play(visitor, (due, tick), found)

    async def _play(
        self, visitor: Visitor, when: tuple[float, Tick], found: Found
    ) -> None:
        """A round that does not end in time has taken so long at least: it counts."""
        due, tick = when
        try:
            pace_s = self._settings.pace_s
            ended = await visitor.play(due, tick.mood, found, pace_s)
            found.left += ended == "left"
            found.closed += ended == "closed"
            found.stalled += tick.mood.stalls and ended == "closed"
            self.timeline.closed.append(perf_counter())
        except _GONE_WRONG as error:
            found.failed += 1
            found.errors[_reason(error)] += 1
            await visitor.leave()
        except asyncio.CancelledError:
            found.unfinished += 1
            found.note("round", due, due)
            await visitor.leave()
            raise
        finally:
            self._after.begin(self._free_again(visitor))

    async def _free_again(self, visitor: Visitor) -> None:
        """A player is free once the table takes bets; one that never does is gone."""
        try:
            await visitor.settle()
        except _GONE_WRONG:
            await visitor.leave()
            return
        self._free.put_nowait(visitor)

    async def close(self) -> None:
        """Send everybody home."""
        try:
            await self._after.drain(0.0)
        finally:
            await asyncio.gather(*(visitor.leave() for visitor in self._visitors))


def _reason(error: BaseException) -> str:
    """Name an error by what a report can count: no player, no round."""
    if isinstance(error, Refused):
        return error.reason
    return {
        "Unreachable": "no answer",
        "TimeoutError": "waited too long",
        "Ended": "the session ended",
    }.get(type(error).__name__, type(error).__name__)


async def assembled(
    operator: OperatorClient, address: str, settings: Settings, names: tuple[str, str]
) -> list[Visitor]:
    """Open a table and an account for each player."""
    currency, tag = names
    gate = asyncio.Semaphore(_OPENED_AT_ONCE)
    timings = Timings(
        betting_ms=_BETTING_MS,
        insurance_ms=settings.decision_ms,
        decision_ms=settings.decision_ms,
    )

    async def one(number: int) -> Visitor:
        table, player = f"{tag}t{number}", f"{tag}p{number}"
        async with gate:
            await operator.open_table(
                table, settings.rule_set, currency, timings=timings
            )
            await operator.deposit(player, currency, _BALANCE_MINOR)
        return Visitor(operator, address, (player, currency, table))

    return list(await asyncio.gather(*map(one, range(settings.players))))


async def dismissed(operator: OperatorClient, visitors: list[Visitor]) -> None:
    """Close the tables: no round is left waiting for a bet."""
    gate = asyncio.Semaphore(_OPENED_AT_ONCE)

    async def one(visitor: Visitor) -> None:
        async with gate:
            await operator.close_table(visitor.table, "the load test is over")

    done = await asyncio.gather(*map(one, visitors), return_exceptions=True)
    for error in done:
        if isinstance(error, BaseException) and not isinstance(error, _GONE_WRONG):
            raise error
