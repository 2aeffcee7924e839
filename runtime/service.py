"""What a service is: pure functions over one stream's state, and who it listens to.

Both hosts take exactly these values. Nothing here reads a clock, draws a random
number or touches a database.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from contracts.envelope import Actor, Envelope, Micros


@dataclass(frozen=True, slots=True)
class Rejected:
    """A command is refused; the runtime records it as the service's refusal event.

    `target` and `round_id` name what the command was for, where it says so.
    """

    reason: str
    target: str = ""
    round_id: str = ""


Decided = tuple[msgspec.Struct, ...] | Rejected
"""Events to append; none when the message changes nothing (it is a repeat)."""


class Evolved(tuple[msgspec.Struct, ...]):  # noqa: SLOT001 - a tuple has no slots
    """Events with the state they lead to, from a decider that folded them already.

    Equal to the plain tuple; `state` must be what `evolve` makes of the events.
    """

    state: Any

    @classmethod
    def of(cls, events: list[Any], state: Any) -> "Evolved":
        found = cls(events)
        found.state = state
        return found


class DeadlinePassed(msgspec.Struct, frozen=True, tag="runtime.deadline_passed"):
    """A deadline of `Owed` came due. Quiet if the decision has moved on (H10)."""

    decision: int
    kind: str


class OutageEnded(msgspec.Struct, frozen=True, tag="runtime.outage_ended"):
    """The service was down for `by_ms`; open deadlines are to be extended (H10)."""

    by_ms: int


class AmbientRequest(msgspec.Struct, frozen=True):
    """An impure value that a decision needs.

    `random`: `size` secret random bytes.
    `shuffle`: an unbiased order of `size` cards' codes, as bytes of two each.
    `unseal`: the plain text of `sealed`, made by `Context.seal` under `key_id`.
    """

    kind: Literal["random", "shuffle", "unseal"]
    name: str
    size: int = 0
    sealed: bytes = b""
    key_id: str = ""
    about: str = ""
    """What the value is for; bound to a sealed text as associated data."""


def _unsealed(plain: bytes, about: str) -> bytes:
    """Stand in for a seal where nothing is sealed: in tests of pure decisions."""
    del about
    return plain


def _round_of(stream: str, event: Any) -> str:
    """Return the round an event names, if it names one."""
    del stream
    return getattr(event, "round_id", "")


class Context(msgspec.Struct, frozen=True):
    """What a decision may know besides its message and its stream's state."""

    now: Micros
    cause_id: str
    actor: Actor
    ambient: Mapping[str, bytes] = {}
    key_id: str = ""
    """The key under which `seal` seals now."""
    seal: Callable[[bytes, str], bytes] = _unsealed
    demonstration: bool = False
    """The shuffle came from a seed, for show only."""
    stream_version: int = 0
    """The version of the stream's newest event before this message."""


class Deadline(msgspec.Struct, frozen=True):
    """`kind` passes at `due_at`, unless the stream's decision number moves on."""

    kind: str
    due_at: Micros


class Effect(msgspec.Struct, frozen=True):
    """Something to be done outside, from `due_at` on, until the state owes it no more.

    `id` names one attempt. What came of it is told by a command of the service's own
    with that id: after a crash the attempt is made again, and recorded once.
    """

    id: str
    due_at: Micros
    request: Any


class Owed(msgspec.Struct, frozen=True):
    """What a stream's state still waits for or owes (H10). `decision` only grows."""

    decision: int
    deadlines: tuple[Deadline, ...] = ()
    effects: tuple[Effect, ...] = ()


NOTHING_OWED = Owed(0)


class To(msgspec.Struct, frozen=True):
    """A reaction: `message` is for `stream`, a stream of the reacting service."""

    stream: str
    message: msgspec.Struct


def needs_nothing(message: Any, state: Any) -> tuple[AmbientRequest, ...]:
    """Ask for no ambient value: what most deciders do."""
    del message, state
    return ()


def owes_nothing(state: Any) -> Owed:
    """Owe nothing: what most deciders do."""
    del state
    return NOTHING_OWED


def never_ends(state: Any) -> bool:
    """Keep the state in memory: what streams without an end do."""
    del state
    return False


@dataclass(frozen=True, slots=True)
class Decider:
    """One kind of stream.

    `decide` takes an outside command, a message of `react`, or a runtime message;
    `state` is what `evolve` made of the stream's events so far. `state_type` is the
    type a snapshot is decoded as; `None` where streams are short.
    """

    category: str
    initial: Callable[[str], Any]
    decide: Callable[[Any, Any, Context], Decided]
    evolve: Callable[[Any, Any], Any]
    resume: Callable[[Any], Owed] = owes_nothing
    needs: Callable[[Any, Any], tuple[AmbientRequest, ...]] = needs_nothing
    is_terminal: Callable[[Any], bool] = never_ends
    state_type: type[Any] | None = None


def no_reaction(envelope: Envelope, event: Any) -> tuple[To, ...]:
    del envelope, event
    return ()


@dataclass(frozen=True, slots=True)
class Service:
    """A service as both hosts see it.

    `sources` are the services (itself included, where it does) whose logs it reads;
    `heeds` are the event tags that `react` answers; all others are skipped unread.
    `commands` are the tags it takes, `own_commands` those of them that nobody may send
    but the runner of its own effects; `address` gives a command's stream, `refusal`
    makes the event that records a refused command.
    """

    name: str
    deciders: Mapping[str, Decider]
    sources: tuple[str, ...] = ()
    heeds: frozenset[str] = frozenset()
    react: Callable[[Envelope, Any], tuple[To, ...]] = no_reaction
    commands: frozenset[str] = frozenset()
    own_commands: frozenset[str] = frozenset()
    address: Callable[[Any], str] | None = None
    refusal: Callable[[str, str, Rejected], msgspec.Struct] | None = None
    """(command id, command tag, rejection) to the refusal event."""
    round_of: Callable[[str, Any], str] = _round_of
    """The round a record belongs to, for the index; empty where it has none."""
