"""What goes wrong in the middle of a run, on purpose, and whether it really did."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from time import perf_counter

import msgspec
from msgspec.structs import replace

from push22.load.places import Casino
from push22.load.settings import Settings

KINDS = {
    "broker-kill": "the broker dies as in a power cut, and is started again",
    "slow-wallet": "the wallet stands still for five seconds",
    "rebalance": "a second table service comes and goes",
}


class Trouble(msgspec.Struct, frozen=True):
    """What was chosen and what became of it; times in seconds from the beginning.

    A load that ended before the trouble came has not been through it. `load_ended_at`:
    whether players were still there to go on. `well_at`: when the first round ended
    after it was over; none did where it is 0.
    """

    kind: str
    is_made: bool
    made_at: float = 0.0
    over_at: float = 0.0
    why_not: str = ""
    load_ended_at: float = 0.0
    well_at: float = 0.0

    @property
    def line(self) -> str:
        if not self.is_made:
            return f"NOT MADE: {self.kind}: {self.why_not}"
        when = f"{self.kind}, second {self.made_at:.1f} to {self.over_at:.1f}"
        if not self.is_outlasted:
            return f"{when}, when the load had ended: how players go on is not known"
        if not self.well_at:
            return f"{when}, and no round ended afterwards"
        later_s = self.well_at - self.over_at
        return f"{when}, the next round ended {later_s:.1f} s later"

    @property
    def is_outlasted(self) -> bool:
        """Tell whether the load still went on when it was over."""
        return self.is_made and self.over_at < self.load_ended_at

    def well_by(self, ended: Iterable[float]) -> "Trouble":
        """Take in when rounds ended, in seconds from the beginning."""
        after = min((at for at in ended if at > self.over_at), default=0.0)
        return replace(self, well_at=after if self.is_made else 0.0)


@asynccontextmanager
async def troubled(
    casino: Casino, settings: Settings, begun: float
) -> AsyncIterator[list[Trouble]]:
    """Make the trouble while what is within goes on; what came of it is added after.

    The end of the trouble is waited for: the books are of a casino that is whole again.
    """
    found: list[Trouble] = []
    if not settings.chaos:
        yield found
        return
    task = asyncio.create_task(_trouble(casino, settings, begun))
    try:
        yield found
        ended_at = perf_counter() - begun
        found.append(_in_time(await task, ended_at))
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _trouble(casino: Casino, settings: Settings, begun: float) -> Trouble:
    """Wait for the middle of the first run, then make the trouble once."""
    kind = settings.chaos
    await asyncio.sleep(settings.warm_up_s + settings.seconds / 2)
    if why_not := await casino.make_trouble(kind):
        return Trouble(kind, is_made=False, why_not=why_not)
    made_at = perf_counter() - begun
    why_not = await casino.end_trouble()
    over_at = perf_counter() - begun
    return Trouble(kind, not why_not, made_at, over_at, why_not)


def _in_time(trouble: Trouble, ended_at: float) -> Trouble:
    told = replace(trouble, load_ended_at=ended_at)
    if not trouble.is_made or trouble.made_at < ended_at:
        return told
    why_not = (
        f"it came at {trouble.made_at:.1f} s, the load had ended at {ended_at:.1f}"
    )
    return replace(told, is_made=False, why_not=why_not)
