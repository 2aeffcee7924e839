"""One table of an embedded casino, several bots on one shoe, and a clock by hand."""

from pathlib import Path
from typing import Any

from blackjack.rule_sets import default_limits, rule_set
from contracts import identities
from contracts import round_events as e
from contracts import table as t
from contracts.envelope import Actor, Answer
from contracts.table_events import RoundTerms
from push22.bot import Wagers, next_move
from push22.casino import LOG_NAME, Casino
from push22.follower import PLATFORM, Follower, player_actor
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.bus_memory import Delivery
from runtime.sqlite_file import SqliteFile
from services.table_orchestrator.state import Betting, Playing

TABLE = "t1"
ALICE, BOB, CY = "local.alice", "local.bob", "local.cy"
BOXES = {ALICE: (1,), BOB: (2,), CY: (3,)}


class Evening:
    """A casino with one table; everything that happens is heard in `events`."""

    def __init__(self, folder: Path, *, seed: int = 5) -> None:
        self.clock = ManualClock()
        ambient = Ambient(self.clock, SeededEntropy(seed), KeyRing.in_memory())
        self.casino = Casino(SqliteFile.open(folder / LOG_NAME), ambient)
        self.follower = Follower(self.casino)
        self.events: list[Any] = []
        self.casino.host.subscribe(self._hear)

    def _hear(self, delivery: Delivery) -> None:
        self.events.append(delivery.event)

    async def open(
        self, rules: str, limits: t.TableLimits | None = None, **options: Any
    ) -> "Evening":
        await self.casino.host.start()
        self.rules = rule_set(rules, options)
        own = default_limits(self.rules)
        posted = t.TableLimits(own.min_minor, own.max_minor, own.side_min_minor)
        answer = await self.house(
            t.OpenTable(TABLE, rules, "EUR", options, limits or posted)
        )
        assert answer.accepted, answer
        for name in BOXES:
            await self.casino.deposit(name, "EUR", 1_000_000)
        return self

    async def house(self, command: Any, by: Actor = PLATFORM) -> Answer:
        answer = await self.follower.send(command, by)
        await self.casino.host.settle()
        return answer

    async def player(self, name: str, command: Any) -> Answer:
        return await self.house(command, player_actor(name))

    @property
    def round_id(self) -> str:
        """The round that is open; one at a time at a table."""
        (only,) = self.follower.rounds.open_rounds()
        return only

    @property
    def terms(self) -> RoundTerms:
        state = self.follower.rounds.state(self.round_id)
        assert isinstance(state, Betting | Playing)
        return state.terms

    async def bet(self, name: str, box: int, amount: int = 1000) -> Answer:
        wagers = (amount,) * self.rules.wagers_max
        return await self.player(name, t.PlaceBet(self.round_id, box, wagers))

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds=seconds)
        await self.casino.host.settle()

    async def play(
        self, *names: str, amount: int = 1000, boxes: dict[str, tuple[int, ...]] = BOXES
    ) -> e.RoundClosed:
        """Let these bots play the open round to its end."""
        round_id = self.round_id
        side = {self.rules.side.name: 100} if self.rules.side else {}
        main = (amount,) * self.rules.wagers_max
        # All bets stand before anybody is ready, or the round would begin without.
        for name in names:
            for box in boxes[name]:
                command = t.PlaceBet(round_id, box, main, side)
                answer = await self.player(name, command)
                assert answer.accepted, (name, answer)
        while round_id in self.follower.rounds.open_rounds():
            moved = False
            for name in names:
                if round_id not in self.follower.rounds.open_rounds():
                    break
                wagers = Wagers(boxes[name], main, side)
                move = next_move(self.follower, round_id, name, wagers)
                if move is not None:
                    moved = True
                    await self.house(*move)
            assert moved, f"{round_id} waits and nobody may do anything"
        closed = self.last(e.RoundClosed)
        assert isinstance(closed, e.RoundClosed)
        assert closed.round_id == round_id
        return closed

    def last(self, kind: type[Any]) -> Any:
        return next(event for event in reversed(self.events) if type(event) is kind)

    def all(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if type(event) is kind]

    def balance_minor(self, name: str) -> int:
        return self.follower.balance_minor(name, "EUR")

    async def end(self) -> None:
        await self.casino.close()


def shoe(number: int) -> str:
    return identities.shoe_stream(TABLE, number)
