"""Clocks that jump, for one service and for a while."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.marks import CHAOS

pytestmark = CHAOS

AHEAD = "+2d"
PLAYED_S = 8.0
VICTIM = "wallet"


def library() -> str:
    """Return what shifts a process's clock, or skip: `apt install faketime`."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    if not found or shutil.which("faketime") is None:
        pytest.skip("libfaketime is not installed")
    return str(found[0])


async def test_a_clock_jumps_two_days_ahead_and_back(lone_case: Case) -> None:
    """No answer is forgotten too early: the jump back is refused (32; 0016, H4)."""
    case = lone_case
    shifted = {
        "LD_PRELOAD": library(),
        "FAKETIME": AHEAD,
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        await asyncio.to_thread(case.casino.stop, VICTIM)
        case.casino.start(VICTIM, **shifted)
        await asyncio.to_thread(case.casino.wait, VICTIM)
        await asyncio.sleep(PLAYED_S)
        await asyncio.to_thread(case.casino.stop, VICTIM)
        case.casino.start(VICTIM)
        said = await asyncio.to_thread(case.casino.refused, VICTIM)
        assert "set the clock right, or wait" in said
        case.casino.start(VICTIM, **shifted)
        await asyncio.to_thread(case.casino.wait, VICTIM)

    await case.run(trouble)
