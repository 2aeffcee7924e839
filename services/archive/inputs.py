"""From a recorded cause back to the message that a decision answered (H11).

The forms of the ids are the handling loop's (`runtime/handle.py`).
"""

from typing import Any

from contracts import catalog
from contracts.envelope import Envelope
from contracts.identities import category_of
from runtime.commands import is_expired
from runtime.service import (
    Context,
    DeadlinePassed,
    Decided,
    Decider,
    OutageEnded,
    Rejected,
    Service,
)
from services.archive.recent import Find

_REFUSED = "refused"
"""Category of the stream that holds refusals for streams that do not exist."""


class NoInput(Exception):  # noqa: N818 - what there is not, not what went wrong
    """A recorded input cannot be had again; the text says which and why."""


def message_of(record: Envelope, service: Service, find: Find) -> Any:
    """Return what the stream was told. Raises NoInput."""
    cause = record.cause
    assert cause is not None, "only the first event of an input carries its cause"
    try:
        match cause.kind:
            case "command":
                return _command(record)
            case "event":
                return _reaction(record, service, find)
            case "deadline":
                return _deadline(cause.id)
            case "outage":
                return OutageEnded(int(cause.id.rpartition(":")[2]))
    except (ValueError, catalog.Undecodable) as error:
        raise NoInput(f"{cause.kind} {cause.id}: {error}") from error


def _command(record: Envelope) -> Any:
    assert record.cause is not None
    envelope = catalog.decode_command_envelope(bytes(record.cause.command))
    if envelope.id != record.caused_by or envelope.actor != record.actor:
        raise NoInput(f"command {record.caused_by}: the recorded one is {envelope.id}")
    return catalog.decode_command(envelope)


def _reaction(record: Envelope, service: Service, find: Find) -> Any:
    found = find(record.caused_by)
    if found is None:
        raise NoInput(f"record {record.caused_by} is missing")
    for to in service.react(*found):
        if to.stream == record.stream:
            return to.message
    raise NoInput(f"record {record.caused_by} is not for {record.stream}")


def _deadline(name: str) -> DeadlinePassed:
    """Read `deadline:<stream>#<decision>:<kind>`; the kind may hold colons."""
    decision, _, kind = name.partition("#")[2].partition(":")
    return DeadlinePassed(int(decision), kind)


def is_refusal(record: Envelope) -> bool:
    """A refused command is recorded and changes no state."""
    return record.type.endswith(".command_refused.v1")


def rejected_at_once(record: Envelope) -> Rejected | None:
    """Refuse what the handling loop refuses before it asks the decider (H4)."""
    cause = record.cause
    if cause is None or cause.kind != "command":
        return None
    command = catalog.decode_command_envelope(bytes(cause.command))
    return Rejected("command_expired") if is_expired(command, cause.now) else None


def decider_for(service: Service, stream: str) -> Decider:
    """Return who decides in a stream.

    What was refused for streams without events stands in one stream of its own: each
    command there was decided by the initial state of the stream it was for.
    """
    category = category_of(stream)
    if category != _REFUSED:
        return service.deciders[category]

    def decide(message: Any, state: None, context: Context) -> Decided:
        del state
        assert service.address is not None, f"{service.name} takes no commands"
        target = service.address(message)
        decider = service.deciders[category_of(target)]
        return decider.decide(message, decider.initial(target), context)

    return Decider(
        category=_REFUSED,
        initial=_no_state,
        decide=decide,
        evolve=_no_state,
    )


def _no_state(*_: object) -> None:
    """What refused commands leave behind."""
