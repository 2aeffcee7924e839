"""A whole casino from one seed: players who err, and a process that dies.

`python -m tests.simulation SEED` plays one world again.
"""

import hashlib
import random
import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.bot import Wagers, next_move
from push22.casino import SERVICES, Casino
from push22.client import PLATFORM, Client, player_actor
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.embedded import EmbeddedHost
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import SqliteFile
from services.archive import PROJECTIONS
from services.table_orchestrator.state import Betting, Playing
from tests.simulation.auditor import audit
from tests.simulation.faults import Crash, CrashingLog, Fuse, UnrulyBus

SUPPORT = Actor("support", "sam")
TABLES = {
    "t1": ("ny-switch-6d", {}),
    "t2": ("ny-switch-8d", {"hole_card": "late"}),
    "t3": ("ny-switch-6d", {"mid_shoe_entry": "barred", "penetration": 0.5}),
}
PLAYERS = ("local.ann", "local.bob", "local.cy")


class World:
    """One seed's casino; it is rebuilt from its file after each crash."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.path = folder / "push22.sqlite3"
        self.clock = ManualClock()
        self.keys = KeyRing.in_memory()
        self.entropy = SeededEntropy(seed)
        self.sent: list[bytes] = []
        self.crashes = 0
        self.ids = 0

    async def build(self, *, calm: bool = False) -> None:
        """Open the file and start every service anew."""
        fuse = Fuse()
        if not calm:
            fuse = Fuse(self.rng.randint(20, 600), after=self.rng.random() < 0.5)
        ambient = Ambient(self.clock, self.entropy, self.keys)
        file = SqliteFile.open(self.path)
        self.casino = Casino.__new__(Casino)
        self.casino.ambient = ambient
        self.casino.host = host = EmbeddedHost(
            file,
            SERVICES,
            ambient,
            projections=PROJECTIONS,
            wrap=lambda log: CrashingLog(log, fuse),
        )
        if not calm:
            self._make_unruly(host)
        self.client = Client(self.casino)
        await host.start()
        await self._catch_up()

    def _make_unruly(self, host: EmbeddedHost) -> None:
        bus = UnrulyBus(self.rng)
        for worker in host.workers:
            bus.attach(worker.log)
            worker.bus = bus
            worker.batch_max = self.rng.choice((1, 3, 256))
        host.bus = bus
        self.rng.shuffle(host.workers)

    async def _catch_up(self) -> None:
        """Fold the open rounds and balances from the log, as a client would."""
        from runtime.bus_memory import Delivery

        for service in ("table-orchestrator", "wallet"):
            log = SqliteLog(self.casino.host.file, service)
            for record in await log.read(0, 0, 1_000_000):
                self.client._hear(Delivery(record))

    async def survive(self, action: Any) -> None:
        """Do something; if the process dies of it, start it again."""
        try:
            await action()
        except Crash:
            self.crashes += 1
            self.casino.host.file.close()
            self.clock.advance(seconds=self.rng.choice((0.5, 30)))
            while True:
                try:
                    await self.build()
                    return
                except Crash:
                    self.casino.host.file.close()

    def submit(self, command: msgspec.Struct, actor: Actor, *, again: int = 0) -> None:
        self.ids += 1
        body = self.client.envelope(command, actor, f"c{self.ids - again}")
        self.sent.append(body)
        self.casino.host.queue(body, lambda answer: None)

    async def open(self) -> None:
        for table, (rules, options) in TABLES.items():
            self.submit(t.OpenTable(table, rules, "EUR", options), PLATFORM)
        for name in PLAYERS:
            self.submit(w.Deposit(name, "EUR", 200_000), PLATFORM)

    async def step(self) -> None:
        """One random thing happens, then the casino goes on a little."""
        chance = self.rng.random()
        rounds = self.client.rounds.open_rounds()
        if chance < 0.7 and rounds:
            self._play(self.rng.choice(rounds))
        elif chance < 0.78 and self.sent:
            self.casino.host.queue(self.rng.choice(self.sent), lambda answer: None)
        elif chance < 0.84 and rounds:
            self._err(self.rng.choice(rounds))
        elif chance < 0.86:
            self.clock.advance(seconds=self.rng.choice((6, 16, 40)))
        elif chance < 0.87 and rounds:
            self.submit(t.VoidRound(self.rng.choice(rounds), "simulated"), SUPPORT)
        elif chance < 0.88:
            self._manage()
        for _ in range(self.rng.randint(1, 4)):
            await self.casino.host.step()

    def _play(self, round_id: str) -> None:
        state = self.client.rounds.state(round_id)
        name = self.rng.choice(PLAYERS)
        if isinstance(state, Betting):
            self._bet(state, name)
            return
        move = next_move(self.client, round_id, name, Wagers((), ()))
        if move is not None and isinstance(state, Playing):
            self.submit(*move)

    def _bet(self, state: Betting, name: str) -> None:
        box = PLAYERS.index(name) + 1
        own = [bet for bet in state.bets if bet.player == name]
        chance = self.rng.random()
        actor = player_actor(name)
        if state.closed and own:
            self.submit(t.OpenSeed(state.round_id, box, b"seed"), actor)
        elif not own or chance < 0.15:
            wager = self.rng.choice((1000, 1001, 2500, 400_000))
            side = {"super_match": 300} if self.rng.random() < 0.6 else {}
            seed = hashlib.sha256(b"seed").digest() if self.rng.random() < 0.3 else b""
            bet = t.PlaceBet(state.round_id, box, (wager, wager), side, seed)
            self.submit(bet, actor)
        elif chance < 0.22:
            self.submit(t.WithdrawBet(state.round_id, box), actor)
        elif chance < 0.8:
            self.submit(t.StartDealing(state.round_id), actor)

    def _err(self, round_id: str) -> None:
        actor = player_actor(self.rng.choice(PLAYERS))
        kind = self.rng.choice((t.Hit, t.SplitHand, t.SwitchCards, t.InsureHand))
        target = self.rng.choice(("1", "1.1", "1.2", "2.1", "3.2", "9.9", ""))
        again = self.rng.choice((0, 0, 1))
        self.submit(kind(round_id, target), actor, again=again)

    def _manage(self) -> None:
        table = self.rng.choice(tuple(TABLES))
        limits = t.TableLimits(self.rng.choice((1000, 2000)))
        self.submit(
            self.rng.choice(
                (t.ChangeLimits(table, limits), t.ChangeDealer(table, "dora"))
            ),
            PLATFORM,
        )

    async def finish(self) -> list[str]:
        """Let every clock run out in calm; then the auditor speaks."""
        self.casino.host.file.close()
        await self.build(calm=True)
        for _ in range(60):
            await self.casino.host.settle()
            if not self._busy():
                break
            self.clock.advance(seconds=60)
        found = [f"never ended: {round_id}" for round_id in self._busy()]
        self.casino.host.file.close()
        return found + audit(self.path)

    def _busy(self) -> list[str]:
        rounds = self.client.rounds
        return [r for r in rounds.open_rounds() if _in_play(rounds.state(r))]


def _in_play(state: Any) -> bool:
    if isinstance(state, Betting):
        return bool(state.bets or state.pending)
    return isinstance(state, Playing)


def counts(path: Path) -> dict[str, int]:
    """Return how often each type of event is in a file."""
    sql = sqlite3.connect(path)
    rows = sql.execute("SELECT type, COUNT(*) FROM records GROUP BY type").fetchall()
    sql.close()
    return dict(rows)


async def simulate(
    seed: int, folder: Path, steps: int = 600
) -> tuple[World, list[str]]:
    """Play one world; return it and what the auditor found."""
    world = World(seed, folder)
    await _first(world)
    await world.survive(world.open)
    for _ in range(steps):
        await world.survive(world.step)
    return world, await world.finish()


async def _first(world: World) -> None:
    while True:
        try:
            await world.build()
            return
        except Crash:
            world.casino.host.file.close()
