"""Does what states owe: makes calls at the edge and has what came of them recorded.

One effect at a time for a stream, several streams side by side, never within the
handling loop. Only what is committed is done; after a crash it is done again, under
the same id.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Actor, Answer, CommandEnvelope, Micros
from runtime.agenda import EFFECT
from runtime.at_hand import AT_HAND, Doing
from runtime.commands import Submitted
from runtime.handle import Worker
from runtime.log import AgendaItem
from runtime.metrics import EFFECTS_FAILED
from runtime.telemetry import get_logger

_log = get_logger("runtime.effects")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a stream owes. `was_tried`: an earlier process may have done it already.

    `name` is the effect's, and the id of the command that will record it.
    """

    stream: str
    request: Any
    was_tried: bool
    name: str = ""


Perform = Callable[[Attempt], Awaitable[msgspec.Struct]]
"""Does what is owed; the command that it returns records what came of it."""

PARALLEL_MAX = 64
PAUSE_US = 1_000_000
"""After a fault, or a result that nobody wanted, a stream's effects rest so long."""


class EffectRunner:
    """The effects of one worker's streams. `wake` is called when a result waits."""

    def __init__(
        self, worker: Worker, perform: Perform, wake: Callable[[], None]
    ) -> None:
        self._worker = worker
        self._perform = perform
        self._wake = wake
        self._running: dict[str, asyncio.Task[None]] = {}
        self._rests_until: dict[str, Micros] = {}
        self._found: set[tuple[str, str]] = set()
        self.parallel_max = PARALLEL_MAX

    def found(self) -> None:
        """Note what is owed now as begun by others, who may have tried already."""
        items = self._worker.deadlines.effects(())
        self._found = {(item.stream, item.kind) for item in items}

    async def look_again(self) -> None:
        """Learn of effects that other processes came to owe for our streams."""
        before = {(i.stream, i.kind) for i in self._worker.deadlines.effects(())}
        await self._worker.deadlines.look_again()
        after = {(i.stream, i.kind) for i in self._worker.deadlines.effects(())}
        self._found = (self._found & after) | (after - before)

    async def look(self) -> None:
        """Begin what is due. To be called between cycles only."""
        now = self._worker.ambient.clock.now()
        for item in self._waiting():
            if len(self._running) >= self.parallel_max:
                return
            if self._due_at(item) <= now:
                await self._begin(item)

    def next_due(self) -> Micros | None:
        """Return when the next effect can begin; those under way wake by themselves."""
        if len(self._running) >= self.parallel_max:
            return None
        return min((self._due_at(item) for item in self._waiting()), default=None)

    def _waiting(self) -> list[AgendaItem]:
        owed = self._worker.deadlines.effects(self._worker.aside)
        return [item for item in owed if item.stream not in self._running]

    def _due_at(self, item: AgendaItem) -> Micros:
        return max(item.due_at, self._rests_until.get(item.stream, 0))

    async def _begin(self, item: AgendaItem) -> None:
        states = self._worker.states
        entry = await states.load(item.stream)
        if await states.is_old(entry):
            states.forget(item.stream)
            entry = await states.load(item.stream)
        name = item.kind.removeprefix(EFFECT)
        for effect in entry.owed.effects:
            if effect.id == name:
                # Begun again here it was tried as well: what went wrong may have been
                # its recording, or have come after the request had left.
                was_tried = (item.stream, item.kind) in self._found
                self._found.add((item.stream, item.kind))
                attempt = Attempt(item.stream, effect.request, was_tried, name)
                doing = self._do(attempt)
                self._running[item.stream] = asyncio.create_task(doing)
                return
        # Its row is mended with the stream's next input.
        self._rest(item.stream)

    async def _do(self, attempt: Attempt) -> None:
        stream, name = attempt.stream, attempt.name
        AT_HAND.set(Doing(stream, name, attempt.request))
        try:
            command = await self._perform(attempt)
        except Exception as error:  # noqa: BLE001 - it stays owed, and is told of
            EFFECTS_FAILED.labels(self._worker.service.name).inc()
            _log.error("effect failed", stream=stream, reason=repr(error))
            self._rest(stream)
            return
        if not self._worker.deadlines.is_ours(stream):
            # Whoever holds the stream now does it again, under the same id.
            self._running.pop(stream, None)
            return
        now = self._worker.ambient.clock.now()
        body = catalog.encode(
            CommandEnvelope(
                id=name,
                type=tag_of(command),
                issued_at=now,
                actor=Actor("platform", f"{self._worker.service.name}-effects"),
                data=msgspec.Raw(catalog.encode(command)),
            )
        )

        def recorded(answer: Answer) -> None:
            if answer.accepted:
                self._running.pop(stream, None)
                self._rests_until.pop(stream, None)
                self._found.discard((stream, EFFECT + name))
            else:
                self._rest(stream)

        self._worker.desk.submit(Submitted(body, recorded, now, is_own=True))
        self._wake()

    def _rest(self, stream: str) -> None:
        self._rests_until[stream] = self._worker.ambient.clock.now() + PAUSE_US
        self._running.pop(stream, None)
        self._wake()

    async def stop(self) -> None:
        """Drop what is under way: it stays owed."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._running.clear()
