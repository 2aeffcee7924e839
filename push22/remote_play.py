"""The bot at a table of the distributed casino."""

import asyncio
import os
import sys

import msgspec
from aiokafka.errors import KafkaError

from contracts.envelope import Actor
from push22.bot import next_move
from push22.errors import Failure
from push22.inspect.money import balance_line
from push22.remote import RemoteCasino, RemoteHost
from push22.service_needs import sources
from push22.session import CURRENCY, Player, Table
from runtime.kafka_reach import check_reach
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogError
from runtime.pull import Puller, token

ROUND_S = 120.0
"""A round in which nobody else plays takes no longer than its deadlines."""


def play_remote(bootstrap: str, table: Table, rounds: int) -> int:
    """Play rounds and print each one's id and the balance after it."""
    settings = KafkaSettings.from_environment({**os.environ, "PUSH22_KAFKA": bootstrap})
    try:
        asyncio.run(_play(settings, table, rounds))
    except TimeoutError as error:
        raise Failure(bootstrap, "the casino does not answer") from error
    except (KafkaError, LogError, OSError) as error:
        raise Failure(bootstrap, str(error)) from error
    return 0


async def _play(settings: KafkaSettings, table: Table, rounds: int) -> None:
    await check_reach(settings)
    secret = token()
    puller = Puller(sources(), secret) if secret else None
    casino = RemoteCasino(RemoteHost(settings, puller=puller))
    # Before anything is heard: a round may be in play at the table already.
    player = Player(casino, table)
    try:
        await casino.host.start()
        await player.open()

        async def bot(round_id: str) -> tuple[msgspec.Struct, Actor] | None:
            return next_move(player.follower, round_id, table.player, table.wagers)

        for _ in range(rounds):
            round_id = await asyncio.wait_for(player.play(bot), ROUND_S)
            minor = player.follower.balance_minor(table.player, CURRENCY)
            sys.stdout.write(f"{balance_line(round_id, minor, CURRENCY)}\n")
    finally:
        await casino.close()
