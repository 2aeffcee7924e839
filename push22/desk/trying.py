"""Plays a round script for support, in a casino in memory, within a bounded time."""

import asyncio

from blackjack.script import ScriptError, read_script
from push22.commands.script import play_text
from push22.script_result import Outcome
from services.gateway.desk.what_if import ScriptFault, WhatIf

STEPS_MAX = 200
SECONDS_MAX = 5.0


def tried(text: str) -> WhatIf:
    """Play a script and say what came of it; one that can't stand says why."""
    try:
        if len(read_script(text).steps) > STEPS_MAX:
            raise ScriptError("play", f"has more than {STEPS_MAX} steps")
        outcome = asyncio.run(_within_time(text))
    except ScriptError as error:
        return WhatIf(fault=ScriptFault(error.place, error.reason))
    except TimeoutError:
        reason = f"was not played in {SECONDS_MAX:g} seconds"
        return WhatIf(fault=ScriptFault("script", reason))
    return _told(outcome)


async def _within_time(text: str) -> Outcome:
    async with asyncio.timeout(SECONDS_MAX):
        return await play_text("what-if", text)


def _told(outcome: Outcome) -> WhatIf:
    return WhatIf(
        failures=tuple(outcome.failures),
        dealer=outcome.dealer,
        hands=outcome.hands,
        net=outcome.net,
        outcome=outcome.outcome,
        balance=outcome.balance,
        cards_used=outcome.cards_used,
        pending=outcome.pending or "",
        bets_refused=outcome.bets_refused,
        refused=tuple(outcome.refused),
    )
