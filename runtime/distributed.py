"""The distributed host: one service of a casino in a process of its own.

It runs the same loop as the embedded host. Kafka brings records and commands, the
position in the service's own database says what was handled, and Kafka's offsets are
only a hint for where to begin after a restart.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from contracts.envelope import Answer
from contracts.identities import partition_of
from contracts.topics import TOPICS, Kind, Topic
from runtime import tracing
from runtime.ambient import Ambient
from runtime.answer_times import time_answers
from runtime.bus_kafka import KafkaBus
from runtime.clock_order import check_clock
from runtime.commands import Submitted
from runtime.effects import EffectRunner, Perform
from runtime.gaps import Gaps
from runtime.handle import Worker
from runtime.kafka_records import Beacon, KafkaMessage
from runtime.log import Conflict, LogError, Position
from runtime.log_postgres import PostgresLog
from runtime.metrics import BATCHES, LOG_FAILURES, begin_at_zero
from runtime.misfits import fitting
from runtime.pull import Puller
from runtime.relay import Relay
from runtime.service import Service
from runtime.tail_guard import TailGuard, TailLost
from runtime.telemetry import get_logger

_log = get_logger("runtime.distributed")

TICK_S = 0.02
"""So often deadlines are looked at."""

ALIVE_S = 1.0
STALLED_S = 30.0
"""Work that makes no progress for so long: the process is not alive (FC9)."""

_RETRY_S = 0.5

_LOOK_FOR_EFFECTS_S = 0.5
_LOOK_AGAIN_S = 2.0
"""So often it is asked what other instances came to owe for our partitions, and which
deadlines they opened there: whoever holds a partition fires for all."""


def topics_of(service: Service) -> tuple[Topic, ...]:
    """Return what a service reads: the events of its sources, and its commands."""
    return tuple(
        topic
        for topic in TOPICS
        if (topic.kind is Kind.EVENTS and topic.service in service.sources)
        or (topic.kind is Kind.COMMANDS and topic.service == service.name)
    )


def event_topic(service: str) -> Topic:
    return next(t for t in TOPICS if t.kind is Kind.EVENTS and t.service == service)


class DistributedHost:
    """Feeds one worker from Kafka; the relay feeds Kafka from its log."""

    def __init__(  # noqa: PLR0913 - the parts of a process
        self,
        service: Service,
        log: PostgresLog,
        ambient: Ambient,
        *,
        relay: Relay,
        puller: Puller,
        guard: TailGuard,
    ) -> None:
        self.service = service
        self.log = log
        self.ambient = ambient
        self.relay = relay
        self.puller = puller
        self.fault: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Fails if nothing may be appended any more: only an operator can help."""
        self._guard = guard
        self.bus = KafkaBus(log, service.sources, log.partitions)
        self.gaps = Gaps(self.bus, puller)
        self.worker = Worker(service, log, self.bus, ambient)
        begin_at_zero(service.name, service.sources)
        self.worker.deadlines.is_ours = self._is_ours
        self._topics = {topic.name: topic for topic in topics_of(service)}
        self._held: frozenset[int] = frozenset()
        self._lock = asyncio.Lock()
        self._alive_at = 0.0
        self._progress_at = 0.0
        self._is_stopping = False
        self._needs_learning = True
        self._looked_at = 0.0
        self._has_results = asyncio.Event()
        self.effects: EffectRunner | None = None

    def perform_by(self, perform: Perform) -> None:
        """Say, before the start, who does what the service's states owe."""
        self.effects = EffectRunner(self.worker, perform, self._has_results.set)

    def _is_ours(self, stream: str) -> bool:
        return partition_of(stream, self.log.partitions) in self._held

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def start(self) -> None:
        """Learn where everything stands."""
        self._progress_at = self._now()
        await check_clock((self.log,), self.ambient.clock)
        await self._learn()

    async def _learn(self) -> None:
        """Read positions, deadlines and what is set aside from the database."""
        # Partitions may be given or taken meanwhile: then it is learned once more.
        self._needs_learning = False
        try:
            await self._guard.check()
            self.worker.states.forget_all()
            await self.worker.start()
        except BaseException:
            self._needs_learning = True
            raise
        for position in self.worker.positions.values():
            self.bus.begin(position)
            if not self._reads(position):
                self.bus.let_go(position)
        if self.effects is not None:
            self.effects.found()

    def hold(self, partitions: frozenset[int]) -> None:
        """Say which partitions are ours now; others may have moved them on."""
        self._held = partitions
        self._needs_learning = True

    def progress_age_s(self) -> float:
        return self._now() - self._progress_at

    @property
    def is_alive(self) -> bool:
        """Tell whether work that waits is getting done."""
        is_moving = self._now() - self._progress_at < STALLED_S
        return is_moving and not self.fault.done()

    @property
    def is_ready(self) -> bool:
        """Tell whether everything that is known of was handled."""
        positions = self.worker.positions.values()
        return (
            not self._needs_learning
            and not self.bus.halted
            and not self.worker.halted
            and len(self.worker.desk) == 0
            and all(self.bus.missing(position) is None for position in positions)
        )

    async def on_batch(self, messages: Sequence[KafkaMessage]) -> bool:
        """Handle messages of any topics and partitions; never raises for content.

        False: the host was told to stop before all of them were handled.
        """
        BATCHES.labels(self.service.name).inc()
        async with self._lock:
            for message in messages:
                self._take(message)
            return await self._work()

    def _take(self, message: KafkaMessage) -> None:
        topic = self._topics[message.topic]
        if topic.kind is Kind.COMMANDS:
            now = self.ambient.clock.now()
            self.worker.desk.submit(Submitted(message.value or b"", _unheard, now))
            return
        found = fitting(self.service.name, message, topic.service)
        if isinstance(found, Beacon):
            self.bus.note_beacon(found)
        elif found is not None:
            self.bus.offer(found)

    async def _work(self) -> bool:
        """Handle all that is there, however long the database is away.

        False: it was told to stop before everything was handled.
        """
        while not self._is_stopping:
            try:
                if self._needs_learning:
                    await self._learn()
                self._fill_gaps()
                if not await self._cycle():
                    self._progress_at = self._now()
                    await self._see_to_others()
                    return True
                self._progress_at = self._now()
            except TailLost as error:
                if not self.fault.done():
                    self.fault.set_exception(error)
                raise
            except LogError as error:
                if not isinstance(error, Conflict):
                    _log.warning("the log is not there", error=str(error))
                LOG_FAILURES.labels(self.service.name).inc()
                self._needs_learning = True
                await asyncio.sleep(_RETRY_S)
        return False

    async def _see_to_others(self) -> None:
        """Learn what other instances committed for our partitions, and begin it."""
        if self._is_time_to_look():
            self._looked_at = self._now()
            if self.effects is None:
                await self.worker.deadlines.look_again()
            else:
                await self.effects.look_again()
        if self.effects is not None:
            await self.effects.look()

    def _is_time_to_look(self) -> bool:
        every = _LOOK_AGAIN_S if self.effects is None else _LOOK_FOR_EFFECTS_S
        return self._now() - self._looked_at >= every

    async def _cycle(self) -> bool:
        busy = len(self.worker.desk) > 0
        committed = await self.worker.cycle()
        for submitted, answer in committed.replies:
            submitted.reply(answer)
        time_answers(self.service.name, committed.replies, self.ambient.clock.now())
        tracing.tell(self.service.name, committed)
        if committed.deliveries:
            self.relay.offer([delivery.record for delivery in committed.deliveries])
        return busy or self.worker.has_moved or bool(committed.deliveries)

    def _fill_gaps(self) -> None:
        self.gaps.fill(
            position
            for position in list(self.worker.positions.values())
            if self._reads(position)
        )

    def _reads(self, position: Position) -> bool:
        """Tell whether it is for us to read: others go on where we hold nothing.

        A source by another key than ours may be read in any partition.
        """
        return position.partition in self._held or self._is_foreign(position)

    def _is_foreign(self, position: Position) -> bool:
        return event_topic(position.source).key is not event_topic(self.log.service).key

    async def tick(self) -> None:
        """Fire what is due, look at what waits, say that we are alive."""
        if self._lock.locked():
            return
        async with self._lock:
            due = self.worker.next_due()
            is_due = due is not None and due <= self.ambient.clock.now()
            is_due = is_due or self.effects is not None or self._is_time_to_look()
            if is_due or self.bus.depth or self._needs_learning or not self.is_ready:
                await self._work()
            else:
                self._progress_at = self._now()
            await self._note_alive()

    async def _note_alive(self) -> None:
        if self._now() - self._alive_at < ALIVE_S:
            return
        self._alive_at = self._now()
        try:
            await self.log.note_alive(self.ambient.clock.now())
        except LogError as error:
            _log.warning("the log is not there", error=str(error))
            self._needs_learning = True

    async def run(self) -> None:
        """Tick until `stop`."""
        while not self._is_stopping:
            self._has_results.clear()
            await self.tick()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_results.wait(), TICK_S)

    async def stop(self) -> None:
        """Finish the cycle at hand; what waits is read again after a restart."""
        self._is_stopping = True
        if self.effects is not None:
            await self.effects.stop()
        async with self._lock:
            await self.gaps.stop()


def _unheard(answer: Answer) -> None:
    """Whoever sent the command sees its events, which carry the command's id."""
    del answer
