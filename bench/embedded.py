"""Settled rounds a second of the embedded casino, 64 tables in flight, one process.

Beside it in the same run: the bare SQLite append of as many records of the same size
in as many commits, and the `eventsourcing` library storing as many events.
"""

import asyncio
import resource
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from contracts import identities
from contracts import round_events as e
from contracts import table as t
from contracts.base import tag_of
from push22.bot import HEARD, Wagers, move_in
from push22.casino import LOG_NAME, PLATFORM, Casino
from push22.garbage import keep_what_stands
from runtime.bus_memory import Delivery

_RULES = "ny-switch-6d"
_WAGERS = Wagers((1,), (1000, 1000), {"super_match": 100})
_BANKROLL = 1_000_000_000
_HEARD = frozenset(tag_of(kind) for kind in HEARD)
_CLOSED = tag_of(e.RoundClosed)


class Driver:
    """Plays every table at once and counts what was settled.

    The players' own work is not the casino's: they look at the service's state
    instead of folding the events once more.
    """

    def __init__(self, casino: Casino, tables: int) -> None:
        self.casino = casino
        casino.host.subscribe(self._hear)
        self.players = {f"t{n}": f"local.p{n}" for n in range(tables)}
        self.dirty: set[str] = set()
        self.closed = 0

    def _hear(self, delivery: Delivery) -> None:
        kind, round_id = delivery.record.type, delivery.record.stream
        if kind in _HEARD:
            self.dirty.add(round_id)
        elif kind == _CLOSED:
            self.closed += 1
            self.dirty.discard(round_id)

    async def open(self) -> None:
        for table, player in self.players.items():
            opening = t.OpenTable(table, _RULES, "EUR")
            await self.casino.host.submit(self.casino.envelope(opening, PLATFORM))
            await self.casino.deposit(player, "EUR", _BANKROLL)
        await self.casino.host.settle()

    async def move(self) -> None:
        for round_id in self.dirty:
            player = self.players[identities.table_of_round(round_id)]
            state = await self.casino.host.state("table-orchestrator", round_id)
            found = move_in(state, player, _WAGERS)
            if found is not None:
                self.casino.host.queue(self.casino.envelope(*found), _ignore)
        self.dirty.clear()

    async def play(self, rounds: int) -> None:
        while self.closed < rounds:
            await self.move()
            await self.casino.host.step()


def _ignore(answer: Any) -> None:
    del answer


async def measure(data: Path, rounds: int, tables: int) -> tuple[float, int, int]:
    """Return seconds, records written and commits made."""
    casino = await Casino.open(data)
    driver = Driver(casino, tables)
    await driver.open()
    keep_what_stands()
    before = _records(data)
    begun = time.perf_counter()
    await driver.play(rounds)
    took = time.perf_counter() - begun
    written = _records(data) - before
    await casino.close()
    return took, written, driver.closed


def _records(data: Path) -> int:
    connection = sqlite3.connect(data / LOG_NAME)
    count = connection.execute("SELECT COUNT(*) FROM records").fetchone()[0]
    connection.close()
    return int(count)


def bare_append(path: Path, records: int, per_commit: int) -> float:
    """Append as many records of the same size in one table, `per_commit` at a time."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE r (o INTEGER PRIMARY KEY, s TEXT, v INT, b BLOB)")
    connection.execute("CREATE UNIQUE INDEX i ON r (s, v)")
    body = bytes(700)
    begun = time.perf_counter()
    for start in range(0, records, per_commit):
        rows = [(n, f"s{n % 64}", n, body) for n in range(start, start + per_commit)]
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO r VALUES (?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
    took = time.perf_counter() - begun
    connection.close()
    return took


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    with tempfile.TemporaryDirectory() as folder:
        took, records, closed = asyncio.run(measure(Path(folder), rounds, 64))
        per_round = records / closed
        print(f"embedded, 64 tables   {closed / took:8.0f} rounds/s  (goal 500)")
        print(f"records a round       {per_round:8.1f}")
        floor = bare_append(Path(folder) / "floor.sqlite3", records, 64)
        print(f"floor: bare append    {closed / floor:8.0f} rounds/s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"peak memory           {peak:8d} MiB")


if __name__ == "__main__":
    main()
