"""Players at many tables at once, who play on whatever happens to the casino.

Everything they send is kept with the answer they got: the judge compares it with what
the logs say.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec

from contracts import catalog
from contracts import table as t
from contracts.envelope import Actor, Answer
from contracts.identities import table_of_round
from push22.bot import Wagers, next_move
from push22.casino import PLATFORM, CasinoDoor
from push22.errors import Failure
from push22.remote import RemoteCasino, RemoteHost
from push22.session import Player, Table
from runtime.embedded import Hearer
from runtime.pull import Puller, addresses
from tests.e2e.distributed import Casino

WAGERS = Wagers((1,), (1000, 1000), {"super_match": 100})
ANSWER_S = 300.0
"""No command stays without an answer for longer, whatever is broken meanwhile."""

END_S = 240.0
"""At a closed table the last round ends by its deadlines, if by nothing else."""

QUIET_S = 3.0
_STEP_S = 0.05


class Witness:
    """The casino's host, and what was sent through it."""

    def __init__(self, host: RemoteHost) -> None:
        self.host = host
        self.sent: dict[str, bytes] = {}
        self.answers: dict[str, Answer] = {}

    async def submit(self, body: bytes) -> Answer:
        command_id = catalog.decode_command_envelope(body).id
        self.sent[command_id] = body
        answer = await self.host.submit(body)
        self.answers[command_id] = answer
        return answer

    def subscribe(self, hearer: Hearer, *keys: str) -> None:
        self.host.subscribe(hearer, *keys)

    async def settle(self) -> None:
        await self.host.settle()


class WitnessedDoor(CasinoDoor):
    """A door at which everything that is sent is kept."""

    def __init__(self, casino: RemoteCasino) -> None:
        self.ambient = casino.ambient
        self.host: Witness = Witness(casino.host)


class Crowd:
    """One player at each of many tables of one casino."""

    def __init__(self, casino: RemoteCasino, tables: Sequence[str]) -> None:
        self.remote = casino.host
        self.door = WitnessedDoor(casino)
        self.players = [
            Player(self.door, Table(name, "ny-switch-6d", f"local.{name}", WAGERS))
            for name in tables
        ]
        self.failures: list[str] = []

    @property
    def closed(self) -> int:
        return sum(len(player.closed) for player in self.players)

    async def play_until(self, is_over: Callable[[], bool]) -> None:
        """Open all tables and play on at each; then close them and end the rounds."""
        async with asyncio.TaskGroup() as together:
            for player in self.players:
                together.create_task(self._table(player, is_over))

    async def _table(self, player: Player, is_over: Callable[[], bool]) -> None:
        await player.open()
        while not is_over():
            await self._round(player)
        closing = t.CloseTable(player.table.id, "it is over")
        await player.follower.send(closing, PLATFORM)
        await self._end(player)

    async def _round(self, player: Player) -> None:
        """Play a round; a refused move is the player's loss, not the casino's."""
        try:
            await player.play(self._mover(player))
        except Failure as error:
            self.failures.append(str(error))

    async def _end(self, player: Player) -> None:
        """Play what is still open at a closed table, until nothing opens any more."""
        mover = self._mover(player)
        begun = quiet_at = time.monotonic()
        while time.monotonic() - quiet_at < QUIET_S:
            if left := self._open(player):
                quiet_at = time.monotonic()
                assert quiet_at - begun < END_S, f"still open to its player: {left}"
            try:
                await player._move(mover)
            except Failure as error:
                self.failures.append(str(error))
            await asyncio.sleep(_STEP_S)

    @staticmethod
    def _open(player: Player) -> list[str]:
        return [
            round_id
            for round_id in player.follower.rounds.open_rounds()
            if table_of_round(round_id) == player.table.id
        ]

    @staticmethod
    def _mover(
        player: Player,
    ) -> Callable[[str], Awaitable[tuple[msgspec.Struct, Actor] | None]]:
        async def bot(round_id: str) -> tuple[msgspec.Struct, Actor] | None:
            who = player.table.player
            return next_move(player.follower, round_id, who, WAGERS)

        return bot


@asynccontextmanager
async def crowd_at(casino: Casino, tables: Sequence[str]) -> AsyncIterator[Crowd]:
    """Players who are trusted with the services' token, as a gateway is."""
    puller = Puller(addresses(casino.environment), casino.environment["PUSH22_TOKEN"])
    door = await RemoteCasino.open(casino.settings, answer_s=ANSWER_S, puller=puller)
    try:
        yield Crowd(door, tables)
    finally:
        await door.close()
