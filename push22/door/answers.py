"""A command's recorded answer, as the events that it caused tell it."""

from typing import NamedTuple

from contracts import catalog
from contracts.envelope import Answer, CommandEnvelope
from push22.remote import Asked, answer_of
from runtime.bus_memory import Delivery
from runtime.commands import digest_of, reused


class Heard(NamedTuple):
    """Whose command it was, what it said, by its digest, and its recorded answer."""

    asked: Asked
    digest: bytes
    answer: Answer


def heard_of(delivery: Delivery) -> Heard | None:
    """Return the answer that a record holds, if it is the first event of a command."""
    cause = delivery.envelope.cause
    if cause is None or cause.kind != "command":
        return None
    command = catalog.decode_command_envelope(cause.command)
    asked = Asked(command.actor, command.id)
    return Heard(asked, digest_of(command), answer_of(delivery))


def again(known: Heard, command: CommandEnvelope) -> Answer:
    """Answer a repeat as its first was; another command under its id is refused."""
    if known.digest == digest_of(command):
        return known.answer
    return reused(command.id)
