"""A database that dies, stands still and fills up, while everybody plays."""

import asyncio

import pytest

from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.marks import CHAOS

pytestmark = CHAOS

BETWEEN_S = 6.0
DEATHS_MIN = 3
PAUSE_S = 16.0
"""Longer than any statement may take, in the server (10 s) and in the client (11 s)."""


@pytest.mark.chaos_ci
async def test_a_database_killed_and_started_again(case: Case) -> None:
    """Commits whose reply was lost are told by positions and versions (17, 23; AP1)."""

    async def trouble(crowd: Crowd) -> None:
        deaths = 0
        while await case.again(crowd, deaths, DEATHS_MIN):
            await case.moment(BETWEEN_S)
            await asyncio.to_thread(case.casino.postgres.kill)
            await asyncio.to_thread(case.casino.postgres.start)
            deaths += 1
            await asyncio.sleep(1)

    await case.run(trouble)


async def test_a_database_that_stands_still(case: Case) -> None:
    """SIGSTOP beyond the statement timeout: nothing waits for ever (2, 4; AP1)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        case.casino.postgres.pause()
        await asyncio.sleep(PAUSE_S)
        case.casino.postgres.resume()

    await case.run(trouble)
