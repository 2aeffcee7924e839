"""Services that are killed, paused and doubled while everybody plays."""

import asyncio
import subprocess

import pytest

from contracts.topics import PARTITIONS
from runtime.distributed import event_topic
from runtime.kafka_records import Arrived, read
from runtime.log_postgres import PostgresLog
from runtime.postgres_roles import schema_of
from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.marks import CHAOS
from tests.e2e.distributed import ALL, NAMES, Casino
from tests.e2e.topics import all_messages

pytestmark = CHAOS

KILLS_MIN = 4
BETWEEN_S = 10.0
IN_START = 0.25
"""So often a service is killed again before it has come up."""

TAKEN_OVER_S = 14.0
"""The group has given a silent member's partitions away: 10 s, and a rebalance."""


async def restart_again_and_again(case: Case, crowd: Crowd, victim: str) -> None:
    """Kill -9 at random moments, also while it starts, until the rounds are played."""
    kills = 0
    while await case.again(crowd, kills, KILLS_MIN):
        await case.moment(BETWEEN_S)
        await asyncio.to_thread(case.casino.kill, victim)
        case.casino.start(victim)
        kills += 1
        if case.rng.random() >= IN_START:
            await asyncio.to_thread(case.casino.wait, victim)


@pytest.mark.parametrize(
    "victim",
    [pytest.param(n, marks=[pytest.mark.chaos_ci] * (n == "wallet")) for n in ALL],
)
async def test_a_service_killed_again_and_again(case: Case, victim: str) -> None:
    """Kill -9 in a loop, started again at once (17, 24, 28; law 3, H4)."""
    await case.run(lambda crowd: restart_again_and_again(case, crowd, victim))


async def test_a_relay_killed_before_it_has_noted_what_it_sent(case: Case) -> None:
    """Kafka has records that `published` does not know of: sent again (36; RE1)."""
    victim = "table-orchestrator"
    lagged: list[int] = []

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        while await case.again(crowd, len(lagged), 1):
            await case.moment(1)
            await asyncio.to_thread(case.casino.kill, victim)
            if (lag := await unnoted(case.casino, victim)) > 0:
                lagged.append(lag)
            case.casino.start(victim)
            await asyncio.to_thread(case.casino.wait, victim)

    await case.run(trouble)

    assert max(lagged) > 0


async def unnoted(casino: Casino, service: str) -> int:
    """Count the records that Kafka has and the relay had not noted as sent."""
    topic = event_topic(service).name
    ends = [0] * PARTITIONS
    for message in await all_messages(casino, (topic,)):
        found = read(message, service)
        if isinstance(found, Arrived):
            part = message.partition
            ends[part] = max(ends[part], found.record.offset)
    dsn = casino.postgres.dsn(casino.database, schema_of(service))
    log = await PostgresLog.open(dsn, service, connections=1)
    try:
        noted = [await log.published(part) for part in range(PARTITIONS)]
    finally:
        await log.close()
    return sum(max(0, end - done) for end, done in zip(ends, noted, strict=True))


@pytest.mark.parametrize(
    "victim",
    [
        pytest.param(n, marks=[pytest.mark.chaos_ci] * (n == "table-orchestrator"))
        for n in NAMES
    ],
)
async def test_a_paused_instance_wakes_after_its_partitions_were_taken_over(
    case: Case, victim: str
) -> None:
    """SIGSTOP past the session timeout: the zombie does no harm (1, 2, 8, 37; AP2)."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        second = await asyncio.to_thread(case.casino.start_second, victim)
        await case.moment(2)
        case.casino.pause(victim)
        await asyncio.sleep(TAKEN_OVER_S)
        case.casino.resume(victim)
        await case.moment(BETWEEN_S)
        await asyncio.to_thread(case.casino.end_second, second)

    await case.run(trouble)


async def test_two_instances_of_every_service_come_and_go(case: Case) -> None:
    """Rebalances in mid-batch, again and again (1, 14, 18, 37; AP2, RE4)."""
    seconds: list[subprocess.Popen[bytes]] = []

    async def trouble(crowd: Crowd) -> None:
        for name in NAMES:
            came = await asyncio.to_thread(case.casino.start_second, name)
            seconds.append(came)
        turns = 0
        while await case.again(crowd, turns, len(NAMES)):
            await case.moment(BETWEEN_S)
            name = NAMES[turns % len(NAMES)]
            gone = seconds[turns % len(NAMES)]
            await asyncio.to_thread(case.casino.end_second, gone)
            await case.moment(BETWEEN_S)
            came = await asyncio.to_thread(case.casino.start_second, name)
            seconds[turns % len(NAMES)] = came
            turns += 1
        while seconds:
            await asyncio.to_thread(case.casino.end_second, seconds.pop())

    try:
        await case.run(trouble)
    finally:
        for second in seconds:
            case.casino.end_second(second)
