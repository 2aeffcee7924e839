"""Who of support looked at what: recorded before it is shown, and never changed."""

from contracts.desk import (
    ABOUT_LENGTH_MAX,
    AccessRecorded,
    DeskCommandRefused,
    DeskReason,
    RecordAccess,
)
from contracts.identities import is_case_id
from runtime.service import Context, Decided, Rejected
from services.desk.state import Access

NAME_LENGTH_MAX = 300
"""Longer than any name of a person or of what is done."""


def initial(stream: str) -> Access:
    del stream
    return Access()


def decide(command: RecordAccess, state: Access, context: Context) -> Decided:
    """Take down what somebody says of himself, and of nobody else."""
    del state
    if (context.actor.kind, context.actor.who) != ("support", command.person):
        return Rejected(DeskReason.NOT_AUTHORIZED)
    if command.case and not is_case_id(command.case):
        return Rejected(DeskReason.INVALID_NAME)
    names = (command.person, command.what)
    is_long = any(len(name) > NAME_LENGTH_MAX for name in names)
    if is_long or len(command.about) > ABOUT_LENGTH_MAX:
        return Rejected(DeskReason.TEXT_TOO_LONG)
    return (
        AccessRecorded(
            person=command.person,
            role=command.role,
            what=command.what,
            about=command.about,
            case=command.case,
        ),
    )


def evolve(state: Access, event: AccessRecorded | DeskCommandRefused) -> Access:
    return Access(state.looks + isinstance(event, AccessRecorded))
