"""Bots at tables of a casino elsewhere, all at once."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from contracts.envelope import Actor
from push22.bot import Wagers, next_move
from push22.remote import RemoteCasino
from push22.session import Player, Table
from tests.e2e.distributed import Casino

WAGERS = Wagers((1,), (1000, 1000), {"super_match": 100})
ROUND_S = 60.0
"""No round takes longer, whatever is killed meanwhile."""


class Bots:
    """One player at each of several tables."""

    def __init__(self, casino: RemoteCasino, tables: Sequence[str]) -> None:
        self.casino = casino
        self.players = [
            Player(casino, Table(name, "ny-switch-6d", f"local.{name}", WAGERS))
            for name in tables
        ]

    async def open(self) -> None:
        for player in self.players:
            await player.open()

    async def play(self, rounds: int) -> list[str]:
        """Play so many rounds at each table; return what was closed."""
        await asyncio.gather(*(self._play(player, rounds) for player in self.players))
        return [round_id for player in self.players for round_id in player.closed]

    async def play_until(self, is_over: Callable[[], bool]) -> None:
        """Play on at each table until it is over; the rounds at hand are ended."""

        async def play(player: Player) -> None:
            while not is_over():
                await self._play(player, 1)

        await asyncio.gather(*(play(player) for player in self.players))

    async def _play(self, player: Player, rounds: int) -> None:
        async def bot(round_id: str) -> tuple[msgspec.Struct, Actor] | None:
            who = player.table.player
            return next_move(player.follower, round_id, who, WAGERS)

        for _ in range(rounds):
            await asyncio.wait_for(player.play(bot), ROUND_S)


async def play(casino: Casino, tables: Sequence[str], rounds: int) -> list[str]:
    """Play so many rounds at each table; return what was closed."""
    door = await RemoteCasino.open(casino.settings)
    try:
        bots = Bots(door, tables)
        await bots.open()
        return await bots.play(rounds)
    finally:
        await door.close()
