"""Given a stream's history, when a message comes, then exactly these events.

`given` takes a decider, or a whole service: `on` then sends a foreign event through
the service's reaction first. Each outcome is folded, so `evolve` is tried as well.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import msgspec

from contracts.base import tag_of
from contracts.envelope import Actor, Envelope
from contracts.identities import category_of
from runtime.service import Context, Decided, Decider, Rejected, Service, To

NOON = 1_764_504_000_000_000
"""2025-11-30 12:00:00 UTC, in microseconds."""

PLATFORM = Actor("platform", "local")
SUPPORT = Actor("support", "sam")


def player(name: str) -> Actor:
    return Actor("player", name)


@dataclass(frozen=True, slots=True)
class Given:
    """A stream with its history."""

    decider: Decider
    stream: str
    history: tuple[Any, ...]
    service: Service | None = None

    def when(
        self,
        message: Any,
        *,
        by: Actor = PLATFORM,
        now: int = NOON,
        cause_id: str = "cause-1",
        ambient: Mapping[str, bytes] | None = None,
        **more: Any,
    ) -> "Outcome":
        """Decide a command, or an event that is meant for this stream."""
        context = Context(
            now=now,
            cause_id=cause_id,
            actor=by,
            ambient=ambient or {},
            stream_version=len(self.history),
            **more,
        )
        return Outcome(self, message, context)

    def on(self, event: Any, *, source: str = "", **context: Any) -> "Outcome":
        """Decide a foreign event; with a service given, as its reaction says."""
        if self.service is None:
            return self.when(event, **context)
        found = tuple(
            to
            for to in reactions(self.service, event, source=source)
            if to.stream == self.stream
        )
        assert len(found) == 1, f"{tag_of(event)} reaches {self.stream} {len(found)} x"
        return self.when(found[0].message, **context)

    def state(self) -> Any:
        return reduce(
            self.decider.evolve, self.history, self.decider.initial(self.stream)
        )

    def and_then(self, *events: Any) -> "Given":
        """The same stream, some events later."""
        return replace(self, history=(*self.history, *events))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was decided, compared with what was expected."""

    given: Given
    message: Any
    context: Context

    def decided(self) -> Decided:
        """Decide, and fold the events, so that an `evolve` that fails is seen here."""
        decided = self.given.decider.decide(
            self.message, self.given.state(), self.context
        )
        if not isinstance(decided, Rejected):
            self.given.and_then(*decided).state()
        return decided

    def then(self, *expected: Any) -> Given:
        """Expect exactly these events; return the stream with them."""
        decided = self.decided()
        assert decided == expected, _difference(expected, decided)
        return self.given.and_then(*expected)

    def then_nothing(self) -> Given:
        return self.then()

    def then_rejected(self, reason: str, target: str | None = None) -> None:
        """Expect a refusal; what it was for is compared where a test names it."""
        decided = self.decided()
        if not isinstance(decided, Rejected):
            difference = _difference(Rejected(reason), decided)
            raise AssertionError(difference)  # noqa: TRY004 - a failed expectation
        expected = Rejected(
            reason, decided.target if target is None else target, decided.round_id
        )
        assert decided == expected, _difference(expected, decided)

    def then_quiet_when_repeated(self) -> None:
        """Expect events, and none when the same message comes again."""
        decided = self.decided()
        assert isinstance(decided, tuple), f"rejected: {decided}"
        assert decided, "nothing was decided the first time"
        again = replace(self, given=self.given.and_then(*decided)).decided()
        assert again == (), _difference((), again)

    def then_stops(self) -> None:
        """Expect an assertion: this cannot happen unless something is broken."""
        try:
            decided = self.decided()
        except AssertionError:
            return
        raise AssertionError(f"went on with what cannot be:\n{_text(decided)}")


def given(what: Decider | Service, stream: str, *history: Any) -> Given:
    if isinstance(what, Decider):
        return Given(what, stream, history)
    return Given(what.deciders[category_of(stream)], stream, history, what)


def reactions(service: Service, event: Any, *, source: str = "") -> tuple[To, ...]:
    """Return whom a foreign event is sent to; nobody if the service skips it."""
    if tag_of(event) not in service.heeds:
        return ()
    return service.react(envelope_of(event, service=source), event)


def envelope_of(
    event: Any, *, service: str = "", stream: str = "", version: int = 1
) -> Envelope:
    return Envelope(
        id=f"{stream}@{version}",
        type=tag_of(event),
        service=service,
        log="log-1",
        partition=0,
        offset=version,
        stream=stream,
        version=version,
        recorded_at=NOON,
        caused_by="cause-1",
        correlation="correlation-1",
        actor=PLATFORM,
        data=msgspec.Raw(msgspec.json.encode(event)),
        round_id=getattr(event, "round_id", ""),
    )


def _difference(expected: Any, got: Any) -> str:
    lines = difflib.unified_diff(
        _text(expected).splitlines(),
        _text(got).splitlines(),
        "expected",
        "decided",
        lineterm="",
        n=100,
    )
    return "\n" + ("\n".join(lines) or f"{expected!r}\n{got!r}")


def _text(decided: Any) -> str:
    if isinstance(decided, Rejected):
        return f"rejected: {decided.reason} {decided.target} {decided.round_id}".strip()
    if not decided:
        return "nothing"
    return "\n".join(
        msgspec.json.format(msgspec.json.encode(event), indent=2).decode()
        for event in decided
    )
