"""From a recorded cause back to the message that a decision answered (H11).

The forms of the ids are the handling loop's (`runtime/handle.py`).
"""

from typing import Any

from contracts import catalog
from contracts.desk import DeskCommandRefused
from contracts.envelope import Cause, Envelope
from contracts.identities import category_of
from contracts.table_events import CommandRefused
from contracts.wallet import WalletCommandRefused
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


REFUSALS = frozenset({CommandRefused, DeskCommandRefused, WalletCommandRefused})
"""Events that record a refused command and change no state."""


class NoInput(Exception):
    """A recorded input cannot be had again; the text says which and why."""


def told(
    record: Envelope, cause: Cause, service: Service, find: Find
) -> tuple[Any, Rejected | None]:
    """Return what the stream was told, and why it was refused unheard, if it was."""
    if record.caused_by != cause.id:
        raise NoInput(f"it names {record.caused_by} and answers {cause.id}")
    match cause.kind:
        case "event":
            return _reaction(record, service, find), None
        case "command":
            return _command(record, cause)
        case "deadline":
            return _deadline(cause.id), None
        case "outage":
            return OutageEnded(int(cause.id.rpartition(":")[2])), None


def _command(record: Envelope, cause: Cause) -> tuple[Any, Rejected | None]:
    """Read a command; one that came too late is refused unheard (H4)."""
    envelope = catalog.decode_command_envelope(cause.command)
    if envelope.id != cause.id or envelope.actor != record.actor:
        raise NoInput(f"command {cause.id}: the recorded one is {envelope.id}")
    late = Rejected("command_expired") if is_expired(envelope, cause.now) else None
    return catalog.decode_command(envelope), late


def refusal(cause: Cause, service: Service, rejected: Rejected) -> Any:
    """Return the event that records a refused command."""
    assert service.refusal is not None, f"{service.name} refuses nothing"
    command = catalog.decode_command_envelope(cause.command)
    return service.refusal(command.id, command.type, rejected)


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
