"""The handling loop: inputs in, one transaction out. Shared by every host.

For each input: react, load the state, decide, evolve. Then everything of the cycle,
positions and answers included, is appended at once. Nothing takes effect twice and
nothing is skipped: see docs/architecture.md.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Actor, Answer, Cause
from runtime.ambient import Ambient
from runtime.bus_memory import Delivery, MemoryBus
from runtime.commands import AcceptedCommand, CommandDesk, Submitted, is_expired
from runtime.log import (
    AgendaItem,
    Batch,
    Conflict,
    Draft,
    Log,
    Move,
    Parked,
    Position,
    Snapshot,
)
from runtime.service import (
    Context,
    DeadlinePassed,
    OutageEnded,
    Rejected,
    Service,
)
from runtime.states import States, StreamState
from runtime.telemetry import counters, get_logger

_log = get_logger("runtime.handle")


@dataclass(slots=True)
class Input:
    """One message for one stream, and where it came from."""

    stream: str
    message: Any
    cause: Cause
    actor: Actor
    correlation: str
    kind: str
    source: str
    body: bytes
    command: AcceptedCommand | None = None


@dataclass(slots=True)
class Cycle:
    """What one cycle has gathered so far. Thrown away whole when it can't commit."""

    batch: Batch
    touched: dict[str, StreamState] = field(default_factory=dict)
    replies: list[tuple[Submitted, Answer]] = field(default_factory=list)
    aside: set[str] = field(default_factory=set)
    moved: dict[tuple[str, int], Position] = field(default_factory=dict)


class SourceHalted(Exception):
    """A gap, a fork or another incarnation: this source is read no further (H9)."""


class Worker:
    """Runs one service over one log."""

    def __init__(
        self, service: Service, log: Log, bus: MemoryBus, ambient: Ambient
    ) -> None:
        self.service = service
        self.log = log
        self.bus = bus
        self.ambient = ambient
        self.states = States(service, log)
        self.desk = CommandDesk(service, log)
        self.positions: dict[tuple[str, int], Position] = {}
        self.halted: dict[str, str] = {}
        self.aside: set[str] = set()
        self.batch_max = 256
        self._agenda: dict[str, tuple[AgendaItem, ...]] = {}
        self._outage: list[tuple[str, int]] = []

    async def start(self) -> None:
        """Learn positions, open deadlines and what is set aside."""
        for source in self.service.sources:
            await self._learn_position(source)
        self.aside = {item.stream for item in await self.log.parked() if item.stream}
        self._agenda = {}
        for item in await self.log.agenda():
            self._agenda[item.stream] = (*self._agenda.get(item.stream, ()), item)
        await self._note_outage()

    async def _learn_position(self, source: str) -> None:
        log = self.bus.log(source)
        for partition in range(log.partitions):
            known = await self.log.position(source, partition)
            fresh = Position(source, partition, log.incarnation)
            self.positions[source, partition] = known or fresh

    async def _note_outage(self) -> None:
        """Open deadlines are first extended by the length of the outage (H10)."""
        alive_at = await self.log.alive_at()
        by_ms = (self.ambient.clock.now() - alive_at) // 1000
        if alive_at and by_ms >= 1000:
            self._outage = [(stream, by_ms) for stream in sorted(self._agenda)]

    def next_due(self) -> int | None:
        """Return when the earliest deadline of a stream not set aside is due."""
        return min(
            (
                item.due_at
                for stream, items in self._agenda.items()
                if stream not in self.aside
                for item in items
            ),
            default=None,
        )

    async def cycle(self) -> list[Delivery]:
        """Handle what is there; return what was committed."""
        while True:
            submitted = self.desk.take(self.batch_max)
            work = Cycle(Batch(self.ambient.clock.now()))
            try:
                await self._gather(work, submitted)
                return await self.commit(work)
            except Conflict:
                self._rollback()
                self.desk.put_back(submitted)
                for source in self.service.sources:
                    await self._learn_position(source)
            except BaseException:
                self._rollback()
                self.desk.put_back(submitted)
                raise

    def _rollback(self) -> None:
        self.states.forget_all()

    async def _gather(self, work: Cycle, submitted: list[Submitted]) -> None:
        await self._take_outage(work)
        for source in self.service.sources:
            if source not in self.halted:
                await self._take_source(work, source)
        for item in submitted:
            await self._take_command(work, item)
        await self._take_deadlines(work)

    async def _take_source(self, work: Cycle, source: str) -> None:
        for partition in range(self.bus.log(source).partitions):
            position = self.positions[source, partition]
            deliveries = await self.bus.after(
                source, partition, position.offset, self.batch_max
            )
            try:
                for delivery in deliveries:
                    position = await self._take_record(work, position, delivery)
            except SourceHalted as error:
                self.halted[source] = str(error)
                counters["sources_halted"] += 1
                _log.error("source halted", source=source, reason=str(error))
            self._note_position(work, source, partition, position)

    def _note_position(
        self, work: Cycle, source: str, partition: int, position: Position
    ) -> None:
        was = self.positions[source, partition]
        if position.offset != was.offset:
            work.moved[source, partition] = position
            work.batch.moves.append(Move(position, was.offset))

    async def _take_record(
        self, work: Cycle, position: Position, delivery: Delivery
    ) -> Position:
        """Handle the next record, drop a repeat, or halt at what does not fit."""
        record = delivery.record
        if record.offset <= position.offset:
            counters["repeats_dropped"] += 1
            return position
        if record.offset != position.offset + 1:
            raise SourceHalted(
                f"gap: {record.service} offset {record.offset}"
                f" after {position.offset}"
            )
        if record.previous != position.hash:
            raise SourceHalted(f"fork: {record.service} offset {record.offset}")
        if record.type in self.service.heeds:
            await self._react(work, delivery)
        return Position(
            record.service,
            record.partition,
            position.incarnation,
            record.offset,
            record.hash,
        )

    async def _react(self, work: Cycle, delivery: Delivery) -> None:
        record = delivery.record
        if record.stream in self.aside or record.stream in work.aside:
            self._park(work, record.stream, _as_parked(delivery, "behind"))
            return
        try:
            envelope = delivery.envelope
            targets = self.service.react(envelope, delivery.event)
        except Exception as error:  # noqa: BLE001 - any fault sets the source stream aside (H9)
            self._park(work, record.stream, _as_parked(delivery, _reason(error)))
            return
        for to in targets:
            cause = Cause("event", envelope.id, work.batch.now)
            await self.handle(
                work,
                Input(
                    to.stream,
                    to.message,
                    cause,
                    envelope.actor,
                    envelope.correlation,
                    "record",
                    record.service,
                    record.body,
                ),
            )

    async def _take_command(self, work: Cycle, item: Submitted) -> None:
        found = await self.desk.judge(item, work.batch.now)
        if isinstance(found, Parked):
            work.batch.parked.append(found)
            answer = Answer("", accepted=False, stream="", reason=found.reason)
            work.replies.append((item, answer))
            return
        if isinstance(found, Answer):
            work.replies.append((item, found))
            return
        cause = Cause(
            "command", found.envelope.id, work.batch.now, msgspec.Raw(item.body)
        )
        handled = Input(
            found.stream,
            found.message,
            cause,
            found.envelope.actor,
            found.envelope.correlation or found.envelope.id,
            "command",
            "",
            item.body,
            found,
        )
        answer = await self.handle(work, handled) or self.desk.set_aside(found)
        self.desk.remember(work.batch, found, answer)
        work.replies.append((item, answer))

    async def _take_deadlines(self, work: Cycle) -> None:
        """Fire what is due, after the commands that came before it (H10)."""
        now = work.batch.now
        due = [
            item
            for stream, items in self._agenda.items()
            if stream not in self.aside
            for item in items
            if item.due_at <= now
        ]
        for item in sorted(due, key=lambda item: (item.due_at, item.stream, item.kind)):
            await self._fire(work, item)

    async def _fire(self, work: Cycle, item: AgendaItem) -> None:
        name = f"deadline:{item.stream}#{item.decision}:{item.kind}"
        message = DeadlinePassed(item.decision, item.kind)
        await self.handle(
            work,
            Input(
                item.stream,
                message,
                Cause("deadline", name, work.batch.now),
                Actor("timeout", self.service.name),
                item.stream,
                "deadline",
                "",
                msgspec.json.encode(message),
            ),
        )

    async def _take_outage(self, work: Cycle) -> None:
        for stream, by_ms in self._outage:
            message = OutageEnded(by_ms)
            name = f"outage:{stream}:{by_ms}"
            await self.handle(
                work,
                Input(
                    stream,
                    message,
                    Cause("outage", name, work.batch.now),
                    Actor("platform", self.service.name),
                    stream,
                    "outage",
                    "",
                    msgspec.json.encode(message),
                ),
            )

    async def handle(self, work: Cycle, item: Input) -> Answer | None:
        """Decide one input; a fault sets its stream aside and the rest goes on."""
        if item.stream in self.aside or item.stream in work.aside:
            self._park(work, item.stream, _input_parked(item, "behind", work))
            return None
        entry = work.touched.get(item.stream) or await self.states.load(item.stream)
        try:
            decided, cause = self._decide(entry, item)
            return self._append(work, entry, item, (decided, cause))
        except Exception as error:  # noqa: BLE001 - any fault sets the target aside (H9)
            self._park(work, item.stream, _input_parked(item, _reason(error), work))
            self.states.forget(item.stream)
            return None

    def _decide(self, entry: StreamState, item: Input) -> tuple[Any, Cause]:
        decider = entry.decider
        values: dict[str, bytes] = {}
        cause = item.cause
        requests = decider.needs(item.message, entry.state)
        if requests:
            values, recorded = self.ambient.fulfil(requests)
            if recorded:
                cause = msgspec.structs.replace(cause, ambient=recorded)
        context = Context(
            cause.now,
            cause.id,
            item.actor,
            values,
            self.ambient.keys.active,
            self.ambient.keys.seal,
            self.ambient.entropy.is_demonstration,
            entry.version,
        )
        command = item.command
        if command is not None and is_expired(command.envelope, cause.now):
            return Rejected("command_expired"), cause
        return decider.decide(item.message, entry.state, context), cause

    def _append(
        self, work: Cycle, entry: StreamState, item: Input, result: tuple[Any, Cause]
    ) -> Answer | None:
        """Draft the events; the state moves on only when all of them evolve."""
        decided, cause = result
        if isinstance(decided, Rejected):
            return self._refuse(work, entry, item, result)
        if not decided:
            assert item.command is None, "a command's first handling appends an event"
            return None
        state = entry.state
        drafts = []
        version = entry.version
        for event in decided:
            version += 1
            state = entry.decider.evolve(state, event)
            drafts.append(self._draft(item, event, version, cause))
            cause = None  # type: ignore[assignment]
        owed = entry.decider.resume(state)
        work.batch.drafts.extend(drafts)
        entry.state, entry.version = state, version
        work.touched[entry.stream] = entry
        if owed != entry.owed:
            entry.owed = owed
            work.batch.agenda[entry.stream] = tuple(
                AgendaItem(entry.stream, owed.decision, d.kind, d.due_at)
                for d in owed.deadlines
            )
        return Answer(item.cause.id, True, entry.stream, version)

    def _draft(
        self, item: Input, event: Any, version: int, cause: Cause | None
    ) -> Draft:
        return Draft(
            item.stream,
            version,
            tag_of(event),
            catalog.encode(event),
            item.cause.id,
            item.correlation,
            item.actor,
            self.service.round_of(item.stream, event),
            cause,
        )

    def _refuse(
        self, work: Cycle, entry: StreamState, item: Input, result: tuple[Any, Cause]
    ) -> Answer:
        """Record a refusal in the stream it was for, if there is one (H4)."""
        rejected, cause = result
        assert item.command is not None, f"only commands are refused: {rejected}"
        assert self.service.refusal is not None
        event = self.service.refusal(item.cause.id, item.command.envelope.type, rejected)
        if entry.version == 0:
            self.states.forget(entry.stream)
            return self._refuse_elsewhere(work, item, event, cause)
        entry.version += 1
        work.touched[entry.stream] = entry
        work.batch.drafts.append(self._draft(item, event, entry.version, cause))
        return Answer(
            item.cause.id, False, entry.stream, entry.version, str(rejected.reason)
        )

    def _refuse_elsewhere(
        self, work: Cycle, item: Input, event: Any, cause: Cause
    ) -> Answer:
        stream = f"refused-{self.service.name}"
        version = self.desk.next_refusal_version()
        draft = self._draft(item, event, version, cause)
        work.batch.drafts.append(
            Draft(
                stream,
                version,
                draft.type,
                draft.data,
                draft.caused_by,
                draft.correlation,
                draft.actor,
                "",
                cause,
            )
        )
        return Answer(item.cause.id, False, stream, version, event.reason)

    def _park(self, work: Cycle, stream: str, item: Parked) -> None:
        work.batch.parked.append(item)
        work.aside.add(stream)
        if item.reason != "behind":
            counters["streams_set_aside"] += 1
            _log.error("stream set aside", stream=stream, reason=item.reason)

    async def commit(self, work: Cycle) -> list[Delivery]:
        for entry in work.touched.values():
            if entry.snapshot_due():
                state = msgspec.json.encode(entry.state, order="deterministic")
                work.batch.snapshots.append(
                    Snapshot(entry.stream, entry.version, state)
                )
        records = [] if work.batch.is_empty() else await self.log.append(work.batch)
        self._committed(work)
        return self.bus.publish(records)

    def _committed(self, work: Cycle) -> None:
        self._outage = []
        self.positions.update(work.moved)
        self.aside |= work.aside
        self.desk.committed()
        for stream, items in work.batch.agenda.items():
            if items:
                self._agenda[stream] = items
            else:
                self._agenda.pop(stream, None)
        for snapshot in work.batch.snapshots:
            work.touched[snapshot.stream].snapshot_version = snapshot.version
        for entry in work.touched.values():
            if entry.decider.is_terminal(entry.state):
                self.states.forget(entry.stream)
        for submitted, answer in work.replies:
            submitted.reply(answer)


def _reason(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "?")
        place = f" at {name}:{trace.tb_lineno}"
    return f"{type(error).__name__}: {error}{place}"


def _as_parked(delivery: Delivery, reason: str) -> Parked:
    record = delivery.record
    return Parked(record.stream, "record", record.service, reason, record.body, 0)


def _input_parked(item: Input, reason: str, work: Cycle) -> Parked:
    return Parked(
        item.stream, item.kind, item.source, reason, item.body, work.batch.now
    )

