"""A player at tables, live: one socket at a time, and views that never have a hole.

A lost connection is made again with longer and longer waits. Tables go on after the
last message that came, and orders without an answer are sent again under the ids that
they have: each takes effect once.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Self, TypeVar

from push22.client import messages as m
from push22.client.answers import Accepted
from push22.client.folding import Seen, followed, whole
from push22.client.line import Line, Patience
from push22.client.orders import AnyOrder
from push22.client.problems import Ended, Garbled, Problem, Refused, Unreachable
from push22.client.retries import PASSING
from push22.client.unanswered import Outcome, Unanswered

Found = TypeVar("Found")

_TOO_FAST = 429
PACE_S = 1.0
"""How long the door's rate wants to be left alone, where it refuses without an id."""


class Live:
    """A live session. `you` is the player's own, `tables` what is watched."""

    def __init__(self, url: str, token: str, patience: Patience) -> None:
        self._line = Line(url, token, patience)
        self._patience = patience
        self.you = m.You("", "", 0, {}, ())
        self.tables: dict[str, Seen] = {}
        self._wanted: list[str] = []
        self._denied: dict[str, Problem] = {}
        self._gaps: dict[str, float] = {}
        self._unanswered = Unanswered()
        self._news = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()
        self._slowed: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def connections(self) -> int:
        """How often the door was reached."""
        return self._line.connections

    async def __aenter__(self) -> Self:
        """Connect and say hello. Raises Ended or TimeoutError where that cannot be."""
        self._task = asyncio.create_task(self._line.run(self))
        try:
            await self.until(lambda: self.you.player, self._patience.lost_s)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave; rounds in play go on without this player."""
        tasks = [*self._later, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def until(
        self, holds: Callable[[], Found | None], within_s: float | None = None
    ) -> Found:
        """Return what `holds` finds, looking again after each message.

        Raises TimeoutError, or Ended.
        """
        async with asyncio.timeout(within_s or self._patience.answer_s):
            while not (found := holds()):
                if self._line.end:
                    raise Ended(self._line.end)
                await self._news.wait()
        return found

    async def watch(self, table: str) -> Seen:
        """Watch a table from now on, and return it. Raises Refused."""
        if table not in self._wanted:
            self._wanted.append(table)
            self._denied.pop(table, None)
            await self._watch(table)
        found: Seen | Problem = await self.until(
            lambda: self.tables.get(table) or self._denied.get(table)
        )
        if isinstance(found, Problem):
            raise Refused(found)
        return found

    async def unwatch(self, table: str) -> None:
        """Watch a table no longer."""
        if table in self._wanted:
            self._wanted.remove(table)
        self.tables.pop(table, None)
        await self._line.say(m.write(m.Unwatch(table)))

    async def order(self, order: AnyOrder, *, key: str = "") -> Outcome:
        """Send an order and return its answer, over as many connections as it takes.

        Raises Unreachable where none came in time, and Ended.
        """
        if self._line.end:
            raise Ended(self._line.end)
        name, pending = self._unanswered.add(order, key)
        await self._line.say(pending.text)
        try:
            async with asyncio.timeout(self._patience.answer_s):
                return await asyncio.shield(pending.answer)
        except TimeoutError as error:
            raise Unreachable(f"{name}: no answer in time") from error
        except asyncio.CancelledError:
            if pending.answer.cancelled():
                raise Ended(self._line.end) from None
            raise
        finally:
            self._unanswered.drop(name)

    # What the line tells.

    async def welcomed(self, you: m.You) -> None:
        """Go on where the last connection ended, on a new one."""
        self.you = you
        self._tell()
        for table in tuple(self._wanted):
            await self._watch(table)
        for text in self._unanswered.texts():
            await self._line.say(text)

    async def hear(self, message: m.Told) -> None:
        match message:
            case m.You():
                self.you = message
            case m.Snapshot():
                self._hear_snapshot(message)
            case m.Delta():
                await self._hear_delta(message)
            case m.Answer():
                answer = Accepted(message.id, message.stream, message.version)
                self._unanswered.settle(message.id, answer)
            case m.Wrong():
                self._hear_problem(message)
        self._tell()

    def lost(self, *, garbled: bool) -> None:
        """Forget the gaps; after nonsense, the places in the feeds as well."""
        self._gaps.clear()
        if garbled:
            self.tables.clear()

    def ended(self) -> None:
        self._unanswered.cancel()
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _watch(self, table: str) -> None:
        seen = self.tables.get(table)
        place = (seen.feed, seen.seq) if seen else ()
        await self._line.say(m.write(m.Watch(table, *place)))

    def _hear_snapshot(self, snapshot: m.Snapshot) -> None:
        table = snapshot.table
        self._gaps.pop(table, None)
        if table in self._wanted:
            self.tables[table] = whole(snapshot, self.tables.get(table))

    async def _hear_delta(self, delta: m.Delta) -> None:
        """Fold a delta; where one is missing, ask for what came after the last."""
        table = delta.table
        seen = self.tables.get(table)
        if seen is None:
            return
        after = followed(seen, delta)
        if after is not None:
            self.tables[table] = after
            self._gaps.pop(table, None)
            return
        now = asyncio.get_running_loop().time()
        asked_at = self._gaps.setdefault(table, now)
        if asked_at == now:
            await self._watch(table)
        elif now - asked_at > self._patience.answer_s:
            raise Garbled(f"{table}: what is missing does not come")

    def _hear_problem(self, wrong: m.Wrong) -> None:
        """A problem without an id is about the oldest message without an answer."""
        problem = Problem(wrong.reason, wrong.status, wrong.detail)
        is_pace = wrong.status == _TOO_FAST and not wrong.detail
        if is_pace:
            self._slow_down()
            return
        denied = next((x for x in self._wanted if x not in self.tables), "")
        if not wrong.id and denied:
            self._wanted.remove(denied)
            self._denied[denied] = problem
            return
        name = wrong.id or self._unanswered.oldest()
        if wrong.status not in PASSING or not self._put_off(name):
            self._unanswered.settle(name, problem)

    def _put_off(self, name: str) -> bool:
        """Say an order again later, as long as there is hope."""
        pending = self._unanswered.get(name)
        if pending is None or pending.put_off >= self._patience.again.attempts:
            return False
        pending.put_off += 1
        self._after(self._repeat(name, pending.put_off))
        return True

    def _after(self, saying: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(saying)
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        return task

    async def _repeat(self, name: str, tried: int) -> None:
        await asyncio.sleep(self._wait_s(tried))
        pending = self._unanswered.get(name)
        if pending is not None:
            await self._line.say(pending.text)

    def _slow_down(self) -> None:
        """The door was told too much, and may have left out more than it names."""
        if self._slowed is None or self._slowed.done():
            self._slowed = self._after(self._repeat_all())

    async def _repeat_all(self) -> None:
        await asyncio.sleep(PACE_S + self._wait_s(1))
        for table in tuple(self._wanted):
            if table not in self.tables:
                await self._watch(table)
        for text in self._unanswered.texts():
            await self._line.say(text)

    def _wait_s(self, tried: int) -> float:
        chance = random.random()  # noqa: S311 - jitter keeps no secret
        return self._patience.again.wait_s(tried, chance)
