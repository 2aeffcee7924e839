"""The whole casino under fire, judged by an auditor that knows no decision."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from contracts import catalog
from contracts import wallet as w
from contracts.table import OpenTable
from push22.bot import Wagers, next_move
from push22.casino import SERVICES, Casino
from push22.client import PLATFORM, Client
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.bus_memory import Delivery
from runtime.embedded import EmbeddedHost
from runtime.log_sqlite import SqliteLog
from runtime.sqlite_file import SqliteFile
from tests.simulation.auditor import audit
from tests.simulation.faults import Crash, CrashingLog, Fuse
from tests.simulation.world import simulate

SEEDS = int(os.environ.get("PUSH22_SIMULATION_SEEDS", "12"))
BOT = "local.bot"
WAGERS = Wagers((1,), (1000, 1000), {"super_match": 300})


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_h9_h10_no_money_is_lost_in_a_random_world(seed: int, tmp_path: Path) -> None:
    """Crashes, repeats, delays, errors and voids leave nothing that is wrong."""
    world, found = asyncio.run(simulate(seed, tmp_path))

    assert found == [], f"make simulate SEED={seed}"
    assert world.crashes > 0


class OneRound:
    """A bot's first round; any crash is followed by a fresh start on the same file."""

    def __init__(self, path: Path, fuse: Fuse) -> None:
        self.path = path
        self.fuse = fuse
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
        ambient = Ambient(self.clock, SeededEntropy(7), self.keys)
        casino = Casino.__new__(Casino)
        casino.ambient = ambient
        casino.host = EmbeddedHost(
            file, SERVICES, ambient, wrap=lambda log: CrashingLog(log, self.fuse)
        )
        client = Client(casino)
        await casino.host.start()
        for service in ("table-orchestrator", "wallet"):
            for record in await SqliteLog(file, service).read(0, 0, 10_000):
                client._hear(Delivery(record))
        await self._drive(client)

    async def _drive(self, client: Client) -> None:
        """Send what a client would, under ids that a restart sends again."""
        host = client.casino.host
        opening = (
            OpenTable("t1", "ny-switch-6d", "EUR"),
            w.Deposit(BOT, "EUR", 100_000),
        )
        for number, command in enumerate(opening):
            await host.submit(client.envelope(command, PLATFORM, f"open{number}"))
        first = "round-t1-1"
        await host.settle()
        while first in client.rounds.open_rounds():
            move = next_move(client, first, BOT, WAGERS)
            if move is not None:
                name = f"{type(move[0]).__name__}-{client.rounds.version(first)}"
                await host.submit(client.envelope(*move, name))
            await host.settle()


def records(path: Path) -> list[tuple[str, int, str, bytes]]:
    """Return (stream, version, type, data) of every record, the shoe's seals aside."""
    sql = sqlite3.connect(path)
    rows = sql.execute("SELECT body FROM records ORDER BY stream, version").fetchall()
    sql.close()
    found = []
    for (body,) in rows:
        envelope = catalog.decode_envelope(body)
        data = bytes(envelope.data)
        if envelope.type == "shoe.shoe_committed.v1":
            data = b"sealed under a fresh nonce"
        found.append((envelope.stream, envelope.version, envelope.type, data))
    return found


def test_h14_a_crash_at_any_await_changes_no_record(tmp_path: Path) -> None:
    """Killed before or after each call of a log, the round comes out the same."""
    fuse = Fuse()
    calm = OneRound(tmp_path / "calm.sqlite3", fuse)
    asyncio.run(calm.play())
    expected = records(calm.path)
    assert any(kind == "table.round_closed.v1" for _, _, kind, _ in expected)

    for at in range(1, fuse.count + 1):
        for after in (False, True):
            path = tmp_path / f"crash-{at}-{after}.sqlite3"
            asyncio.run(OneRound(path, Fuse(at, after=after)).play())
            assert records(path) == expected, f"await {at}, after={after}"
            assert audit(path) == []


def test_the_auditor_sees_a_cent_too_much(tmp_path: Path) -> None:
    """A changed amount in the log is a violation: the auditor can fail."""
    path = tmp_path / "casino.sqlite3"
    asyncio.run(OneRound(path, Fuse()).play())
    sql = sqlite3.connect(path)
    sql.execute("DROP TRIGGER records_stay_unchanged")
    sql.execute(
        "UPDATE records SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)"
        " WHERE type = 'wallet.deposited.v1'",
        ('"balance_minor":1', '"balance_minor":2'),
    )
    sql.commit()
    sql.close()

    found = audit(path)

    assert any("says" in line for line in found)
    assert any("chain" in line for line in found)
