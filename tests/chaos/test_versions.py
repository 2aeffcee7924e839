"""An older reader beside newer writers, while everybody plays."""

import asyncio
from pathlib import Path

from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.judge import parked
from tests.chaos.marks import CHAOS

pytestmark = CHAOS

OLDER = str(Path(__file__).with_name("older.py"))
TAG = "table.hole_look_requested.v1"
"""Asked of the shoe where the dealer shows an ace or a ten: in some rounds only."""

VICTIM = "shoe"
STREAMS_MIN = 2
_STEP_S = 0.5


async def test_a_reader_older_than_a_record_sets_its_stream_aside(case: Case) -> None:
    """The rest goes on; after an update a retry makes all whole (20; FC7, H9)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        await asyncio.to_thread(case.casino.stop, VICTIM)
        case.casino.start(VICTIM, OLDER, TAG)
        await asyncio.to_thread(case.casino.wait, VICTIM)
        before = crowd.closed
        while len(await aside(case)) < STREAMS_MIN or crowd.closed == before:
            await asyncio.sleep(_STEP_S)
        await asyncio.to_thread(case.casino.stop, VICTIM)
        for stream in sorted(await aside(case)):
            said = await asyncio.to_thread(
                case.casino.run, "parked", "retry", stream, "--dsn", case.casino.dsn
            )
            assert "went through" in said
        case.casino.start(VICTIM)
        await asyncio.to_thread(case.casino.wait, VICTIM)

    await case.run(trouble)


async def aside(case: Case) -> set[str]:
    """Return the streams that the victim has set aside."""
    return {stream for _, stream, _, _ in await parked(case.casino, (VICTIM,))}
