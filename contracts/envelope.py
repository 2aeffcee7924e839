"""The envelopes: identity, order and causality around a raw payload.

The log stores exactly the bytes that travel. Times are integers, UTC microseconds
since 1970, so that pure code can reckon with them without a clock.
"""

from typing import Literal

import msgspec

from contracts.base import Value

Micros = int
"""UTC microseconds since 1970-01-01."""

ActorKind = Literal["player", "timeout", "platform", "support"]


class Actor(Value, frozen=True):
    """Who caused something: `timeout` and `platform` are ourselves."""

    kind: ActorKind
    who: str


class Cause(Value, frozen=True):
    """The input that a run of events answers (H11): first event of each input.

    `kind` says what `id` names: a command's id, a record's id, or a deadline's.
    `command` is the command envelope as it came. `ambient` holds the impure values
    that the decision used, the secret ones sealed.
    """

    kind: Literal["command", "event", "deadline", "outage"]
    id: str
    now: Micros
    command: msgspec.Raw = msgspec.Raw(b"null")
    ambient: dict[str, str] = {}


class Envelope(Value, frozen=True):
    """One record of a log.

    `log` is the incarnation of the log; `offset` is gapless in `(log, partition)`,
    `version` gapless in `stream`. `id` is `<stream>@<version>`: the same decision
    made again after a crash gives the same record (H14).
    """

    id: str
    type: str
    service: str
    log: str
    partition: int
    offset: int
    stream: str
    version: int
    recorded_at: Micros
    caused_by: str
    correlation: str
    actor: Actor
    data: msgspec.Raw
    round_id: str = ""
    cause: Cause | None = None


class CommandEnvelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as it is sent: `(actor, id)` is its identity for ever (H4)."""

    id: str
    type: str
    issued_at: Micros
    actor: Actor
    data: msgspec.Raw
    correlation: str = ""


class Answer(Value, frozen=True):
    """The recorded outcome of a command; a repeat of the command gets it again."""

    command_id: str
    accepted: bool
    stream: str
    version: int = 0
    """Version of the stream's last event written for this command."""
    reason: str = ""
