"""What goes wrong in the middle of a run, on purpose: the house does it by a word."""

import asyncio

from push22.load.places import Casino
from push22.load.settings import Settings

KINDS = {
    "broker-kill": "the broker dies as in a power cut, and is started again",
    "slow-wallet": "the wallet stands still for five seconds",
    "rebalance": "a second table service comes and goes",
}


async def trouble(casino: Casino, settings: Settings) -> None:
    """Wait for the middle of the first run, then make the trouble once."""
    if settings.chaos:
        await asyncio.sleep(settings.warm_up_s + settings.seconds / 2)
        casino.tell(settings.chaos)
