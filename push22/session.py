"""Playing at an embedded table: opens it, keeps the purse filled, plays rounds.

Everything it does are commands like anybody's; a killed session goes on where the
log stands.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from blackjack.rule_sets import default_limits, rule_set
from contracts import catalog, identities
from contracts import round_events as e
from contracts import table as t
from contracts.envelope import Actor
from push22.bot import Wagers, may_act, next_move
from push22.casino import Casino, CasinoDoor
from push22.client import PLATFORM, Client
from push22.errors import Failure
from runtime.bus_memory import Delivery

CURRENCY = identities.DEFAULT_CURRENCY
BANKROLL_MINOR = 1_000_000
_WAIT_S = 0.05

Mover = Callable[[str], Awaitable[tuple[msgspec.Struct, Actor] | None]]


class Table(msgspec.Struct, frozen=True):
    """Which table is played at, by whom, and for how much."""

    id: str
    rule_set: str
    player: str
    wagers: Wagers


class Player:
    """One player at one table of any casino."""

    def __init__(self, casino: CasinoDoor, table: Table) -> None:
        self.door = casino
        self.table = table
        self.client = Client(casino)
        self.client.on_round = self._hear
        self.closed: list[str] = []
        self._dirty: list[str] = []

    def _hear(self, round_id: str, event: Any) -> None:
        if identities.table_of_round(round_id) != self.table.id:
            return
        if isinstance(event, e.RoundClosed):
            self.closed.append(round_id)
        elif may_act(event):
            self._dirty.append(round_id)

    async def open(self) -> None:
        """Open the table, or go on with the round that was in play there."""
        answer = await self.client.send(opening_of(self.table), PLATFORM)
        if not answer.accepted and answer.reason != "table_exists":
            raise Failure(self.table.rule_set, answer.reason)
        await self.door.host.settle()
        if not answer.accepted:
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Find the open round of the table: here, among those heard of."""
        self._dirty += [
            round_id
            for round_id in self.client.rounds.open_rounds()
            if identities.table_of_round(round_id) == self.table.id
        ]

    async def fill_purse(self) -> None:
        """Deposit when the bot could not play its bets, doubles and splits."""
        staked = sum(self.table.wagers.main_minor) * len(self.table.wagers.boxes)
        if self.client.balance_minor(self.table.player, CURRENCY) < staked * 8:
            await self.door.deposit(self.table.player, CURRENCY, BANKROLL_MINOR)

    async def play(self, mover: Mover) -> str:
        """Play until a round closes; return its id."""
        await self.fill_purse()
        before = len(self.closed)
        while len(self.closed) == before:
            await self._move(mover)
            await self.door.host.settle()
            if not self._dirty and len(self.closed) == before:
                await self._wait()
        return self.closed[-1]

    async def _wait(self) -> None:
        """Nothing can be done now: wait for a deadline, or for others."""
        await asyncio.sleep(_WAIT_S)

    async def _move(self, mover: Mover) -> None:
        if not self._dirty:
            return
        round_id = self._dirty[-1]
        self._dirty.clear()
        if round_id not in self.client.rounds.open_rounds():
            return
        move = await mover(round_id)
        if move is not None:
            command, actor = move
            await self.client.send(command, actor)

    async def bot(self, round_id: str) -> tuple[msgspec.Struct, Actor] | None:
        """Move as the bot does."""
        return next_move(self.client, round_id, self.table.player, self.table.wagers)


class Session(Player):
    """A player at a table of the casino in this process."""

    def __init__(self, casino: Casino, table: Table) -> None:
        super().__init__(casino, table)
        self.casino = casino

    async def _catch_up(self) -> None:
        """Fold the table's open round from the log."""
        log = self.casino.host.bus.log("table-orchestrator")
        called = ""
        for record in await log.read_stream(identities.table_stream(self.table.id), 0):
            if record.type == "table.round_called.v1":
                called = catalog.decode_event(
                    catalog.decode_envelope(record.body)
                ).round_id
        if not called:
            return
        for record in await log.read_stream(called, 0):
            if not record.type.endswith(".command_refused.v1"):
                self.client.rounds.apply(Delivery(record))
        self._dirty.append(called)
        await self._learn_balance()

    async def _learn_balance(self) -> None:
        stream = identities.wallet_stream(self.table.player, CURRENCY)
        worker = self.casino.host.worker("wallet")
        entry = await worker.states.load(stream)
        if entry.version:
            self.client.balances_minor[stream] = entry.state.balance_minor

    async def _wait(self) -> None:
        """Nothing can be done now: wait for a deadline, or say why none will come."""
        for worker in self.casino.host.workers:
            if worker.aside:
                stuck = ", ".join(sorted(worker.aside))
                reason = f"set aside by {worker.service.name}; see push22 parked"
                raise Failure(stuck, reason)
            if worker.halted:
                raise Failure(worker.service.name, "; ".join(worker.halted.values()))
        await super()._wait()


def opening_of(table: Table) -> t.OpenTable:
    """Ask for the table with the limits that its rule set has by itself."""
    own = default_limits(rule_set(table.rule_set))
    limits = t.TableLimits(own.min_minor, own.max_minor, own.side_min_minor)
    return t.OpenTable(table.id, table.rule_set, CURRENCY, limits=limits)


def table_id(rule_set: str) -> str:
    """Return the id of the table that plays a rule set: `ny_switch_6d`."""
    return rule_set.replace("-", "_")
