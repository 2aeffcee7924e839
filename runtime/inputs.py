"""What a worker handles, and how an input looks when it has to wait (H9).

An input is one message for one stream; a record with two targets makes two.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from contracts.envelope import Actor, Answer, Cause, Micros
from runtime import tracing
from runtime.bus_memory import Delivery
from runtime.commands import AcceptedCommand, Submitted
from runtime.log import AgendaItem, Batch, Parked, Position
from runtime.service import DeadlinePassed, OutageEnded, To
from runtime.states import StreamState
from runtime.tracing import Notes


class Input(msgspec.Struct):
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
    notes: Notes | None = field(default_factory=tracing.notes)


@dataclass(slots=True)
class Committed:
    """What a cycle made part of the log: told to others once it is durable."""

    deliveries: list[Delivery] = field(default_factory=list)
    replies: list[tuple[Submitted, Answer]] = field(default_factory=list)
    taken: list[Submitted] = field(default_factory=list)
    notes: Notes | None = None


def from_record(delivery: Delivery, to: To, now: Micros) -> Input:
    envelope, record = delivery.envelope, delivery.record
    return Input(
        to.stream,
        to.message,
        Cause("event", envelope.id, now),
        envelope.actor,
        envelope.correlation,
        "record",
        record.service,
        record.body,
    )


def from_command(found: AcceptedCommand, body: bytes, now: Micros) -> Input:
    envelope = found.envelope
    return Input(
        found.stream,
        found.message,
        Cause("command", envelope.id, now, msgspec.Raw(body)),
        envelope.actor,
        envelope.correlation or envelope.id,
        "command",
        "",
        body,
        found,
    )


def from_deadline(service: str, item: AgendaItem, now: Micros) -> Input:
    """Its id names stream and decision, so that it is the same after a crash."""
    message = DeadlinePassed(item.decision, item.kind)
    name = f"deadline:{item.stream}#{item.decision}:{item.kind}"
    return Input(
        item.stream,
        message,
        Cause("deadline", name, now),
        Actor("timeout", service),
        item.stream,
        "deadline",
        "",
        msgspec.json.encode(message),
    )


def from_outage(service: str, stream: str, message: OutageEnded, now: Micros) -> Input:
    return Input(
        stream,
        message,
        Cause("outage", f"outage:{stream}:{message.by_ms}", now),
        Actor("platform", service),
        stream,
        "outage",
        "",
        msgspec.json.encode(message),
    )


def source_key(service: str, stream: str) -> str:
    """Name a stream that is set aside as a source, apart from its role as target."""
    return f"{service}/{stream}"


def record_parked(delivery: Delivery, reason: str, now: Micros) -> Parked:
    record = delivery.record
    waits_for = source_key(record.service, record.stream)
    return Parked(waits_for, "record", record.service, reason, record.body, now)


def input_parked(item: Input, reason: str, now: Micros) -> Parked:
    return Parked(item.stream, item.kind, item.source, reason, item.body, now)


def reason_of(error: Exception) -> str:
    """Say what went wrong and where, without any value of the program's state."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "?")
        place = f" at {name}:{trace.tb_lineno}"
    return f"{type(error).__name__}: {error}{place}"
