"""Makes every recorded decision again from its recorded input, and compares (H11).

Services are handed in. Each stream's records come in order; a stream whose secrets
are not revealed yet waits for them. The first record that differs ends its stream.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Cause, Envelope
from contracts.identities import category_of
from runtime.service import Context, Decider, Evolved, Rejected, Service
from services.archive.inputs import REFUSALS, decider_for, refusal, told
from services.archive.recent import Recent

DifferenceKind = Literal[
    "unreadable", "other_event", "missing_event", "extra_event", "no_input"
]


class Difference(msgspec.Struct, frozen=True):
    """The first record of a stream that is not what its input leads to.

    `expected` and `recorded` are a type and its data; `None` where there is none.
    """

    kind: DifferenceKind
    record: str
    service: str
    offset: int
    text: str
    expected: tuple[str, msgspec.Raw] | None = None
    recorded: tuple[str, msgspec.Raw] | None = None
    partition: int = 0


@dataclass(frozen=True, slots=True)
class Secrets:
    """Impure values of a stream, as they were revealed or recorded."""

    ambient: Mapping[str, bytes]
    key_id: str = ""
    sealed: bytes = b""
    demonstration: bool = False

    def seal(self, plain: bytes, about: str) -> bytes:
        """Give the recorded text: sealing twice never gives the same."""
        del plain, about
        return self.sealed


NO_SECRETS = Secrets({})

Reveal = Callable[[list[Envelope]], Secrets | None]
"""From a stream's records so far to its secrets; `None` while they are sealed."""

Fetch = Callable[[str], Envelope | None]
"""From a record's id to the record."""

History = Callable[[str], Iterable[Envelope]]
"""From a stream's name to its records, oldest first."""


class Stream:
    """One stream under re-execution. `waiting` holds what came before its secrets."""

    __slots__ = (
        "after", "cause_id", "decider", "expected", "is_over", "is_whole", "name",
        "secrets", "service", "state", "version", "waiting",
    )  # fmt: skip

    def __init__(self, service: Service, name: str) -> None:
        self.service = service
        self.decider: Decider = decider_for(service, name)
        self.name = name
        self.state = self.decider.initial(name)
        self.version = 0
        self.expected: deque[Any] = deque()
        self.after: Evolved | None = None
        """What a decider folded itself: `expected` leads to its state."""
        self.secrets = NO_SECRETS
        self.cause_id = ""
        self.is_over = False
        self.is_whole = False
        self.waiting: list[Envelope] | None = None


class Reexecution:
    """Takes in records and makes their decisions again.

    `reveals` names the categories of streams with secrets. `fetch` and `history` are
    asked only for records that were not taken in lately.
    """

    def __init__(
        self,
        services: Iterable[Service],
        *,
        fetch: Fetch,
        history: History,
        reveals: Mapping[str, Reveal],
    ) -> None:
        self._services = {service.name: service for service in services}
        heeds = frozenset[str]().union(*(s.heeds for s in self._services.values()))
        self._recent = Recent(fetch, heeds)
        self._history = history
        self._reveals = reveals
        self._streams: dict[str, Stream] = {}
        self.differences: list[Difference] = []
        self.checked = 0

    @property
    def unrevealed(self) -> int:
        """Records that wait for their stream's secrets: judged by proofs only."""
        return sum(len(s.waiting) for s in self._streams.values() if s.waiting)

    def see(self, record: Envelope, *, check: bool = True) -> None:
        """Take in a stream's next record; without `check` only its state moves on."""
        self._recent.note(record)
        stream = self._streams.get(record.stream) or self._begin(record)
        if stream is None or stream.is_over:
            return
        try:
            if stream.waiting is not None:
                self._wait(stream, record)
            elif stream.expected or (check and not self._is_half(stream, record)):
                self._check(stream, record)
            else:
                self._follow(stream, record, self._recent.event_of(record))
        except Exception as error:  # noqa: BLE001 - what fails is the record's verdict
            text = f"{type(error).__name__}: {error}"
            self._differ(stream, record, "no_input", text)
        if not stream.expected and not stream.is_over and _is_terminal(stream):
            del self._streams[record.stream]

    def note(self, record: Envelope) -> None:
        """Keep a record at hand as a cause; its own decision is not looked at."""
        self._recent.note(record)

    @property
    def is_between_inputs(self) -> bool:
        """Tell whether no input's events are awaited: one may leave off here."""
        return not any(stream.expected for stream in self._streams.values())

    def leave_off(self) -> None:
        """Keep only what one who begins here would learn from the records.

        What comes is then judged as he would judge it: streams with secrets, and those
        that differed, he begins anew.
        """
        assert self.is_between_inputs, "an input is in the middle of its events"
        self.differences, self.checked = [], 0
        for name, stream in list(self._streams.items()):
            stream.is_whole = False
            if stream.is_over or category_of(name) in self._reveals:
                del self._streams[name]

    def finish(self) -> None:
        """Judge what did not come: events that an input still leads to.

        Where only a part of the logs was taken in, their records are asked for.
        """
        for stream in self._streams.values():
            while stream.expected and not stream.is_over:
                record = self._recent.find(f"{stream.name}@{stream.version + 1}")
                if record is None or record[0].cause is not None:
                    self._differ_missing(stream)
                else:
                    self._check(stream, record[0])

    def _begin(self, record: Envelope) -> Stream | None:
        """Start with a stream; one that began earlier is first caught up with."""
        service = self._services.get(record.service)
        if service is None:
            return None
        stream = self._streams[record.stream] = Stream(service, record.stream)
        if category_of(record.stream) in self._reveals:
            stream.waiting = []
        elif record.version > 1:
            self._catch_up(stream, record)
        return stream

    def _catch_up(self, stream: Stream, record: Envelope) -> None:
        try:
            for earlier in self._history(stream.name):
                if earlier.version >= record.version:
                    return
                self._follow(stream, earlier, catalog.decode_event(earlier))
        except Exception as error:  # noqa: BLE001 - as in `see`
            text = f"what came before cannot be followed: {error}"
            self._differ(stream, record, "no_input", text)

    def _is_half(self, stream: Stream, record: Envelope) -> bool:
        """Tell the rest of an input whose beginning was not taken in."""
        if record.cause is not None:
            stream.is_whole = True
        return not stream.is_whole

    def _wait(self, stream: Stream, record: Envelope) -> None:
        assert stream.waiting is not None
        stream.waiting.append(record)
        reveal = self._reveals[category_of(stream.name)]
        secrets = reveal(stream.waiting)
        if secrets is None:
            return
        waiting, stream.waiting, stream.secrets = stream.waiting, None, secrets
        for earlier in waiting:
            if not stream.is_over:
                self._check(stream, earlier)

    def _check(self, stream: Stream, record: Envelope) -> None:
        cause, expected = record.cause, stream.expected
        if record.version != stream.version + 1:
            text = f"version {record.version} comes after {stream.version}"
            self._differ(stream, record, "missing_event", text)
            return
        if cause is not None:
            if expected:
                self._differ_missing(stream)
                return
            decided = self._decided(stream, record, cause)
            expected.extend(decided)
            stream.after = decided if isinstance(decided, Evolved) else None
            stream.cause_id = cause.id
        self._compare(stream, record)

    def _compare(self, stream: Stream, record: Envelope) -> None:
        self.checked += 1
        if not stream.expected or record.caused_by != stream.cause_id:
            text = "its input leads to no such event"
            self._differ(stream, record, "extra_event", text)
            return
        event = stream.expected.popleft()
        if is_same(event, record):
            self._recent.know(record, event)
            self._go_on(stream, record, event)
        else:
            text = "its input leads to another event"
            self._differ(stream, record, "other_event", text, expected=event)

    def _decided(
        self, stream: Stream, record: Envelope, cause: Cause
    ) -> tuple[Any, ...]:
        """Return the events that a recorded input leads to."""
        secrets, service = stream.secrets, stream.service
        message, rejected = told(record, cause, service, self._recent.find)
        decided = rejected or stream.decider.decide(
            message,
            stream.state,
            Context(
                cause.now,
                cause.id,
                record.actor,
                secrets.ambient,
                secrets.key_id,
                secrets.seal,
                secrets.demonstration,
                stream.version,
            ),
        )
        if not isinstance(decided, Rejected):
            return decided
        return (refusal(cause, service, decided),)

    def _go_on(self, stream: Stream, record: Envelope, event: Any) -> None:
        """Move the state on: once for all events where the decider folded them."""
        if stream.after is None:
            self._follow(stream, record, event)
            return
        stream.version = record.version
        if not stream.expected:
            stream.state, stream.after = stream.after.state, None

    def _follow(self, stream: Stream, record: Envelope, event: Any) -> None:
        if event.__class__ not in REFUSALS:
            stream.state = stream.decider.evolve(stream.state, event)
        stream.version = record.version

    def _differ_missing(self, stream: Stream) -> None:
        expected = stream.expected[0]
        self._end(
            stream,
            Difference(
                kind="missing_event",
                record=f"{stream.name}@{stream.version + 1}",
                service=stream.service.name,
                offset=0,
                text="its input leads to an event that was not recorded",
                expected=_shown(expected),
            ),
        )

    def _differ(
        self,
        stream: Stream,
        record: Envelope,
        kind: DifferenceKind,
        text: str,
        *,
        expected: Any = None,
    ) -> None:
        self._end(
            stream,
            Difference(
                kind=kind,
                record=record.id,
                service=record.service,
                offset=record.offset,
                text=text,
                expected=None if expected is None else _shown(expected),
                recorded=(record.type, record.data),
                partition=record.partition,
            ),
        )

    def _end(self, stream: Stream, difference: Difference) -> None:
        stream.is_over = True
        stream.expected.clear()
        self.differences.append(difference)


def is_same(expected: Any, record: Envelope) -> bool:
    """Compare type and data; a record of an older version as what it now means."""
    if tag_of(expected) == record.type:
        return catalog.encode(expected) == bytes(record.data)
    return bool(catalog.decode_event(record) == expected)


def _is_terminal(stream: Stream) -> bool:
    return stream.waiting is None and stream.decider.is_terminal(stream.state)


def _shown(event: Any) -> tuple[str, msgspec.Raw]:
    return tag_of(event), msgspec.Raw(catalog.encode(event))
