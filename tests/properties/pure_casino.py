"""All services as pure functions over lists: no log, no host, no file.

Each service reads the others' lists in any order of turns; what it has read is given
to it again now and then, and must change nothing.
"""

from dataclasses import dataclass, field
from functools import reduce
from random import Random
from typing import Any

import msgspec

from contracts import catalog, identities
from contracts.base import tag_of
from contracts.envelope import Actor, Envelope
from push22.casino import SERVICES
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.service import (
    Context,
    DeadlinePassed,
    Decided,
    Decider,
    OutageEnded,
    Rejected,
    Service,
)
from services.table_orchestrator.state import RoundState
from services.table_orchestrator.table import TableState

_STATES = {"round": RoundState, "table": TableState}
_KEYS = KeyRing("k", {"k": bytes(32)})


@dataclass
class Stream:
    """A stream's events and the state they have led to."""

    decider: Decider
    state: Any
    events: list[Any] = field(default_factory=list)


class PureCasino:
    """Steps decide, evolve and react; asserts their laws at every step."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.clock = ManualClock()
        self.ambient = Ambient(self.clock, SeededEntropy(rng.getrandbits(32)), _KEYS)
        self.streams: dict[str, Stream] = {}
        self.logs: dict[str, list[tuple[Actor, Any]]] = {s.name: [] for s in SERVICES}
        self.read = {(s.name, source): 0 for s in SERVICES for source in s.sources}
        self.deciders = {
            category: (service, decider)
            for service in SERVICES
            for category, decider in service.deciders.items()
        }
        self.causes = 0

    def stream(self, name: str) -> Stream:
        found = self.streams.get(name)
        if found is None:
            _, decider = self.deciders[identities.category_of(name)]
            found = self.streams[name] = Stream(decider, decider.initial(name))
        return found

    def command(self, command: Any, actor: Actor) -> Rejected | None:
        """Decide an outside command; return the refusal, if it is one."""
        for service in SERVICES:
            if tag_of(command) in service.commands:
                assert service.address is not None
                stream = service.address(command)
                decided = self._decide(stream, command, actor)
                assert isinstance(decided, Rejected) or decided, "it is answered"
                return decided if isinstance(decided, Rejected) else None
        raise AssertionError(f"nobody takes {command}")

    def _decide(self, name: str, message: Any, actor: Actor) -> Decided:
        stream = self.stream(name)
        self.causes += 1
        requests = stream.decider.needs(message, stream.state)
        values, _ = self.ambient.fulfil(requests) if requests else ({}, {})
        context = Context(
            self.clock.now(),
            f"cause-{self.causes}",
            actor,
            values,
            _KEYS.active,
            _KEYS.seal,
            demonstration=True,
            stream_version=len(stream.events),
        )
        decided = stream.decider.decide(message, stream.state, context)
        if not isinstance(decided, Rejected):
            self._append(name, decided, actor)
        return decided

    def _append(self, name: str, events: tuple[Any, ...], actor: Actor) -> None:
        """Evolve by what was written down, and keep what the decider said it gave."""
        stream = self.stream(name)
        service, _ = self.deciders[identities.category_of(name)]
        for event in events:
            written = msgspec.json.decode(catalog.encode(event), type=type(event))
            assert written == event
            stream.state = stream.decider.evolve(stream.state, written)
            stream.events.append(written)
            self.logs[service.name].append((actor, written))
        folded = getattr(events, "state", stream.state)
        assert folded == stream.state, "a folded state is what evolve makes of it"
        check_state(name, stream.state)

    def turn(self) -> bool:
        """One service reads one record of one source; false if all is read."""
        behind = [
            (service, source)
            for service in SERVICES
            for source in service.sources
            if self.read[service.name, source] < len(self.logs[source])
        ]
        if not behind:
            return False
        service, source = self.rng.choice(behind)
        at = self.read[service.name, source]
        self.read[service.name, source] = at + 1
        self._take(service, self.logs[source][at], is_repeat=False)
        if self.rng.random() < 0.2:
            self._take(service, self.logs[source][at], is_repeat=True)
        return True

    def _take(
        self, service: Service, record: tuple[Actor, Any], *, is_repeat: bool
    ) -> None:
        actor, event = record
        if tag_of(event) not in service.heeds:
            return
        for to in service.react(_envelope(event), event):
            decided = self._decide(to.stream, to.message, actor)
            assert not isinstance(decided, Rejected), "only commands are refused"
            assert not (is_repeat and decided), f"{tag_of(event)} took effect twice"

    def settle(self) -> None:
        while self.turn():
            pass

    def let_time_pass(self, name: str) -> bool:
        """Fire a stream's next deadline, a stale one before it; false if none runs."""
        stream = self.stream(name)
        owed = stream.decider.resume(stream.state)
        if not owed.deadlines:
            return False
        timeout = Actor("timeout", "table-orchestrator")
        if self.rng.random() < 0.1:
            self._decide(name, OutageEnded(self.rng.randint(1, 5000)), timeout)
            owed = stream.decider.resume(stream.state)
        first = min(owed.deadlines, key=lambda item: item.due_at)
        self.clock.advance_to(first.due_at)
        if not first.kind.startswith("funds:"):
            stale = DeadlinePassed(owed.decision - 1, first.kind)
            assert self._decide(name, stale, timeout) == ()
        fired = self._decide(name, DeadlinePassed(owed.decision, first.kind), timeout)
        assert fired, f"{first.kind} passed, changed nothing and is still open"
        return True

    def check_replay(self) -> None:
        """Folding the events from nothing gives every stream's live state."""
        for name, stream in self.streams.items():
            first = stream.decider.initial(name)
            assert reduce(stream.decider.evolve, stream.events, first) == stream.state


def check_state(name: str, state: Any) -> None:
    """A state that is written down and read again is the same state."""
    kind = _STATES.get(identities.category_of(name))
    if kind is not None:
        assert msgspec.json.decode(msgspec.json.encode(state), type=kind) == state


def _envelope(event: Any) -> Envelope:
    """Build what surrounds an event; no reaction may depend on it."""
    actor = Actor("platform", "pure")
    place = ("pure", "log", 0, 1, "stream", 1)
    return Envelope(
        "id", tag_of(event), *place, 0, "cause", "", actor, msgspec.Raw(b"{}")
    )
