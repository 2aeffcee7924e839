"""People of an operator at one table: bots that play on whatever is refused to them."""

import asyncio
from pathlib import Path

from blackjack.rule_sets import default_limits, rule_set
from contracts import table as t
from contracts.wallet_calls import OpenSession
from push22.bot import Wagers, next_move
from push22.casino import Casino
from push22.client import PLATFORM, Client
from push22.operator.settings import Operators
from services.table_orchestrator.state import Betting
from services.wallet.state import Wallet

TABLE = "t1"
RULES = "ny-switch-6d"
CURRENCY = "EUR"
PLAYERS = {"acme.alice": (1,), "acme.bob": (2,)}
WAGERS = ((1000, 1000), {"super_match": 100})


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
        self.client = Client(self.casino)
        self.client.on_round = self._hear

    def _hear(self, round_id: str, event: object) -> None:
        self.closed += type(event).__name__ == "RoundClosed"

    async def begin(self) -> None:
        """Open the table and let everybody in."""
        own = default_limits(rule_set(RULES))
        limits = t.TableLimits(own.min_minor, own.max_minor, own.side_min_minor)
        await self.client.send(
            t.OpenTable(TABLE, RULES, CURRENCY, limits=limits), PLATFORM
        )
        for name in PLAYERS:
            await self.enter(name)

    async def enter(self, name: str) -> None:
        """Come with a token until the operator has opened a session."""
        while not (side := (await self.wallet(name)).operator) or not side.session:
            command = OpenSession(name, CURRENCY, f"token:{name}")
            answer = await self.client.send(command, PLATFORM)
            assert answer.accepted, answer
            await self.quiet()

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
        for round_id in self.client.rounds.open_rounds():
            for name, boxes in PLAYERS.items():
                if round_id not in self.client.rounds.open_rounds():
                    break
                wagers = Wagers(boxes, *WAGERS)
                move = next_move(self.client, round_id, name, wagers)
                if move is not None and not self._too_early(move[0]):
                    await self.client.send(*move)
        await asyncio.sleep(0.002)

    def _too_early(self, command: object) -> bool:
        """Nobody is ready before all have bet."""
        if not isinstance(command, t.StartDealing):
            return False
        state = self.client.rounds.state(command.round_id)
        assert isinstance(state, Betting)
        return {bet.player for bet in state.bets} != set(PLAYERS)

    async def play(self, rounds: int) -> None:
        until = self.closed + rounds
        while self.closed < until:
            await self.move()

    async def close(self) -> None:
        await self.casino.close()
