"""A small casino's data: two tables, and every kind of thing that can happen."""

import hashlib
import shutil
import sqlite3
from pathlib import Path

import msgspec

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.bot import Wagers
from push22.casino import KEYS_NAME, LOG_NAME, Casino
from push22.follower import PLATFORM, player_actor
from push22.session import Session, Table
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.sqlite_file import SqliteFile

ALICE, BOB = "local.alice", "local.bob"
SUPPORT = Actor("support", "carol")
SEED = b"alice's own seed"

VOIDED = "round-t2-2"
"""Voided by support in mid-round."""
TIMED_OUT = "round-t2-3"
"""Bob fell silent; the table decided for him."""
REPLACED = "round-t2-4"
"""Bob replaced a bet and withdrew another one."""
PLAIN = "round-t1-2"


class Play:
    """Plays with a clock that the test holds."""

    def __init__(self, data: Path) -> None:
        self.clock = ManualClock()
        keys = KeyRing.load(data / KEYS_NAME)
        ambient = Ambient(self.clock, SeededEntropy(7), keys)
        self.casino = Casino(SqliteFile.open(data / LOG_NAME), ambient)

    async def run(self) -> None:
        await self.casino.host.start()
        await self._switch(rounds=30)
        await self._multiple_action()
        await self.casino.close()

    async def _switch(self, rounds: int) -> None:
        """Enough rounds for a shoe to be used up; the first has a player's seed."""
        wagers = Wagers((1, 2), (1000, 1000), {"super_match": 100})
        session = Session(self.casino, Table("t1", "ny-switch-6d", ALICE, wagers))
        await session.open()
        await session.fill_purse()
        await self._seed(session)
        for _ in range(rounds):
            self.clock.advance(seconds=1.5)
            await session.play(session.bot)

    async def _seed(self, session: Session) -> None:
        """Bet with a seed's hash, get a refusal on the way, and open the seed."""
        alice, name = player_actor(ALICE), "round-t1-1"
        seed_hash = hashlib.sha256(SEED).digest()
        bet = t.PlaceBet(name, 3, (1000, 1000), seed_hash=seed_hash)
        await session.follower.send(bet, alice)
        await session.follower.send(t.Hit(name, "3.1"), alice)
        await session.follower.send(t.Hit("round-t9-1", "1.1"), alice)
        await session.follower.send(t.StartDealing(name), alice)
        await self.casino.host.settle()
        await session.follower.send(t.OpenSeed(name, 3, SEED), alice)
        await self.casino.host.settle()
        while name in session.follower.rounds.open_rounds():
            move = await session.bot(name)
            assert move is not None
            await session.follower.send(*move)
            await self.casino.host.settle()

    async def _multiple_action(self) -> None:
        table = Table("t2", "ny-multiple-action", BOB, Wagers((1,), (1000,) * 3))
        session = Session(self.casino, table)
        await session.open()
        await session.fill_purse()
        await session.play(session.bot)
        await self._voided(session)
        await self._timed_out(session)
        await self._replaced(session)
        withdraw = w.Withdraw(BOB, "EUR", 5000)
        await session.follower.send(withdraw, PLATFORM)
        await session.follower.send(w.Withdraw(BOB, "EUR", 10**12), PLATFORM)

    async def _bet(self, session: Session, name: str, box: int, *wagers: int) -> None:
        await self._do(session, t.PlaceBet(name, box, wagers))

    async def _do(self, session: Session, command: msgspec.Struct) -> None:
        await session.follower.send(command, player_actor(BOB))
        await self.casino.host.settle()

    async def _voided(self, session: Session) -> None:
        await self._bet(session, VOIDED, 1, 1000, 1000, 1000)
        await self._do(session, t.StartDealing(VOIDED))
        void = t.VoidRound(VOIDED, "the wrong shoe was on the table")
        answer = await session.follower.send(void, SUPPORT)
        assert answer.accepted, answer
        await self.casino.host.settle()

    async def _timed_out(self, session: Session) -> None:
        await self._bet(session, TIMED_OUT, 1, 1000, 1000, 1000)
        while TIMED_OUT in session.follower.rounds.open_rounds():
            self.clock.advance(seconds=31)
            await self.casino.host.settle()

    async def _replaced(self, session: Session) -> None:
        await self._bet(session, REPLACED, 1, 1000, 1000, 1000)
        await self._bet(session, REPLACED, 1, 2000, 2000, 1000)
        await self._do(session, t.WithdrawBet(REPLACED, 1))
        await self._bet(session, REPLACED, 1, 1000, 1000, 1000)
        session._dirty.append(REPLACED)
        await session.play(session.bot)


def copy_of(data: Path, to: Path) -> sqlite3.Connection:
    """Copy a casino's data and open the copy with its guards taken away."""
    shutil.copytree(data, to, dirs_exist_ok=True)
    KeyRing.load(to / KEYS_NAME)
    file = sqlite3.connect(to / LOG_NAME, isolation_level=None)
    for (name,) in file.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall():
        file.execute(f"DROP TRIGGER {name}")
    return file
