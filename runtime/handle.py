"""The handling loop: inputs in, one transaction out. Shared by every host.

For each input: react, load the state, decide, evolve. Then everything of the cycle,
positions and answers included, is appended at once. Nothing takes effect twice and
nothing is skipped: see docs/architecture.md.
"""

from time import time_ns

from contracts import catalog
from contracts.envelope import Answer, Micros
from runtime import snapshots
from runtime.ambient import Ambient, KeyMissing
from runtime.at_hand import AT_HAND
from runtime.bus_memory import Bus, Delivery, Source
from runtime.clock_order import LogTime
from runtime.commands import AcceptedCommand, CommandDesk, Submitted
from runtime.deadlines import Deadlines
from runtime.decisions import Decisions
from runtime.halts import note_halt
from runtime.hops import Hops
from runtime.inputs import (
    Committed,
    Cycle,
    Input,
    from_command,
    from_deadline,
    from_record,
    input_parked,
    reason_of,
    record_parked,
    source_key,
)
from runtime.log import (
    AgendaItem,
    Batch,
    Conflict,
    Log,
    LogError,
    Move,
    Parked,
    Position,
    Record,
    Snapshot,
)
from runtime.metrics import APPEND_SECONDS, PARKED, REPEATS
from runtime.outage import ALONE_MS, SHARED_MS, Outage
from runtime.positions import misfit_of
from runtime.service import Service, To
from runtime.states import States, StreamState
from runtime.telemetry import get_logger
from runtime.tracing import Took

_log = get_logger("runtime.handle")

BATCH_MAX, RACES_MAX = 256, 20
"""Records of a partition in one cycle; conflicts in a row that are no race any more."""


class Worker:
    """Runs one service over one log."""

    def __init__(self, service: Service, log: Log, bus: Bus, ambient: Ambient) -> None:
        self.service = service
        self.log = log
        self.bus = bus
        self.ambient = ambient
        self.time = LogTime(ambient.clock)
        self.states = States(service, log, ambient.keys)
        self.deadlines = Deadlines(log, self.states)
        self.desk = CommandDesk(service, log)
        self.decisions = Decisions(service, ambient, self.states, self.desk)
        self.hops = Hops(service.name)
        self._appending = APPEND_SECONDS.labels(service.name)
        self.positions: dict[tuple[str, int], Position] = {}
        self._written: dict[tuple[str, int], int] = {}
        self.halted: dict[str, str] = {}
        self.aside: set[str] = set()
        self.batch_max = BATCH_MAX
        self.has_moved = False
        least_ms = SHARED_MS if log.is_shared else ALONE_MS
        self._outage = Outage(service.name, least_ms)
        self._snapshots: list[Snapshot] = []

    async def start(self) -> None:
        """Learn positions, open deadlines and what is set aside."""
        for source in self.service.sources:
            await self._learn_position(source)
        await self._learn_aside()
        self._snapshots = []
        await self.deadlines.learn()
        await self._note_time()

    async def _learn_aside(self) -> None:
        """Read what is set aside: other instances may have done so too (H9)."""
        self.aside = await self.log.aside()

    async def _learn_after_race(self) -> None:
        await self._learn_aside()
        if self.log.is_shared:
            await self.deadlines.learn_after_race()
            await self._note_time()

    async def _learn_position(self, source: str) -> None:
        log = self.bus.source(source)
        for partition in range(log.partitions):
            known = await self.log.position(source, partition)
            fresh = Position(source, partition, log.incarnation)
            self.positions[source, partition] = known or fresh
            self._written[source, partition] = known.offset if known else 0
            if known is not None:
                await self._check_position(known, log)

    async def _check_position(self, known: Position, log: Source) -> None:
        """A source that is another log, or shorter than we read it, is halted (H9)."""
        head = await log.head(known.partition)
        reason = "" if head is None else misfit_of(known, log.incarnation, head)
        if reason:
            self._halt(known.source, reason)

    def _halt(self, source: str, reason: str) -> None:
        self.halted[source] = reason
        note_halt(self.service.name, source, reason)

    async def _note_time(self) -> None:
        """Open deadlines are first extended by the length of the outage (H10)."""
        alive_at = await self.log.alive_at()
        self.time.learn(alive_at)
        self._outage.learn(alive_at, self.time.now(), self.deadlines.streams)

    def next_due(self) -> int | None:
        """Return when the earliest deadline of a stream not set aside is due."""
        return self.deadlines.next_due(self.aside)

    async def start_again(self) -> None:
        """Forget what was never made durable; learn everything from the log."""
        self._rollback()
        await self.start()

    async def cycle(self) -> Committed:
        """Handle what is there; return what was committed."""
        for race in range(RACES_MAX):
            submitted = self.desk.take(self.batch_max)
            work = Cycle(Batch(self.time.now()))
            try:
                await self._gather(work, submitted)
                deliveries = await self.commit(work)
                return Committed(deliveries, work.replies, submitted, work.notes)
            except Conflict:
                self._rollback()
                self.desk.put_back(submitted)
                if race == RACES_MAX - 1:
                    raise
                await self._learn_after_race()
                for source in self.service.sources:
                    await self._learn_position(source)
            except BaseException:
                self._rollback()
                self.desk.put_back(submitted)
                raise
        raise AssertionError("the last race raises")

    def _rollback(self) -> None:
        self.states.forget_all()

    async def _gather(self, work: Cycle, submitted: list[Submitted]) -> None:
        for stream, mended in self.deadlines.mended.items():
            self._plan_again(work, stream, mended.items, mended.version)
        for item in self._outage.inputs(work.batch.now):
            await self.handle(work, item)
        for source in self.service.sources:
            if source not in self.halted:
                await self._take_source(work, source)
        if submitted:
            await self._take_commands(work, submitted)
        waiting = self.desk.oldest()
        now = work.batch.now
        await self._take_deadlines(work, now if waiting is None else waiting - 1)

    async def _take_source(self, work: Cycle, source: str) -> None:
        for partition in range(self.bus.source(source).partitions):
            position = self.positions[source, partition]
            deliveries = await self.bus.after(
                source, partition, position.offset, self.batch_max
            )
            if deliveries:
                position = await self._take_records(work, position, deliveries)
            self._note_position(work, source, partition, position)

    async def _take_records(
        self, work: Cycle, position: Position, deliveries: list[Delivery]
    ) -> Position:
        """Handle what comes next, drop repeats, halt the source at a misfit (H9)."""
        source, partition, incarnation, offset, link = position
        reactions = [self._reaction(delivery) for delivery in deliveries]
        await self.states.prefetch(
            to.stream for found in reactions if isinstance(found, tuple) for to in found
        )
        for delivery, reaction in zip(deliveries, reactions, strict=True):
            record = delivery.record
            if record.offset <= offset:
                REPEATS.labels(self.service.name, source).inc()
                continue
            if record.offset != offset + 1:
                gap = f"gap: {record.service} offset {record.offset} after {offset}"
                self._halt(source, gap)
                break
            if record.previous != link:
                self._halt(source, f"fork: {record.service} offset {record.offset}")
                break
            if reaction is not None:
                await self._react(work, delivery, reaction)
            offset, link = record.offset, record.hash
        # A source elsewhere is known by its first records only.
        incarnation = incarnation or self.bus.source(source).incarnation
        return Position(source, partition, incarnation, offset, link)

    def _reaction(self, delivery: Delivery) -> tuple[To, ...] | Exception | None:
        """Return what a record asks of our streams, or why that can't be known.

        Most records don't concern us: None. What newer software logged might, and so
        its stream waits (H9).
        """
        tag = delivery.record.type
        if tag not in self.service.heeds and catalog.is_event(tag):
            return None
        try:
            return self.service.react(delivery.envelope, delivery.event)
        except Exception as error:  # noqa: BLE001 - see H9
            return error

    def _note_position(
        self, work: Cycle, source: str, partition: int, position: Position
    ) -> None:
        if position.offset != self.positions[source, partition].offset:
            work.moved[source, partition] = position
        written = self._written[source, partition]
        if position.offset != written:
            work.batch.moves.append(Move(position, written))

    async def _react(
        self, work: Cycle, delivery: Delivery, targets: tuple[To, ...] | Exception
    ) -> None:
        record, now = delivery.record, work.batch.now
        if self.log.is_shared:
            self.hops.note(delivery, now)
        waits_for = source_key(record.service, record.stream)
        if waits_for in self.aside or waits_for in work.aside:
            self._park(work, waits_for, record_parked(delivery, "behind", now))
            return
        if isinstance(targets, Exception):
            parked = record_parked(delivery, reason_of(targets), now)
            self._park(work, waits_for, parked)
            return
        for to in targets:
            await self.handle(work, from_record(delivery, to, now))

    async def _take_commands(self, work: Cycle, submitted: list[Submitted]) -> None:
        """Handle commands and what is due, in the order in which they came (H10).

        A command that came at the very moment of a deadline goes before it.
        """
        due = self._next_due(work)
        found = [self.desk.read(item, work.batch.now) for item in submitted]
        await self.desk.learn(found)
        fresh = [c.stream for c in found if isinstance(c, AcceptedCommand)]
        await self.states.prefetch(fresh)
        for item, command in zip(submitted, found, strict=True):
            if due is not None and due < item.arrived_at:
                await self._take_deadlines(work, item.arrived_at - 1)
                due = self._next_due(work)
            work.replies.append((item, await self._take_command(work, item, command)))

    def _next_due(self, work: Cycle) -> Micros | None:
        return self.deadlines.next_due(self.aside, work.batch.agenda)

    async def _take_command(
        self, work: Cycle, item: Submitted, found: Parked | AcceptedCommand
    ) -> Answer:
        if isinstance(found, Parked):
            work.batch.parked.append(found)
            return Answer("", accepted=False, stream="", reason=found.reason)
        known = self.desk.judge(found)
        if known is not None:
            return known
        handled = from_command(found, item.body, work.batch.now)
        answer = await self.handle(work, handled) or self.desk.set_aside(found)
        self.desk.remember(work.batch, found, answer)
        return answer

    async def _take_deadlines(self, work: Cycle, until: Micros) -> None:
        """Fire what was due until then, after the commands that came before it."""
        now, agenda = work.batch.now, work.batch.agenda
        for item in self.deadlines.due(min(until, now), self.aside, agenda):
            await self.handle(work, from_deadline(self.service.name, item, now))

    async def handle(self, work: Cycle, item: Input) -> Answer | None:
        """Decide one input; a fault sets its stream aside and the rest goes on."""
        token = AT_HAND.set(item)
        notes = work.notes
        step = None if notes is None else notes.begin(item, work.batch.drafts)
        try:
            answer = await self._handle(work, item)
            if step is not None:
                step.end(work.batch.drafts, answer, is_parked=item.stream in work.aside)
            return answer
        finally:
            AT_HAND.reset(token)

    async def _handle(self, work: Cycle, item: Input) -> Answer | None:
        if item.stream in self.aside or item.stream in work.aside:
            self._park(work, item.stream, input_parked(item, "behind", work.batch.now))
            return None
        try:
            return await self._decide(work, item)
        except Exception as error:
            # Any fault sets the target aside (H9), but none of the log itself.
            if isinstance(error, LogError) and not isinstance(error, KeyMissing):
                raise
            self._park(
                work, item.stream, input_parked(item, reason_of(error), work.batch.now)
            )
            self.states.forget(item.stream)
            return None

    async def _decide(self, work: Cycle, item: Input) -> Answer | None:
        """Decide from the cached state; again, if it was wrong for its age.

        What appends is guarded by the stream's version. So must be what stays quiet:
        an old state would let its input be lost.
        """
        entry = work.touched.get(item.stream)
        if entry is not None:
            return self.decisions.take(work, entry, item)
        entry = await self._load(work, item.stream)
        try:
            answer = self.decisions.take(work, entry, item)
        except Exception:
            if not await self.states.is_old(entry):
                raise
        else:
            if item.stream not in work.touched and self.log.is_shared:
                work.batch.watched[item.stream] = entry.version
            return answer
        self.states.forget(item.stream)
        return self.decisions.take(work, await self._load(work, item.stream), item)

    async def _load(self, work: Cycle, stream: str) -> StreamState:
        """Load a state; what it owes is planned again where the agenda differs."""
        is_known = self.states.keeps(stream)
        entry = await self.states.load(stream)
        items = None if is_known else self.deadlines.missing(entry)
        if items is not None:
            self._plan_again(work, stream, items, entry.version)
        return entry

    def _plan_again(
        self, work: Cycle, stream: str, items: tuple[AgendaItem, ...], version: int
    ) -> None:
        """Mend the agenda, unless the stream has gone on: then that follows too."""
        work.batch.agenda[stream] = items
        if self.log.is_shared:
            work.batch.watched[stream] = version

    def _park(self, work: Cycle, stream: str, item: Parked) -> None:
        work.batch.parked.append(item)
        work.aside.add(stream)
        if item.reason != "behind":
            PARKED.labels(self.service.name).inc()
            _log.error("stream set aside", stream=stream, reason=item.reason)

    async def commit(self, work: Cycle) -> list[Delivery]:
        work.batch.snapshots = self._snapshots
        records: list[Record] = []
        if work.batch.must_write():
            began = time_ns()
            with self._appending.time():
                records = await self.log.append(work.batch)
            if work.notes is not None:
                work.notes.appended = Took.since(began)
            for move in work.batch.moves:
                to = move.position
                self._written[to.source, to.partition] = to.offset
            touched = work.touched.values()
            self._snapshots = snapshots.due(self.ambient.keys, touched, records)
        elif work.batch.watched:
            await self.log.check_versions(work.batch.watched)
        self.has_moved = bool(work.moved)
        self._committed(work)
        return self.bus.publish(records, work.batch.drafts)

    def _committed(self, work: Cycle) -> None:
        self._outage.over()
        self.deadlines.committed(work.batch.agenda)
        self.positions.update(work.moved)
        self.aside |= work.aside
        self.desk.committed()
        for entry in work.touched.values():
            if entry.decider.is_terminal(entry.state):
                self.states.forget(entry.stream)
