"""Playing at an embedded table: opens it, keeps the purse filled, plays rounds.

Everything it does are commands like anybody's; a killed session goes on where the
log stands.
"""

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from blackjack.reasons import BetReason
from blackjack.rule_sets import default_limits, rule_set
from contracts import catalog, identities
from contracts import round_events as e
from contracts import table as t
from contracts.balances import Balance
from contracts.base import is_refusal, tag_of
from contracts.envelope import Actor
from push22.bot import Wagers, may_act, next_move
from push22.casino import Casino, CasinoDoor
from push22.errors import Failure
from push22.follower import PLATFORM, Follower
from runtime.bus_memory import Delivery

CURRENCY = identities.DEFAULT_CURRENCY
BANKROLL_MINOR = 1_000_000
_WAIT_S = 0.5

_STAKES_A_ROUND = 10
"""Splits, doubles and insurance ask for less than so many times the wagers."""

_CURED_BY_TIME = frozenset(
    {
        BetReason.BETTING_CLOSED,
        BetReason.TABLE_FULL,
        BetReason.ENTRY_BARRED,
        BetReason.MINIMUM_ONLY,
    }
)
"""Refused now, and possible in a later round."""

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
        purse = identities.wallet_stream(table.player, CURRENCY)
        self.follower = Follower(casino, table.id, purse)
        self.follower.on_round = self._hear
        self.closed: list[str] = []
        self._dirty: list[str] = []
        self._news = asyncio.Event()
        self._refused: msgspec.Struct | None = None
        self._unfunded: type[e.WagersRefused | e.FundsDeclined] | None = None

    def _hear(self, round_id: str, event: Any) -> None:
        if identities.table_of_round(round_id) != self.table.id:
            return
        self._news.set()
        if isinstance(event, e.RoundClosed):
            self.closed.append(round_id)
        elif may_act(event):
            self._dirty.append(round_id)
        self._hear_of_funds(event)

    def _hear_of_funds(self, event: Any) -> None:
        """Note what the purse could not bear: asking again changes nothing."""
        if not isinstance(event, e.WagersRefused | e.FundsDeclined):
            return
        is_own = event.player == self.table.player
        if is_own and event.reason == BetReason.INSUFFICIENT_FUNDS:
            self._unfunded = type(event)

    async def open(self) -> None:
        """Open the table, or go on with the round that was in play there."""
        answer = await self.follower.send(opening_of(self.table), PLATFORM)
        if not answer.accepted and answer.reason != "table_exists":
            raise Failure(self.table.rule_set, answer.reason)
        await self.door.host.settle()
        if not answer.accepted:
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Find the open round of the table: here, among those heard of."""
        self._dirty += [
            round_id
            for round_id in self.follower.rounds.open_rounds()
            if identities.table_of_round(round_id) == self.table.id
        ]

    async def fill_purse(self) -> None:
        """Deposit when the bot could not play its bets, doubles and splits."""
        staked = sum(self.table.wagers.main_minor) * len(self.table.wagers.boxes)
        staked += sum(self.table.wagers.side_minor.values())
        need = staked * _STAKES_A_ROUND
        if self.follower.balance_minor(self.table.player, CURRENCY) < need:
            amount_minor = max(BANKROLL_MINOR, need)
            await self.door.deposit(self.table.player, CURRENCY, amount_minor)

    async def play(self, mover: Mover) -> str:
        """Play until a round closes; return its id."""
        await self.fill_purse()
        before = len(self.closed)
        while len(self.closed) == before:
            await self._move(mover)
            await self.door.host.settle()
            # Nothing above waits: let the loop hear of signals here.
            await asyncio.sleep(0)
            if not self._dirty and len(self.closed) == before:
                await self._wait()
        return self.closed[-1]

    async def _wait(self) -> None:
        """Nothing can be done now: wait for a deadline, or for others."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_WAIT_S):
                await self._news.wait()
        self._news.clear()

    async def _move(self, mover: Mover) -> None:
        if not self._dirty:
            return
        round_id = self._dirty[-1]
        self._dirty.clear()
        if self._unfunded is e.WagersRefused:
            raise Failure(round_id, "the wager is refused: insufficient_funds")
        if round_id not in self.follower.rounds.open_rounds():
            return
        move = await mover(round_id)
        if move is not None:
            command, actor = move
            answer = await self.follower.send(command, actor)
            if not answer.accepted:
                self._take_refusal(round_id, command, answer.reason)

    def _take_refusal(self, round_id: str, command: msgspec.Struct, why: str) -> None:
        """Ask the mover once more; the same command twice is a session's end."""
        if why in _CURED_BY_TIME:
            return
        if command == self._refused:
            raise Failure(round_id, f"{tag_of(command)} is refused: {why}")
        self._refused = command
        self._dirty.append(round_id)

    async def bot(self, round_id: str) -> tuple[msgspec.Struct, Actor] | None:
        """Move as the bot does: it asks for nothing that was declined."""
        if self._unfunded is not None:
            raise Failure(round_id, f"{tag_of(self._unfunded)}: insufficient_funds")
        return next_move(self.follower, round_id, self.table.player, self.table.wagers)


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
            if not is_refusal(record.type):
                self.follower.rounds.apply(Delivery(record))
        self._dirty.append(called)
        await self._learn_balance()

    async def has_shoe(self) -> bool:
        """Tell whether cards are there already that the table deals from."""
        worker = self.casino.host.worker("table-orchestrator")
        entry = await worker.states.load(identities.table_stream(self.table.id))
        return entry.state.shoe is not None

    async def _learn_balance(self) -> None:
        stream = identities.wallet_stream(self.table.player, CURRENCY)
        worker = self.casino.host.worker("wallet")
        entry = await worker.states.load(stream)
        if entry.version:
            self.follower.balances[stream] = Balance(entry.state.balance_minor)

    async def _wait(self) -> None:
        """Nothing can be done now: wait for a deadline, or say why none will come."""
        for worker in self.casino.host.workers:
            if worker.aside:
                stuck = ", ".join(sorted(worker.aside))
                where = shlex.quote(str(Path(self.casino.host.file.path).parent))
                see = f"see push22 parked --data {where}"
                reason = f"set aside by {worker.service.name}; {see}"
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
