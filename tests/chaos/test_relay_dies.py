"""A relay that ends between Kafka's acknowledgement and saving how far it got (36).

It runs on the real broker and the real database; only the moment of its death is
arranged, by a state that fails where the process would end.
"""

import secrets
from typing import Any

import pytest

from contracts.topics import PARTITIONS
from runtime.kafka_records import Arrived, read
from runtime.log_postgres import PostgresLog
from runtime.postgres_relay import Lease, PostgresRelayState
from runtime.postgres_roles import schema_of
from runtime.relay import NOTE_S, Relay
from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.marks import CHAOS
from tests.e2e.topics import all_messages

pytestmark = CHAOS

SERVICE = "settlement"
TOPIC = "push22.settlement.events.v1"
DEATHS = 5


class Died(BaseException):
    """What ends a relay: nothing in it may catch this."""


class Mortal(PostgresRelayState):
    """Saves nothing: whoever wants to save has been killed."""

    async def note_published(self, partition: int, offset: int, lease: Lease) -> None:
        raise Died


@pytest.mark.chaos_ci
async def test_records_that_were_sent_and_not_noted_are_sent_again(case: Case) -> None:
    """Relay after relay dies; all arrives, in order (36, 37; RE1)."""
    copies: list[int] = []

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        for _ in range(DEATHS):
            await case.moment(2)
            copies.append(await one_life(case))

    await case.run(trouble)

    assert all(count > 0 for count in copies)
    await assert_complete(case)


async def one_life(case: Case) -> int:
    """Run a relay from the log's beginning until it is killed; return what it sent."""
    dsn = case.casino.postgres.dsn(case.casino.database, schema_of(SERVICE))
    log = await PostgresLog.open(dsn, SERVICE, connections=1)
    log.relay = Mortal(log.database)
    relay = Relay(log, TOPIC, case.casino.settings.producer, secrets.token_hex(4))
    heads = {part: (await log.head(part))[0] for part in range(PARTITIONS)}
    part = case.rng.choice([part for part, offset in heads.items() if offset])
    relay._leases[part] = Lease(f"relay:{part}", relay.holder, 0)
    relay._done[part] = relay._noted[part] = 0
    relay._noted_at[part] = -NOTE_S
    try:
        records = await log.read(part, 0, 100)
        with pytest.raises(Died):
            await relay._pass_on(part, records)
        return len(records)
    finally:
        await relay._drop_producer()
        await log.close()


async def assert_complete(case: Case) -> None:
    """Leaving out what comes again, each partition's offsets have no hole."""
    heard: dict[int, int] = {}
    for message in await all_messages(case.casino, (TOPIC,)):
        found: Any = read(message, SERVICE)
        if isinstance(found, Arrived):
            offset = found.record.offset
            before = heard.get(message.partition, offset - 1)
            assert offset <= before + 1
            heard[message.partition] = max(before, offset)
    assert heard
