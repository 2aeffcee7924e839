"""One bot's first round, driven so that it goes on after a crash at any await."""

import sqlite3
from pathlib import Path

import msgspec

from contracts import catalog
from contracts import wallet as w
from contracts.table import OpenTable
from push22.bot import Wagers, next_move
from push22.casino import SERVICES, Casino
from push22.follower import PLATFORM, Follower
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.bus_memory import Delivery
from runtime.embedded import EmbeddedHost
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import SqliteFile
from tests.simulation.faults import Crash, CrashingLog, Fuse

BOT = "local.bot"
WAGERS = Wagers((1,), (1000, 1000), {"super_match": 300})
ROUND = "round-t1-1"
DOUBLED, INSURED = 13, 30
"""Chances: a switch, a hit and a paid double; an offered insurance and a look."""


class OneRound:
    """Any crash is followed by a fresh start on the same file."""

    def __init__(self, path: Path, fuse: Fuse, *, chance: int = DOUBLED) -> None:
        self.path = path
        self.fuse = fuse
        self.chance = chance
        self.clock = ManualClock()
        self.keys = KeyRing("k", {"k": bytes(32)})

    async def play(self) -> None:
        while True:
            file = SqliteFile.open(self.path)
            try:
                await self._play(file)
            except Crash:
                continue
            finally:
                file.close()
            return

    async def _play(self, file: SqliteFile) -> None:
        casino = Casino.__new__(Casino)
        casino.ambient = Ambient(self.clock, SeededEntropy(self.chance), self.keys)
        casino.host = EmbeddedHost(
            file,
            SERVICES,
            casino.ambient,
            wrap=lambda log: CrashingLog(log, self.fuse),
        )
        follower = Follower(casino)
        await casino.host.start()
        for service in ("table-orchestrator", "wallet"):
            for record in await SqliteLog(file, service).read(0, 0, 10_000):
                follower._hear(Delivery(record))
        await self._drive(follower)

    async def _drive(self, follower: Follower) -> None:
        """Send what a client would, under ids that a restart sends again."""
        host = follower.casino.host
        for number, command in enumerate(
            (OpenTable("t1", "ny-switch-6d", "EUR"), w.Deposit(BOT, "EUR", 100_000))
        ):
            await host.submit(follower.envelope(command, PLATFORM, f"open{number}"))
        await host.settle()
        while ROUND in follower.rounds.open_rounds():
            move = next_move(follower, ROUND, BOT, WAGERS)
            if move is not None:
                name = f"{type(move[0]).__name__}-{follower.rounds.version(ROUND)}"
                await host.submit(follower.envelope(*move, name))
            await host.settle()


def story(path: Path) -> list[tuple[str, int, str, str, object]]:
    """Return what a retry may not change (H14): all but offsets, times and seals."""
    sql = sqlite3.connect(path)
    rows = sql.execute("SELECT body FROM records ORDER BY stream, version").fetchall()
    sql.close()
    found = []
    for (body,) in rows:
        envelope = catalog.decode_envelope(body)
        data = msgspec.json.decode(envelope.data)
        data.pop("sealed", None)
        at = (envelope.stream, envelope.version, envelope.type, envelope.caused_by)
        found.append((*at, data))
    return found
