"""H15: the same scripted rounds give the same records in both hosts.

The handed round scripts and our own are played by the embedded casino and by the
services over Kafka and PostgreSQL: the same cards, the same commands at the same time.
Then every stream of every log is compared.
"""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from blackjack.script import RoundScript, read_script
from contracts import table as t
from contracts.envelope import Actor
from contracts.identities import (
    round_id,
    shoe_stream,
    table_stream,
)
from push22.bot import Wagers
from push22.casino import Casino
from push22.script_result import outcome_of
from push22.script_runner import ScriptTable
from push22.stacked import stacked_order
from runtime.ambient import ManualClock
from tests.e2e import distributed, images
from tests.e2e.conftest import local_kafka, local_postgres, running
from tests.e2e.hosts import Distributed, Embedded, ScriptedAmbient
from tests.e2e.lockstep import Door, Host, Lockstep, Router
from tests.e2e.lockstep_bots import Bot, order_of, play_bot
from tests.e2e.marks import CASINO
from tests.e2e.streams import Streams, differences, streams_of, unpaid

pytestmark = [*CASINO, pytest.mark.timeout(600)]

SCRIPTS = Path(__file__).parents[1] / "scripts"
FILES = sorted(SCRIPTS.glob("*.round.toml"))
TABLES = {
    f"p{number}": read_script(path.read_text("utf-8"))
    for number, path in enumerate(FILES)
}
SEVERAL = read_script((SCRIPTS / "three-boxes-of-two-players.round.toml").read_text())
CUT_SHORT = {
    f"void{played}": msgspec.structs.replace(SEVERAL, steps=SEVERAL.steps[:played])
    for played in range(len(SEVERAL.steps))
}
"""The same round, voided by support after each of its steps (H2)."""

BOTS = {
    "bot1": Bot("lv-1d", Wagers((1,), (1000,)), rounds=6, opens=True),
    "bot2": Bot("ny-switch-6d", Wagers((1, 3), (1000, 1000)), rounds=2, opens=True),
    "bot3": Bot("pr-switch-6d", Wagers((2,), (1000, 1000)), rounds=2, opens=False),
}
SUPPORT = Actor("support", "carol")


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[distributed.Casino]:
    """Brokers, topics and schemas of this test's own, and no services."""
    with (
        running(local_kafka, images.Kafka) as kafka,
        running(local_postgres, images.Postgres) as postgres,
    ):
        made = distributed.Casino(tmp_path, kafka, postgres)
        made.prepare()
        yield made


def ambient_of(tables: Mapping[str, RoundScript]) -> ScriptedAmbient:
    orders = {table: stacked_order(script) for table, script in tables.items()}
    orders |= {table: order_of(table, bot) for table, bot in BOTS.items()}
    return ScriptedAmbient(ManualClock(), orders)


async def play(host: Host, tables: Mapping[str, RoundScript]) -> list[str]:
    """Play a script at each table, and the bots; return what was not as expected."""
    clock = host.ambient.clock
    assert isinstance(clock, ManualClock)
    lockstep, router = Lockstep(host, clock), Router(host)

    async def play_at(table: str, script: RoundScript) -> list[str]:
        door = Door(lockstep, router, table)
        at = ScriptTable(script, door, door.clock, table=table, operator=table)
        played = await at.play()
        if table not in CUT_SHORT:
            return outcome_of(table, script, played).failures
        void = t.VoidRound(at.round_id, "the table broke down")
        answer = await at.follower.send(void, SUPPORT)
        return [] if answer.accepted else [answer.reason]

    scripts = [play_at(*item) for item in tables.items()]
    bots = [play_bot(Door(lockstep, router, name), bot) for name, bot in BOTS.items()]
    found = await lockstep.run([*scripts, *bots])
    return [failure for failures in found if failures for failure in failures]


async def embedded_streams(tables: Mapping[str, RoundScript]) -> Streams:
    made = await Casino.in_memory(ambient_of(tables))
    host = Embedded(made)
    try:
        assert await play(host, tables) == []
        return streams_of(await host.records())
    finally:
        await made.close()


async def distributed_streams(
    casino: distributed.Casino, tables: Mapping[str, RoundScript]
) -> Streams:
    host = Distributed(casino, ambient_of(tables))
    try:
        await host.start()
        assert await play(host, tables) == []
        return streams_of(await host.records())
    finally:
        await host.stop()


def test_h15_both_hosts_record_the_same(casino: distributed.Casino) -> None:
    """Every stream of every script: types and data, byte by byte."""
    tables = TABLES | CUT_SHORT
    embedded = asyncio.run(embedded_streams(tables))
    over_kafka = asyncio.run(distributed_streams(casino, tables))

    assert differences(embedded, over_kafka) == []
    assert [stream for stream in over_kafka.values() if unpaid(stream)] == []
    for table in tables:
        played_at = {table_stream(table), shoe_stream(table, 1), round_id(table, 1)}
        assert played_at <= embedded.keys()
    assert shoe_stream("bot1", 2) in embedded
