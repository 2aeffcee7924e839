"""Deciding one input: from its message and its stream's state to drafted events.

A state moves on only when all of its new events evolved; see `handle.py`.
"""

from typing import Any

import msgspec

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Answer, Cause
from contracts.exact import EXACT
from runtime.agenda import planned
from runtime.ambient import Ambient
from runtime.commands import CommandDesk, is_expired
from runtime.inputs import Cycle, Input
from runtime.log import Draft
from runtime.service import Context, DeadlinePassed, Evolved, Rejected, Service
from runtime.states import States, StreamState

DATA_BYTES_MAX = 800_000
"""An event's data; with its envelope and a command it stays below a topic's limit."""


class Decisions:
    """Makes a service's decisions and drafts what they lead to."""

    def __init__(
        self, service: Service, ambient: Ambient, states: States, desk: CommandDesk
    ) -> None:
        self.service = service
        self.ambient = ambient
        self.states = states
        self.desk = desk

    def take(self, work: Cycle, entry: StreamState, item: Input) -> Answer | None:
        """Decide one input into the cycle. A command always gets an answer."""
        return self._append(work, entry, item, self._decide(entry, item))

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
            if isinstance(item.message, DeadlinePassed):
                _assert_moved_on(entry, item.message)
            return None
        state = _evolved(entry, decided)
        drafts = []
        version = entry.version
        for event in decided:
            version += 1
            drafts.append(self._draft(item, event, version, cause))
            cause = None  # type: ignore[assignment]
        owed = entry.decider.resume(state)
        work.batch.drafts.extend(drafts)
        entry.state, entry.version = state, version
        work.touched[entry.stream] = entry
        if owed != entry.owed:
            entry.owed = owed
            work.batch.agenda[entry.stream] = planned(entry.stream, owed)
        return Answer(item.cause.id, True, entry.stream, version)

    def _draft(
        self, item: Input, event: Any, version: int, cause: Cause | None
    ) -> Draft:
        data = catalog.encode(event)
        if len(data) > DATA_BYTES_MAX:
            # A record that no topic takes would stop the relay for ever (AP5).
            raise ValueError(f"{tag_of(event)}: {len(data)} bytes of data")
        return Draft(
            item.stream,
            version,
            tag_of(event),
            data,
            item.cause.id,
            item.correlation,
            item.actor,
            self.service.round_of(item.stream, event),
            cause,
            event if type(event) in EXACT else None,
        )

    def _refuse(
        self, work: Cycle, entry: StreamState, item: Input, result: tuple[Any, Cause]
    ) -> Answer:
        """Record a refusal in the stream it was for, if there is one (H4)."""
        rejected, cause = result
        assert item.command is not None, f"only commands are refused: {rejected}"
        assert self.service.refusal is not None
        event = self.service.refusal(
            item.cause.id, item.command.envelope.type, rejected
        )
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


def _evolved(entry: StreamState, decided: tuple[Any, ...]) -> Any:
    """Return the state after the events; a decider may have folded them already."""
    if isinstance(decided, Evolved):
        return decided.state
    state = entry.state
    for event in decided:
        state = entry.decider.evolve(state, event)
    return state


def _assert_moved_on(entry: StreamState, message: DeadlinePassed) -> None:
    """A deadline that is quiet and yet still open would fire for ever (H10)."""
    owed = entry.owed
    is_open = owed.decision == message.decision and any(
        deadline.kind == message.kind for deadline in owed.deadlines
    )
    assert not is_open, f"{message.kind} passed, changed nothing and is still open"
