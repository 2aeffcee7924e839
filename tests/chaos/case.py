"""One case of chaos: players, something that goes wrong meanwhile, and the judge."""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.chaos.crowd import Crowd, crowd_at
from tests.chaos.judge import Judge, Verdict
from tests.chaos.settings import Settings
from tests.chaos.standstill import watch
from tests.e2e.distributed import Casino

Trouble = Callable[[Crowd], Awaitable[None]]

_STEP_S = 0.2


@dataclass(slots=True)
class Case:
    """A casino, how many rounds are due there, and where chance comes from."""

    casino: Casino
    settings: Settings
    rng: random.Random
    tables: str
    judge: Judge = field(default_factory=Judge)
    is_sound: bool = False

    async def run(self, trouble: Trouble) -> Verdict:
        """Play until the rounds are closed and the trouble is over; then judge."""
        begun = time.monotonic()
        names = [f"{self.tables}{number}" for number in range(self.settings.tables)]
        async with crowd_at(self.casino, names) as crowd:
            async with asyncio.TaskGroup() as watched:
                watching = watched.create_task(watch(self.casino, crowd))
                await self._play(crowd, trouble)
                watching.cancel()
            verdict = await self.judge.of(self.casino, crowd)
        self.is_sound = True
        took = time.monotonic() - begun
        assert verdict.rounds >= self.settings.rounds
        sys.stdout.write(
            f"\nchaos: seed {self.settings.seed}: {verdict.rounds} rounds,"
            f" {verdict.commands} commands, {crowd.failures} moves given up,"
            f" well again after {verdict.well_after_s:.1f} s, {took:.0f} s in all\n"
        )
        return verdict

    async def _play(self, crowd: Crowd, trouble: Trouble) -> None:
        """What fails on either side ends the other."""
        is_calm = False

        async def make_trouble() -> None:
            nonlocal is_calm
            await trouble(crowd)
            is_calm = True

        async with asyncio.TaskGroup() as together:
            together.create_task(make_trouble())
            together.create_task(
                crowd.play_until(lambda: is_calm and not self.is_short(crowd))
            )

    def is_short(self, crowd: Crowd) -> bool:
        """Tell whether rounds are still due."""
        return crowd.closed < self.settings.rounds

    async def again(self, crowd: Crowd, times: int, least: int) -> bool:
        """Tell whether the trouble comes once more, after it has come so many times.

        Beyond the least, not before a round has closed meanwhile: a machine that needs
        longer to recover than the trouble takes to come again would never get on.
        """
        if times < least:
            return True
        closed = crowd.closed
        while self.is_short(crowd) and crowd.closed == closed:
            await asyncio.sleep(_STEP_S)
        return self.is_short(crowd)

    async def in_play(self, crowd: Crowd) -> None:
        """Wait until every table has been dealt at: the trouble hits all of them."""
        while not all(player.closed for player in crowd.players):
            await asyncio.sleep(_STEP_S)

    async def moment(self, longest_s: float) -> None:
        await asyncio.sleep(self.rng.uniform(0, longest_s))
