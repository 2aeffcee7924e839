"""A broker that dies, stands still, and loses what it held, while everybody plays."""

import asyncio

import pytest

from runtime.consumption import STALLED_S
from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.marks import CHAOS
from tests.e2e.distributed import NAMES
from tests.e2e.topics import COMMAND_TOPICS, EVENT_TOPICS, delete_records, delete_topic

pytestmark = CHAOS

BETWEEN_S = 6.0
DEATHS_MIN = 2
PAUSE_S = 30.0
STOP_S = 20.0
"""So long a container is given to stop."""


@pytest.mark.chaos_ci
async def test_a_broker_killed_and_started_again(case: Case) -> None:
    """Relay and readers recover by themselves (7, 9, 38; RE2)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        deaths = 0
        while await case.again(crowd, deaths, DEATHS_MIN):
            await case.moment(BETWEEN_S)
            await asyncio.to_thread(case.casino.kafka.kill)
            await case.moment(2)
            await asyncio.to_thread(case.casino.kafka.start)
            deaths += 1
            await asyncio.sleep(BETWEEN_S)

    await case.run(trouble)


async def test_a_broker_that_stands_still(case: Case) -> None:
    """SIGSTOP for 30 s: connections stay open and nobody answers (39; FC9)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        case.casino.kafka.pause()
        await asyncio.sleep(PAUSE_S)
        case.casino.kafka.resume()

    await case.run(trouble)


async def test_liveness_fails_while_nothing_can_be_read_and_comes_back(
    case: Case,
) -> None:
    """A broker away for longer than work may stand still: /live says so (9; FC9)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        case.casino.kafka.pause()
        try:
            async with asyncio.timeout(2 * STALLED_S):
                await asyncio.gather(*(unwell(case, name) for name in NAMES))
        finally:
            case.casino.kafka.resume()

    await case.run(trouble)


async def unwell(case: Case, name: str) -> None:
    """Wait until a service says that it is not alive."""
    while await asyncio.to_thread(case.casino.status, name, "live") == 200:
        await asyncio.sleep(1)


async def test_a_service_is_stopped_while_the_broker_stands_still(case: Case) -> None:
    """It ends within its bound; what was not sent is sent after its restart (39)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        case.casino.kafka.pause()
        try:
            took = await asyncio.to_thread(case.casino.stop, "table-orchestrator")
        finally:
            case.casino.kafka.resume()
        assert took < STOP_S
        case.casino.start("table-orchestrator")

    await case.run(trouble)


async def test_topics_are_deleted_and_made_again(case: Case) -> None:
    """Each vanishes with all that it holds; the logs fill the gaps (15, 31; H5).

    `push22 topics refill` would publish them again; nothing here needs it.
    """

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        for topic in (*EVENT_TOPICS, *COMMAND_TOPICS):
            await delete_topic(case.casino, topic)
            await asyncio.to_thread(case.casino.run, "topics")
            await case.moment(BETWEEN_S)

    await case.run(trouble)


@pytest.mark.chaos_ci
async def test_retention_takes_records_before_anybody_has_read_them(case: Case) -> None:
    """All event topics are emptied, again and again (15, 16, 31, 42; H5, CO2)."""

    async def trouble(crowd: Crowd) -> None:
        times = 0
        while await case.again(crowd, times, DEATHS_MIN):
            await case.moment(1)
            await delete_records(case.casino, *EVENT_TOPICS)
            times += 1

    await case.run(trouble)
