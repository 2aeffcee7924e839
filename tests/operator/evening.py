"""People of an operator at one table: bots that play on whatever is refused to them."""

import asyncio
from pathlib import Path

from blackjack.rule_sets import default_limits, rule_set
from contracts import table as t
from contracts.identities import table_of_round
from contracts.wallet_calls import OpenSession
from push22.bot import Wagers, next_move
from push22.casino import Casino
from push22.follower import PLATFORM, Follower
from push22.operator.settings import Operators
from runtime.bus_memory import Delivery
from services.table_orchestrator.state import Betting
from services.wallet.state import Wallet

TABLES = tuple(f"t{number}" for number in range(1, 9))
RULES = "ny-switch-6d"
CURRENCY = "EUR"
PLAYERS = {
    f"acme.{name}_{table}": (table, box)
    for table in TABLES
    for box, name in enumerate(("alice", "bob"), start=1)
}
"""Two at each table, each with one box."""
WAGERS = ((1000, 1000), {"super_match": 100})


def players_at(table: str) -> dict[str, int]:
    return {name: box for name, (at, box) in PLAYERS.items() if at == table}


class Evening:
    """An embedded casino of an operator's players, opened again and again."""

    def __init__(self, folder: Path, operators: Operators, seed: int = 5) -> None:
        self.folder = folder
        self.operators = operators
        self.seed = seed
        self.closed = 0

    async def open(self) -> None:
        self.casino = await Casino.open(
            self.folder, seed=self.seed, operators=self.operators
        )
        self.follower = Follower(self.casino)
        self.follower.on_round = self._hear

    def _hear(self, round_id: str, event: object) -> None:
        self.closed += type(event).__name__ == "RoundClosed"

    async def begin(self) -> None:
        """Open the table and let everybody in."""
        own = default_limits(rule_set(RULES))
        limits = t.TableLimits(own.min_minor, own.max_minor, own.side_min_minor)
        for table in TABLES:
            command = t.OpenTable(table, RULES, CURRENCY, limits=limits)
            await self.follower.send(command, PLATFORM)
        while outside := [name for name in PLAYERS if not await self.is_in(name)]:
            for name in outside:
                command = OpenSession(name, CURRENCY, f"token:{name}")
                answer = await self.follower.send(command, PLATFORM)
                assert answer.accepted, answer
            await self.quiet()

    async def is_in(self, name: str) -> bool:
        side = (await self.wallet(name)).operator
        return side is not None and bool(side.session)

    async def wallet(self, name: str) -> Wallet:
        state = await self.casino.host.state("wallet", f"wallet-{name}.{CURRENCY}")
        assert isinstance(state, Wallet)
        return state

    async def quiet(self) -> None:
        """Let every call that is owed be made and recorded."""
        while True:
            await self.casino.host.settle()
            owed = 0
            for name in PLAYERS:
                side = (await self.wallet(name)).operator
                owed += len(side.calls) if side else 0
            if not owed:
                return
            await asyncio.sleep(0.005)

    async def move(self) -> None:
        """Everybody does what is his turn; then the calls have a little time."""
        await self.casino.host.settle()
        for round_id in self.follower.rounds.open_rounds():
            for name, box in players_at(table_of_round(round_id)).items():
                if round_id not in self.follower.rounds.open_rounds():
                    break
                wagers = Wagers((box,), *WAGERS)
                move = next_move(self.follower, round_id, name, wagers)
                if move is not None and not self._too_early(move[0]):
                    await self.follower.send(*move)
                # Calls under way must not wait for everybody's moves.
                await asyncio.sleep(0)
        await asyncio.sleep(0.002)

    def _too_early(self, command: object) -> bool:
        """Nobody is ready before all have bet."""
        if not isinstance(command, t.StartDealing):
            return False
        state = self.follower.rounds.state(command.round_id)
        assert isinstance(state, Betting)
        due = set(players_at(table_of_round(command.round_id)))
        return {bet.player for bet in state.bets} != due

    async def play(self, rounds: int) -> None:
        until = self.closed + rounds
        while self.closed < until:
            await self.move()

    async def crash(self) -> None:
        """Lose the process: calls under way, results not recorded, everything."""
        for runner in self.casino.host.runners:
            await runner.stop()
        self.casino.host.file.close()
        for caller in self.casino.callers:
            await caller.close()
        await self.open()
        await self.catch_up()

    async def catch_up(self) -> None:
        """Fold the open rounds from the log, as a client would."""
        log = self.casino.host.bus.log("table-orchestrator")
        closed = self.closed
        for record in await log.read(0, 0, 10_000_000):
            self.follower._hear(Delivery(record))
        self.closed = closed

    async def close(self) -> None:
        await self.casino.close()
