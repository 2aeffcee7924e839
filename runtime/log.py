"""What a log is, whatever database it lies in.

One append is one transaction: records, positions, answers, agenda, parked inputs and
snapshots become durable together or not at all (law 1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

import msgspec

from contracts.envelope import Actor, Cause, Envelope, Micros

NO_HASH = bytes(32)
"""The hash before a partition's first record."""


class LogError(Exception):
    """Something about the log itself: never a reason to set a stream aside."""


class Conflict(LogError):
    """A version or position has moved: drop cached state and decide again."""


class NewerSchema(LogError):
    """The database was written by a newer version of this software."""


class OlderSchema(LogError):
    """The database was written by an older version, and may not be changed here."""


class LogLocked(LogError):
    """Another process writes to this log."""


class ReadOnlyLog(LogError):
    """The log cannot be written where it lies."""


class LogUnavailable(LogError):
    """The database failed: disk full, I/O error, connection lost."""


class NotDurable(LogError):
    """The settings would let a commit be lost."""


class ChainBroken(LogError):
    """The stored hash chain does not fit its records."""


class Draft(NamedTuple):
    """An event before it has its place in the log.

    `event` is what `data` was encoded from, where whoever reads the record in this
    process may have it as it is: see `contracts/exact.py`.
    """

    stream: str
    version: int
    type: str
    data: bytes
    caused_by: str
    correlation: str
    actor: Actor
    round_id: str = ""
    cause: Cause | None = None
    event: Any = None


class Record(NamedTuple):
    """A record as it is stored: its place, its link in the chain and its bytes."""

    service: str
    partition: int
    offset: int
    stream: str
    version: int
    type: str
    round_id: str
    previous: bytes
    hash: bytes
    body: bytes


class Position(NamedTuple):
    """How far a source was read: the last handled record's offset and hash."""

    source: str
    partition: int
    incarnation: str
    offset: int = 0
    hash: bytes = NO_HASH


class Move(NamedTuple):
    """A position moves, if it still stands at `expected` (0: there is none)."""

    position: Position
    expected: int


AnswerKey = tuple[str, str]
"""`<kind>:<who>` of the actor, and the id of the command."""


class StoredAnswer(NamedTuple):
    """The outcome of a command: `actor` is `<kind>:<who>`, `outcome` an `Answer`."""

    actor: str
    command_id: str
    digest: bytes
    outcome: bytes
    answered_at: Micros


class AgendaItem(NamedTuple):
    """A deadline of a stream's open decision (H10)."""

    stream: str
    decision: int
    kind: str
    due_at: Micros


class Parked(NamedTuple):
    """An input that was set aside (H9), in arrival order by `id`.

    `stream` is what it waits for; undecodable commands wait for nothing: it is empty.
    `kind` is record, command, deadline, outage or undecodable; `source` is the
    service a record came from; `body` is the input's bytes.
    """

    stream: str
    kind: str
    source: str
    reason: str
    body: bytes
    parked_at: Micros
    id: int = 0


class Snapshot(NamedTuple):
    stream: str
    version: int
    state: bytes


UNWRITTEN_MAX = 2_000
"""So many records without effect may be read again after a crash."""


@dataclass(slots=True)
class Batch:
    """Everything of one transaction. `agenda` replaces each named stream's rows."""

    now: Micros
    drafts: list[Draft] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    answers: list[StoredAnswer] = field(default_factory=list)
    agenda: dict[str, tuple[AgendaItem, ...]] = field(default_factory=dict)
    parked: list[Parked] = field(default_factory=list)
    unparked: list[int] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    watched: dict[str, int] = field(default_factory=dict)
    """Streams that must still be at a version though nothing is added to them."""

    def has_effect(self) -> bool:
        """Tell whether anything but a position changes."""
        return bool(
            self.drafts
            or self.answers
            or self.agenda
            or self.parked
            or self.unparked
            or self.snapshots
        )

    def is_empty(self) -> bool:
        return not (self.moves or self.has_effect())

    def must_write(self) -> bool:
        """Positions alone wait for the next effect: reading again is harmless."""
        return self.has_effect() or any(
            move.position.offset - move.expected >= UNWRITTEN_MAX for move in self.moves
        )


class Log(Protocol):
    """The log of one service."""

    @property
    def service(self) -> str: ...

    @property
    def partitions(self) -> int: ...

    @property
    def incarnation(self) -> str: ...

    @property
    def is_shared(self) -> bool:
        """Tell whether other processes may append too: what is cached may be old."""
        ...

    async def append(self, batch: Batch) -> list[Record]: ...

    async def read(self, partition: int, after: int, limit: int) -> list[Record]: ...

    async def read_stream(
        self, stream: str, after_version: int = 0
    ) -> list[Record]: ...

    async def read_streams(self, streams: Sequence[str]) -> list[Record]:
        """Return the records of several streams, each stream's in order."""
        ...

    async def stream_version(self, stream: str) -> int: ...

    async def stream_after(self, name: str) -> str:
        """Return the next stream by name, in the order of code points, or nothing."""
        ...

    async def head(self, partition: int) -> tuple[int, bytes]: ...

    async def position(self, source: str, partition: int) -> Position | None: ...

    async def check_versions(self, watched: Mapping[str, int]) -> None:
        """Raise Conflict where a stream is not at its version any more."""
        ...

    async def answers(self, keys: Sequence[AnswerKey]) -> list[StoredAnswer]: ...

    async def agenda(self) -> list[AgendaItem]: ...

    async def snapshot(self, stream: str) -> Snapshot | None: ...

    async def parked(self) -> list[Parked]: ...

    async def aside(self) -> set[str]:
        """Return the streams that something waits for."""
        ...

    async def is_aside(self, stream: str) -> bool: ...

    async def resolve_parked(
        self, item: int, verdict: str, by: str, why: str
    ) -> None: ...

    async def alive_at(self) -> Micros: ...

    async def note_alive(self, now: Micros) -> None: ...


_ENCODE = msgspec.json.Encoder(order="deterministic").encode


class Head(NamedTuple):
    """Where a partition goes on: under the lock nobody else can move it."""

    log: str
    partition: int
    offset: int
    hash: bytes


def chain(
    service: str, head: Head, drafts: Sequence[Draft], now: Micros
) -> list[Record]:
    """Give drafts their places after `head`, encode them once and link them."""
    log, partition, offset, link = head
    records = []
    for draft in drafts:
        offset += 1
        body = _ENCODE(_placed(draft, (service, log, partition, offset), now))
        previous = link
        link = sha256(previous + sha256(body).digest()).digest()
        records.append(
            Record(
                service,
                partition,
                offset,
                draft.stream,
                draft.version,
                draft.type,
                draft.round_id,
                previous,
                link,
                body,
            )
        )
    return records


def _placed(draft: Draft, place: tuple[str, str, int, int], now: Micros) -> Envelope:
    stream, version, type_, data, caused_by, correlation, actor = draft[:7]
    service, log, partition, offset = place
    return Envelope(
        f"{stream}@{version}",
        type_,
        service,
        log,
        partition,
        offset,
        stream,
        version,
        now,
        caused_by,
        correlation,
        actor,
        msgspec.Raw(data),
        draft.round_id,
        draft.cause,
    )


def record_of(envelope: Envelope, previous: bytes, body: bytes) -> Record:
    """Return the record of these bytes after the one with the hash `previous`."""
    return Record(
        envelope.service,
        envelope.partition,
        envelope.offset,
        envelope.stream,
        envelope.version,
        envelope.type,
        envelope.round_id,
        previous,
        sha256(previous + sha256(body).digest()).digest(),
        body,
    )


def first_versions(drafts: Sequence[Draft]) -> Mapping[str, int]:
    """Return each stream's first version; within the batch there must be no hole."""
    first: dict[str, int] = {}
    newest: dict[str, int] = {}
    for draft in drafts:
        stream, version = draft[0], draft[1]
        before = newest.get(stream)
        if before is None:
            first[stream] = version
        else:
            assert version == before + 1, f"{stream} skips from {before} to {version}"
        newest[stream] = version
    return first
