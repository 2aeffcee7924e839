"""Two toy services for the runtime's tests: a counter, and an echo that follows it."""

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from contracts import catalog
from contracts.base import Command, Event, tag_of
from contracts.envelope import Actor, CommandEnvelope, Envelope
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.embedded import EmbeddedHost
from runtime.log import LogUnavailable
from runtime.service import (
    AmbientRequest,
    Context,
    Deadline,
    DeadlinePassed,
    Decided,
    Decider,
    OutageEnded,
    Owed,
    Rejected,
    Service,
    To,
)
from runtime.sqlite_file import MEMORY, SqliteFile

ALICE = Actor("player", "local.alice")
BOB = Actor("player", "local.bob")
SECOND = 1_000_000


class Add(Command, frozen=True, tag="toy.add.v1"):
    counter: str
    amount: int


class Added(Event, frozen=True, tag="toy.added.v1"):
    counter: str
    amount: int
    round_id: str = ""


class Extended(Event, frozen=True, tag="toy.extended.v1"):
    counter: str
    by_ms: int


class Expired(Event, frozen=True, tag="toy.expired.v1"):
    counter: str


class AddRefused(Event, frozen=True, tag="toy.command_refused.v1"):
    command_id: str
    reason: str


class Echoed(Event, frozen=True, tag="toy.echoed.v1"):
    cause: str
    amount: int


class Total(msgspec.Struct, frozen=True):
    counter: str
    total: int = 0
    decision: int = 0
    due_at: int = 0


@dataclass
class Faults:
    """What the toys get wrong on purpose."""

    poison: int = 666
    poison_react: int = 777


FAULTS = Faults()


def decide_counter(message: Any, state: Total, context: Context) -> Decided:
    match message:
        case Add(amount=0):
            return Rejected("nothing_to_add")
        case Add(counter, amount):
            assert amount != FAULTS.poison, "poisoned"
            return (Added(counter, amount, f"round-{counter}-1"),)
        case DeadlinePassed(decision):
            moved_on = decision != state.decision or not state.due_at
            return () if moved_on else (Expired(state.counter),)
        case OutageEnded(by_ms):
            return (Extended(state.counter, by_ms),)
    raise AssertionError(message)


def evolve_counter(state: Total, event: Any) -> Total:
    change = msgspec.structs.replace
    match event:
        case Added():
            return change(
                state,
                total=state.total + event.amount,
                decision=state.decision + 1,
                due_at=60 * SECOND if event.amount == 60 else 0,
            )
        case Extended():
            return change(state, due_at=state.due_at + event.by_ms * 1000)
        case Expired():
            return change(state, due_at=0, decision=state.decision + 1)
    return state


def resume_counter(state: Total) -> Owed:
    if not state.due_at:
        return Owed(state.decision)
    due = ManualClock().now() + state.due_at
    return Owed(state.decision, (Deadline("patience", due),))


COUNTER = Decider(
    category="counter",
    initial=lambda stream: Total(stream.partition("-")[2]),
    decide=decide_counter,
    evolve=evolve_counter,
    resume=resume_counter,
    state_type=Total,
)

TOY = Service(
    name="toy",
    deciders={"counter": COUNTER},
    commands=frozenset({tag_of(Add)}),
    address=lambda command: f"counter-{command.counter}",
    refusal=lambda id_, tag, rejected: AddRefused(id_, rejected.reason),
)


def decide_echo(message: Added, state: int, context: Context) -> Decided:
    if context.cause_id.endswith("@quiet"):
        return ()
    assert message.amount != FAULTS.poison_react, "the echo is poisoned"
    return (Echoed(context.cause_id, message.amount),)


ECHO = Service(
    name="echo",
    deciders={
        "echo": Decider(
            category="echo",
            initial=lambda stream: 0,
            decide=decide_echo,
            evolve=lambda state, event: state + event.amount,
            needs=lambda message, state: (AmbientRequest("random", "salt", 8),),
        )
    },
    sources=("toy",),
    heeds=frozenset({tag_of(Added)}),
    react=lambda envelope, event: (
        To(f"echo-{event.counter}", event),
        To("echo-all", event),
    ),
)


@pytest.fixture(autouse=True)
def toy_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teach the catalog the toys' messages, for the length of a test."""
    for kind in (Added, Extended, Expired, AddRefused, Echoed):
        decoder = msgspec.json.Decoder(kind)
        monkeypatch.setitem(catalog._EVENT_DECODERS, tag_of(kind), decoder)
    decoder = msgspec.json.Decoder(Add)
    monkeypatch.setitem(catalog._COMMAND_DECODERS, tag_of(Add), decoder)


def command(
    id_: str, amount: int, *, counter: str = "a", by: Actor = ALICE, issued: int = -1
) -> bytes:
    """Return the bytes of an Add command."""
    message = Add(counter, amount)
    return catalog.encode(
        CommandEnvelope(
            id=id_,
            type=tag_of(message),
            issued_at=ManualClock().now() if issued < 0 else issued,
            actor=by,
            data=msgspec.Raw(catalog.encode(message)),
        )
    )


def ambient(clock: ManualClock | None = None) -> Ambient:
    return Ambient(clock or ManualClock(), SeededEntropy(7), KeyRing.in_memory())


async def started(file: Any, clock: ManualClock | None = None, **more: Any) -> Any:
    host = EmbeddedHost(file, (TOY, ECHO), ambient(clock), **more)
    await host.start()
    return host


async def story(host: Any, service: str) -> dict[str, list[tuple[str, bytes]]]:
    """Return each stream's (type, data): what must be equal across retries (H14)."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for record in await host.worker(service).log.read(0, 0, 10_000):
        envelope = catalog.decode_envelope(record.body)
        item = (envelope.type, bytes(envelope.data))
        found.setdefault(envelope.stream, []).append(item)
    return found


def memory() -> SqliteFile:
    return SqliteFile.open(MEMORY)


async def envelopes(host: EmbeddedHost, service: str) -> list[Envelope]:
    records = await host.worker(service).log.read(0, 0, 10_000)
    return [catalog.decode_envelope(record.body) for record in records]


async def send(host: EmbeddedHost, *args: Any, **more: Any) -> Any:
    answer = await host.submit(command(*args, **more))
    await host.settle()
    return answer


async def failing(*_: Any) -> Any:
    raise LogUnavailable("disk full")
