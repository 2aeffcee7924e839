"""The embedded host: every service in one process over one SQLite file.

One thread steps the workers in a fixed order; each cycle of a worker is one
transaction for everything that waits for it, and one commit makes the transactions
of a step durable (docs/decisions/0012).
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from contracts import catalog
from contracts.envelope import Answer
from runtime import tracing
from runtime.ambient import Ambient
from runtime.answer_times import time_answers
from runtime.bus_memory import MemoryBus
from runtime.clock_order import check_clock
from runtime.commands import Submitted
from runtime.effects import EffectRunner, Perform
from runtime.handle import RACES_MAX, Worker
from runtime.hearers import Hearer, Hearers, name_of, tell_one
from runtime.inputs import Committed
from runtime.log import Conflict, Log
from runtime.log_sqlite import SqliteLog
from runtime.metrics import begin_at_zero
from runtime.projection import Projection, Projector
from runtime.service import Service
from runtime.sqlite_file import GroupUndone, SqliteFile
from runtime.telemetry import get_logger
from runtime.watcher import NO_WATCHER, Watcher

_log = get_logger("runtime.embedded")

_ALIVE_EVERY_US = 1_000_000
_IDLE_WAIT_S = 1.0
_PROJECT_AT = 500
_PASSES_MAX = 40
"""After so many rounds of answering one another, what was done is made durable."""


class EmbeddedHost:
    """Start it, submit commands, step it; or let `run` do the stepping."""

    def __init__(
        self,
        file: SqliteFile,
        services: Sequence[Service],
        ambient: Ambient,
        *,
        projections: Sequence[Projection] = (),
        wrap: Callable[[Log], Log] = lambda log: log,
    ) -> None:
        self.file = file
        self.ambient = ambient
        self.bus = MemoryBus()
        logs = {
            service.name: wrap(SqliteLog(file, service.name)) for service in services
        }
        for log in logs.values():
            self.bus.attach(log)
        self.workers = [
            Worker(service, logs[service.name], self.bus, ambient)
            for service in services
        ]
        for service in services:
            begin_at_zero(service.name, service.sources)
        self.projectors = [Projector(p, file, self.bus) for p in projections]
        self._performs: dict[str, Perform] = {}
        self.runners: list[EffectRunner] = []
        self.watcher: Watcher = NO_WATCHER
        self._hearers = Hearers()
        self._taker = {
            tag: worker for worker in self.workers for tag in worker.service.commands
        }
        self._waiting: set[asyncio.Future[Answer]] = set()
        self._wake = asyncio.Event()
        self._running = False
        self._stopped = False
        self._closed = False
        self._alive_at = 0
        self._undone: list[tuple[Worker, Committed]] | None = None
        self.grouped = True
        """Whether one commit serves all services of a step (docs/decisions/0012)."""

    def perform_by(self, service: str, perform: Perform) -> None:
        """Say, before the start, who does what a service's states owe."""
        self._performs[service] = perform

    async def start(self) -> None:
        """Learn where everything stands; nothing else is needed after a crash."""
        await check_clock((w.log for w in self.workers), self.ambient.clock)
        for worker in self.workers:
            await worker.start()
        for projector in self.projectors:
            projector.start()
        self.watcher.start()
        for service, perform in self._performs.items():
            runner = EffectRunner(self.worker(service), perform, self._wake.set)
            runner.found()
            self.runners.append(runner)

    def worker(self, service: str) -> Worker:
        return next(w for w in self.workers if w.service.name == service)

    async def state(self, service: str, stream: str) -> Any:
        """Return a stream's state as its service would decide from it now."""
        if self._undone is not None:
            await self._take_back(self._undone)
        return (await self.worker(service).states.load(stream)).state

    def subscribe(self, hearer: Hearer, *keys: str) -> None:
        """Hear of each record after its commit; of those with these keys, or of all."""
        self._hearers.subscribe(hearer, *keys)

    def submit_nowait(self, body: bytes) -> asyncio.Future[Answer]:
        """Queue a command; the future is done when its answer is committed."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.queue(body, _set(future))
        self._waiting.add(future)
        future.add_done_callback(self._waiting.discard)
        return future

    def queue(self, body: bytes, reply: Callable[[Answer], None]) -> None:
        """Queue a command; `reply` is called when its answer is committed.

        Raises ConnectionError after `stop`.
        """
        if self._closed:
            raise ConnectionError("the host has stopped: it takes no more commands")
        now = self.ambient.clock.now()
        self._worker_for(body).desk.submit(Submitted(body, reply, now))
        self._wake.set()

    def _worker_for(self, body: bytes) -> Worker:
        """Route by type; what can't be read is parked by the first command taker."""
        try:
            tag = catalog.type_of_command(body)
        except catalog.Undecodable:
            tag = ""
        default = next(iter(self._taker.values()))
        return self._taker.get(tag, default)

    async def submit(self, body: bytes) -> Answer:
        """Send a command and wait for its recorded answer."""
        future = self.submit_nowait(body)
        while not future.done() and not self._running:
            await self.step()
        return await future

    async def step(self) -> bool:
        """Do all that is there to do and make it durable; true if anything was done.

        Grouped, the services' transactions are made durable by one commit, and only
        then answered and heard of. What fails is taken back whole before the next
        step, as a restart would.
        """
        for _ in range(RACES_MAX):
            try:
                progress = await self._attempt()
            except GroupUndone as undone:
                failure = undone.failure
                if not isinstance(failure, Conflict):
                    raise failure from undone
            else:
                self.watcher.look()
                for runner in self.runners:
                    await runner.look()
                return progress
        raise failure

    async def _attempt(self) -> bool:
        if self._undone is not None:
            await self._take_back(self._undone)
        done: list[tuple[Worker, Committed]] = []
        try:
            if self.grouped:
                with self.file.group():
                    progress = await self._passes(done)
            else:
                progress = await self._pass(done)
        except BaseException:
            self._undone = done
            for worker in self.workers:
                worker.states.forget_all()
            raise
        self._tell(done)
        return progress

    async def _passes(self, done: list[tuple[Worker, Committed]]) -> bool:
        """Let every service answer the others until nothing is left to do now."""
        progress = False
        for _ in range(_PASSES_MAX):
            if not await self._pass(done):
                break
            progress = True
        return progress

    async def _pass(self, done: list[tuple[Worker, Committed]]) -> bool:
        progress = False
        for worker in self.workers:
            busy = len(worker.desk) > 0
            cycle = await worker.cycle()
            done.append((worker, cycle))
            progress = progress or busy or worker.has_moved or bool(cycle.deliveries)
            if not self.grouped:
                self._tell([done.pop()])
        for projector in self.projectors:
            # An index may lag while there is work; group commit makes it cheap.
            at_least = _PROJECT_AT if progress else 1
            progress = await projector.cycle(at_least=at_least) or progress
        await self._note_alive()
        return progress

    def _tell(self, done: list[tuple[Worker, Committed]]) -> None:
        """Answer and let hear what is durable; nobody's error keeps it from others."""
        now = self.ambient.clock.now()
        for worker, cycle in done:
            for submitted, answer in cycle.replies:
                tell_one(submitted.reply, answer, answer.command_id)
            time_answers(worker.service.name, cycle.replies, now)
            tracing.tell(worker.service.name, cycle)
        for _, cycle in done:
            for delivery in cycle.deliveries:
                for hearer in self._hearers.of(delivery.record.stream):
                    tell_one(hearer, delivery, name_of(delivery))

    async def _take_back(self, undone: list[tuple[Worker, Committed]]) -> None:
        """Forget everything that the log may not hold; learn it again from there."""
        self.bus.forget()
        while undone:
            # The newest first; each once, even if what follows fails again.
            worker, cycle = undone.pop()
            worker.desk.put_back(cycle.taken)
        for worker in self.workers:
            await worker.start_again()
        for projector in self.projectors:
            projector.start()
        self._undone = None

    async def _note_alive(self) -> None:
        now = self.ambient.clock.now()
        if now - self._alive_at < _ALIVE_EVERY_US:
            return
        self._alive_at = now
        for worker in self.workers:
            await worker.log.note_alive(now)

    async def settle(self) -> None:
        """Step until nothing is left to do now."""
        while await self.step():
            pass

    def next_due(self) -> int | None:
        """Return when the earliest deadline is due, if there is one."""
        times = [worker.next_due() for worker in self.workers]
        times += [runner.next_due() for runner in self.runners]
        return min((due for due in times if due is not None), default=None)

    async def run(self) -> None:
        """Step until `stop`; sleep while there is nothing to do."""
        self._running = True
        try:
            while not self._stopped:
                self._wake.clear()
                if not await self.step():
                    await self._sleep()
                else:
                    await asyncio.sleep(0)
        except BaseException as error:
            self._fail_waiting(error)
            raise
        finally:
            self._running = False

    def _fail_waiting(self, error: BaseException) -> None:
        """Nobody may wait for ever for a host that is gone."""
        for future in list(self._waiting):
            if not future.done():
                future.set_exception(ConnectionError(f"the host stopped: {error}"))

    async def _sleep(self) -> None:
        wait = _IDLE_WAIT_S
        due = self.next_due()
        if due is not None:
            left = (due - self.ambient.clock.now()) / 1_000_000
            wait = min(wait, max(left, 0.001))
        try:
            await asyncio.wait_for(self._wake.wait(), wait)
        except TimeoutError:
            return

    async def stop(self) -> None:
        """Finish what is queued and close the file."""
        self._stopped = True
        self._wake.set()
        try:
            for runner in self.runners:
                await runner.stop()
            self.runners.clear()
            await self.settle()
            self.watcher.close()
        finally:
            self._closed = True
            self.file.close()


def _set(future: asyncio.Future[Answer]) -> Callable[[Answer], None]:
    def reply(answer: Answer) -> None:
        if not future.done():
            future.set_result(answer)

    return reply
