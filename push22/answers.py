"""A command's recorded answer, as the first event that it caused tells it.

A service records nothing of another command under an id that it knows: whoever sent
that one learns from the first one's record that his was refused (H4).
"""

from typing import NamedTuple, Self

from contracts import catalog
from contracts.base import is_refusal
from contracts.envelope import Actor, Answer, CommandEnvelope
from contracts.topics import topic_of_command
from runtime.bus_memory import Delivery
from runtime.commands import digest_of, reused


class Asked(NamedTuple):
    """A command's identity: two players may give theirs the same id (H4).

    So may one, to two services: each knows its own.
    """

    service: str
    actor: Actor
    command_id: str

    @classmethod
    def of(cls, command: CommandEnvelope) -> Self:
        return cls(topic_of_command(command.type).service, command.actor, command.id)


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
    asked = Asked(delivery.envelope.service, command.actor, command.id)
    return Heard(asked, digest_of(command), answer_of(delivery))


def answer_of(delivery: Delivery) -> Answer:
    """Return the answer that a command's first event stands for."""
    envelope = delivery.envelope
    accepted = not is_refusal(envelope.type)
    reason = "" if accepted else str(delivery.event.reason)
    return Answer(
        envelope.caused_by, accepted, envelope.stream, envelope.version, reason
    )


def again(known: Heard, command: CommandEnvelope) -> Answer:
    """Answer a repeat as its first was; another command under its id is refused."""
    if known.digest == digest_of(command):
        return known.answer
    return reused(command.id)
