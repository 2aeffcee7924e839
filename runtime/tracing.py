"""What is noted for traces, and who is told of it: nobody, unless `begin` was called.

Nothing here needs OpenTelemetry; `otel.py` does, and is imported by `begin` alone. A
process that is not traced pays for a comparison with None.
"""

import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from secrets import token_hex
from time import time_ns
from typing import TYPE_CHECKING, NamedTuple, Protocol

from contracts.envelope import Answer
from runtime.log import Draft, Record

if TYPE_CHECKING:
    from runtime.inputs import Committed, Input

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
RATIO = "OTEL_TRACES_SAMPLER_ARG"

Nanos = int


class Took(NamedTuple):
    """From when to when, in nanoseconds since 1970."""

    began: Nanos
    ended: Nanos

    @classmethod
    def now(cls) -> "Took":
        """Return a beginning; `since` it gives the whole."""
        began = time_ns()
        return cls(began, began)

    @classmethod
    def since(cls, began: Nanos) -> "Took":
        return cls(began, time_ns())


_NO_TIME = Took(0, 0)


@dataclass(slots=True)
class Step:
    """One input as it was handled; `records` are the names of what it added."""

    item: "Input"
    began: Nanos
    first: int
    ended: Nanos = 0
    records: tuple[str, ...] = ()
    answer: Answer | None = None
    is_parked: bool = False

    def end(
        self, drafts: Sequence[Draft], answer: Answer | None, *, is_parked: bool
    ) -> None:
        self.ended = time_ns()
        self.answer, self.is_parked = answer, is_parked
        added = drafts[self.first :]
        self.records = tuple(f"{draft.stream}@{draft.version}" for draft in added)


@dataclass(slots=True)
class Notes:
    """One cycle: its inputs, and how long the append of all took."""

    steps: list[Step] = field(default_factory=list)
    appended: Took = _NO_TIME

    def begin(self, item: "Input", drafts: Sequence[Draft]) -> Step:
        step = Step(item, time_ns(), len(drafts))
        self.steps.append(step)
        return step


@dataclass(slots=True)
class Asked:
    """A request at the gateway. `correlation`: of the first command it sent."""

    began: Nanos = field(default_factory=time_ns)
    span: str = field(default_factory=lambda: token_hex(8))
    correlation: str = ""


ASKED: ContextVar[Asked | None] = ContextVar("asked", default=None)
"""The request that is being answered, while traces are kept."""


class Route(NamedTuple):
    """How a request is named: by its template, never by its path."""

    method: str
    template: str
    status: int


class Call(NamedTuple):
    """A call to somebody outside; `name` is the id of the command that records it."""

    service: str
    stream: str
    name: str
    kind: str
    outcome: str


class Tracer(Protocol):
    """Who makes spans of what was noted."""

    def cycle(self, service: str, cycle: "Committed", notes: Notes) -> None:
        """Tell of a cycle that is durable."""
        ...

    def sent(self, service: str, records: Sequence[Record], took: Took) -> None:
        """Tell of records that Kafka acknowledged."""
        ...

    def requested(self, asked: Asked, route: Route) -> None: ...

    def commanded(
        self, command_id: str, kind: str, outcome: str, took: Took
    ) -> None: ...

    def called(self, call: Call, took: Took) -> None: ...

    def end(self) -> None: ...


@dataclass(slots=True)
class _Current:
    tracer: Tracer | None = None


CURRENT = _Current()


class TracesMissing(ValueError):
    """Traces are asked for and what makes them is not installed."""


def begin(environment: Mapping[str, str] = os.environ) -> None:
    """Trace from now on, if the environment says where to. Raises ValueError."""
    if not environment.get(ENDPOINT):
        return
    ratio = float(environment.get(RATIO) or 1)
    if not 0 <= ratio <= 1:
        raise ValueError(f"{RATIO} is a ratio from 0 to 1, not {ratio}")
    try:
        from runtime import otel  # noqa: PLC0415 - costs nothing where not wanted
    except ModuleNotFoundError as error:
        reason = f"{ENDPOINT} is set, but {error.name} is not here: push22[traces]"
        raise TracesMissing(reason) from error
    CURRENT.tracer = otel.exporting(ratio)


def end() -> None:
    """Send what is left and trace no more."""
    tracer, CURRENT.tracer = CURRENT.tracer, None
    if tracer is not None:
        tracer.end()


def notes() -> Notes | None:
    return None if CURRENT.tracer is None else Notes()


def tell(service: str, cycle: "Committed") -> None:
    """Tell of a cycle, once it is durable."""
    if CURRENT.tracer is not None and cycle.notes is not None:
        CURRENT.tracer.cycle(service, cycle, cycle.notes)
