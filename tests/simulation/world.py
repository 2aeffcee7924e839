"""A whole casino from one seed: people who err, a process that dies.

`make simulate SEED=n` plays one world again.
"""

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from blackjack.rule_sets import RULE_SETS
from contracts import table as t
from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.envelope import Actor, Answer
from push22.casino import SERVICES, Casino
from push22.follower import PLATFORM, Follower
from runtime.agenda import is_effect
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.bus_memory import Delivery
from runtime.embedded import EmbeddedHost
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import SqliteFile
from services.archive import PROJECTIONS
from services.table_orchestrator.state import Betting, Playing
from tests.exactness import Exactness
from tests.simulation.auditor import audit
from tests.simulation.faults import Crash, CrashingLog, Fuse, UnrulyBus
from tests.simulation.operator import GUEST, SimulatedOperator
from tests.simulation.players import PLAYERS, Crowd

LOG_NAME = "push22.sqlite3"
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "t1": ("ny-switch-6d", {}),
    "t2": ("ny-switch-8d", {"hole_card": "late"}),
    "t3": ("lv-1d", {}),
}
ONE_TABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "t1": ("ny-switch-6d", {"penetration": 0.5})
}
"""One busy table, so that its cut card comes."""
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "ny-switch-6d": ({"mid_shoe_entry": "barred"},),
    "ny-multiple-action": (
        {"entry": ["no_mid_shoe_entry", "return_minimum_only"]},
        {"entry": ["mid_shoe_minimum_only", "no_return"]},
        {"delivery": "determinate_first"},
    ),
    "lv-6d": ({"overbet": "return_excess"}, {}),
}
"""House options of the fourth table, where it takes any."""
STEPS = 600


class World:
    """One seed's casino; it is rebuilt from its file after each crash."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.path = folder / LOG_NAME
        self.clock = ManualClock()
        self.ambient = Ambient(self.clock, SeededEntropy(seed), KeyRing.in_memory())
        fourth = self.rng.choice(tuple(RULE_SETS))
        options = self.rng.choice(OPTIONS.get(fourth, ({},)))
        self.tables = {**TABLES, "t4": (fourth, options)}
        self.steps = STEPS
        if seed % 4 == 0:
            self.tables, self.steps = ONE_TABLE, 3 * STEPS
        self.crowd = Crowd(self.rng, tuple(self.tables))
        self.sent: list[bytes] = []
        self.answers: dict[bytes, Answer] = {}
        self.handed_on = Exactness()
        self.violations = self.handed_on.faults
        self.crashes = 0
        self.ids = 0
        self.calm = False
        self.operator = SimulatedOperator(seed)

    async def build(self) -> None:
        """Open the file and start every service anew."""
        fuse = Fuse()
        if not self.calm:
            fuse = Fuse(self.rng.randint(10, 600), after=self.rng.random() < 0.5)
        file = SqliteFile.open(self.path)
        self.casino = Casino.__new__(Casino)
        self.casino.ambient = self.ambient
        self.casino.host = host = EmbeddedHost(
            file,
            SERVICES,
            self.ambient,
            projections=PROJECTIONS,
            wrap=lambda log: CrashingLog(log, fuse),
        )
        host.perform_by("wallet", self.operator.perform)
        host.subscribe(self.handed_on.hear)
        if not self.calm:
            self._make_unruly(host)
        self.follower = Follower(self.casino)
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
        host.grouped = self.rng.random() < 0.3

    async def _catch_up(self) -> None:
        """Fold the open rounds and balances from the log, as a client would."""
        for service in ("table-orchestrator", "wallet"):
            log = SqliteLog(self.casino.host.file, service)
            for record in await log.read(0, 0, 1_000_000):
                self.follower._hear(Delivery(record))

    async def survive(self, action: Callable[[], Awaitable[None]]) -> None:
        """Do something; as often as the process dies of it, start it again."""
        while True:
            try:
                await action()
            except Crash:
                self.crashes += 1
                await self.leave()
                self.clock.advance(seconds=self.rng.choice((0.5, 0.5, 30)))
                action = self.build
            else:
                return

    def submit(self, command: msgspec.Struct, actor: Actor) -> None:
        """Send a command; some come under the id of another one."""
        self.ids += 1
        number = self.ids
        if self.rng.random() < 0.03:
            number = self.rng.randint(1, self.ids)
        self.send(self.follower.envelope(command, actor, f"c{number}"))

    def send(self, body: bytes) -> None:
        self.sent.append(body)

        def reply(answer: Answer) -> None:
            """The same bytes get the same answer for ever (H4)."""
            known = self.answers.setdefault(body, answer)
            if known != answer:
                self.violations.append(f"{known} became {answer}")

        self.casino.host.queue(body, reply)

    async def open(self) -> None:
        for table, (rules, options) in self.tables.items():
            self.submit(t.OpenTable(table, rules, "EUR", options), PLATFORM)
        for name in PLAYERS:
            if name != GUEST:
                self.submit(w.Deposit(name, "EUR", 400_000), PLATFORM)
        self.submit(c.OpenSession(GUEST, "EUR", f"token:{GUEST}"), PLATFORM)

    async def step(self) -> None:
        """One random thing happens, then the casino goes on a little."""
        move: Any = None
        chance = self.rng.random()
        if chance < 0.72:
            move = self.crowd.play(self.follower)
        elif chance < 0.80 and self.sent:
            self.send(self.rng.choice(self.sent))
        elif chance < 0.86:
            move = self.crowd.err(self.follower)
        elif chance < 0.88:
            self.clock.advance(seconds=self.rng.choice((6, 16, 40)))
        elif chance < 0.91:
            move = self.crowd.manage(self.follower)
        elif chance < 0.912 and len(self.tables) > 1:
            move = self.crowd.close()
        elif chance < 0.915:
            self.send(self.rng.choice((b"", b"{}", b"\xff", b'{"id":"x"}')))
        if move is not None:
            self.submit(*move)
        for _ in range(self.rng.randint(1, 4)):
            await self.casino.host.step()
            # What the operator says comes between two steps.
            await asyncio.sleep(0)
            self._check_sources()

    def _check_sources(self) -> None:
        """Repeats and delays are no gaps: nothing may be halted by them (H9)."""
        for worker in self.casino.host.workers:
            self.violations += worker.halted.values()

    async def finish(self) -> list[str]:
        """Let every clock run out in calm; then the auditor speaks."""
        await self.leave()
        self.calm = True
        await self.build()
        for _ in range(120):
            await self.settle()
            if not self._busy() and not await self._owed():
                break
            self.clock.advance(seconds=60)
        found = [f"never ended: {what}" for what in self._busy() + await self._owed()]
        self._check_sources()
        await self.leave()
        found += self.operator.unlike(self.path)
        return self.violations + found + audit(self.path)

    async def settle(self) -> None:
        """Step until nothing is left to do, the operator's answers included."""
        for _ in range(20):
            await self.casino.host.settle()
            await asyncio.sleep(0)

    async def leave(self) -> None:
        """End the process, as a kill would: what is under way is not heard of."""
        for runner in self.casino.host.runners:
            await runner.stop()
        self.casino.host.file.close()

    async def _owed(self) -> list[str]:
        """Name the calls that the operator still has to confirm."""
        log = self.casino.host.worker("wallet").log
        return [item.kind for item in await log.agenda() if is_effect(item)]

    def _busy(self) -> list[str]:
        rounds = self.follower.rounds
        return [r for r in rounds.open_rounds() if _in_play(rounds.state(r))]


def _in_play(state: Any) -> bool:
    """Tell a round that goes on from one that waits for its first bet."""
    if isinstance(state, Betting):
        return bool(state.bets or state.pending)
    return isinstance(state, Playing)


def counts(path: Path) -> Counter[str]:
    """Return how often each type of event is in a file."""
    sql = sqlite3.connect(path)
    rows = sql.execute("SELECT type, COUNT(*) FROM records GROUP BY type").fetchall()
    sql.close()
    return Counter(dict(rows))


async def simulate(seed: int, folder: Path, steps: int = 0) -> tuple[World, list[str]]:
    """Play one world; return it and what the auditor found."""
    world = World(seed, folder)
    await world.survive(world.build)
    await world.survive(world.open)
    for _ in range(steps or world.steps):
        await world.survive(world.step)
    return world, await world.finish()
