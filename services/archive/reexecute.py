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
from contracts.envelope import Envelope
from contracts.identities import category_of
from runtime.service import Context, Decider, Rejected, Service
from services.archive.inputs import (
    NoInput,
    decider_for,
    is_refusal,
    message_of,
    rejected_at_once,
)
from services.archive.recent import Recent

DifferenceKind = Literal["other_event", "missing_event", "extra_event", "no_input"]


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
        "decider", "expected", "is_over", "name", "secrets", "service", "state",
        "version", "waiting",
    )  # fmt: skip

    def __init__(self, service: Service, name: str) -> None:
        self.service = service
        self.decider: Decider = decider_for(service, name)
        self.name = name
        self.state = self.decider.initial(name)
        self.version = 0
        self.expected: deque[Any] = deque()
        self.secrets = NO_SECRETS
        self.is_over = False
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
        self._recent = Recent(fetch)
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
        stream = self._stream(record)
        if stream is None or stream.is_over:
            return
        if stream.waiting is not None:
            self._wait(stream, record)
        elif check or stream.expected:
            self._check(stream, record)
        else:
            self._follow(stream, record, self._recent.event_of(record))
        if stream.is_over or (not stream.expected and _is_terminal(stream)):
            self._forget(stream)

    def note(self, record: Envelope) -> None:
        """Keep a record at hand as a cause; its own decision is not looked at."""
        self._recent.note(record)

    def finish(self) -> None:
        """Judge what did not come: events that an input still leads to."""
        for stream in self._streams.values():
            if stream.expected and not stream.is_over:
                self._differ_missing(stream)

    def _stream(self, record: Envelope) -> Stream | None:
        stream = self._streams.get(record.stream)
        if stream is not None:
            return stream
        service = self._services.get(record.service)
        if service is None:
            return None
        stream = self._streams[record.stream] = Stream(service, record.stream)
        if category_of(record.stream) in self._reveals:
            stream.waiting = []
        if record.version > 1:
            self._catch_up(stream, record.version)
        return stream

    def _catch_up(self, stream: Stream, version: int) -> None:
        """Bring a stream that is not in memory to where its next record comes."""
        for record in self._history(stream.name):
            if record.version >= version:
                return
            self._follow(stream, record, catalog.decode_event(record))

    def _forget(self, stream: Stream) -> None:
        if not stream.is_over:
            del self._streams[stream.name]

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
        if record.version != stream.version + 1:
            text = f"version {record.version} comes after {stream.version}"
            self._differ(stream, record, "missing_event", text)
            return
        try:
            if record.cause is not None:
                if stream.expected:
                    self._differ_missing(stream)
                    return
                stream.expected.extend(self._decide(stream, record))
            self._compare(stream, record)
        except NoInput as error:
            self._differ(stream, record, "no_input", str(error))

    def _compare(self, stream: Stream, record: Envelope) -> None:
        self.checked += 1
        if not stream.expected:
            text = "its input leads to no such event"
            self._differ(stream, record, "extra_event", text)
            return
        expected = stream.expected.popleft()
        if is_same(expected, record):
            self._recent.know(record, expected)
            self._follow(stream, record, expected)
        else:
            text = "its input leads to another event"
            self._differ(stream, record, "other_event", text, expected)

    def _decide(self, stream: Stream, record: Envelope) -> tuple[Any, ...]:
        """Return the events that a recorded input leads to."""
        try:
            return self._decided(stream, record)
        except NoInput:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise NoInput(f"the decision fails: {what}") from error

    def _decided(self, stream: Stream, record: Envelope) -> tuple[Any, ...]:
        cause = record.cause
        assert cause is not None
        secrets = stream.secrets
        service = stream.service
        message = message_of(record, service, self._recent.find)
        decided = rejected_at_once(record) or stream.decider.decide(
            message,
            stream.state,
            Context(
                now=cause.now,
                cause_id=cause.id,
                actor=record.actor,
                ambient=secrets.ambient,
                key_id=secrets.key_id,
                seal=secrets.seal,
                demonstration=secrets.demonstration,
                stream_version=stream.version,
            ),
        )
        if not isinstance(decided, Rejected):
            return decided
        assert service.refusal is not None, f"{service.name} refuses nothing"
        command = catalog.decode_command_envelope(bytes(cause.command))
        return (service.refusal(command.id, command.type, decided),)

    def _follow(self, stream: Stream, record: Envelope, event: Any) -> None:
        if not is_refusal(record):
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
