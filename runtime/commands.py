"""The command desk: every command is answered once, and again with the same (H4).

Answers are kept 48 hours; a command issued more than 24 hours ago without one is
refused as expired, so that no repeat can ever take effect twice.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from contracts import catalog
from contracts.envelope import Actor, Answer, CommandEnvelope, Micros
from contracts.identities import category_of
from runtime.log import AnswerKey, Batch, Log, Parked, StoredAnswer
from runtime.service import Service

COMMAND_BYTES_MAX = 64 * 1024
"""A longer command can't be honest; its first bytes are kept (AP5)."""

EXPIRES_AFTER_US = 24 * 3600 * 1_000_000
"""Also how far ahead a command may be issued: its answer is kept until it expires."""


class Expired(msgspec.Struct, frozen=True):
    """Stands in for a command that came too late to be decided."""


class Submitted(msgspec.Struct, eq=False):
    """A command as it came, who waits for the answer, and when it came.

    `is_own`: it comes from the runner of the service's own effects. `kind` is its
    type, once it was read and can be told.
    """

    body: bytes
    reply: Callable[[Answer], None]
    arrived_at: Micros
    is_own: bool = False
    kind: str = ""


class AcceptedCommand(msgspec.Struct):
    """A command that is new: to be decided in `stream`."""

    envelope: CommandEnvelope
    message: Any
    stream: str
    digest: bytes


class CommandDesk:
    """Takes a service's commands, knows the answered ones."""

    def __init__(self, service: Service, log: Log) -> None:
        self._service = service
        self._log = log
        self._queue: deque[Submitted] = deque()
        self._known: dict[AnswerKey, StoredAnswer] = {}
        self._refusals: int | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def submit(self, item: Submitted) -> None:
        self._queue.append(item)

    def oldest(self) -> Micros | None:
        """Return when the command came that has waited longest."""
        return self._queue[0].arrived_at if self._queue else None

    def take(self, limit: int) -> list[Submitted]:
        count = min(limit, len(self._queue))
        return [self._queue.popleft() for _ in range(count)]

    def put_back(self, items: list[Submitted]) -> None:
        """A cycle could not commit: its commands come again, in order."""
        self._queue.extendleft(reversed(items))
        self._known.clear()
        self._refusals = None

    def read(self, item: Submitted, now: Micros) -> Parked | AcceptedCommand:
        """Read a command strictly; whether it is new is found out by `judge`."""
        try:
            if len(item.body) > COMMAND_BYTES_MAX:
                raise catalog.Undecodable(f"more than {COMMAND_BYTES_MAX} bytes")
            envelope = catalog.decode_command_envelope(item.body)
            if envelope.type not in self._service.commands:
                raise catalog.Undecodable(
                    f"{self._service.name} takes no {envelope.type!r}"
                )
            if envelope.type in self._service.own_commands and not item.is_own:
                raise catalog.Undecodable(f"{envelope.type!r} from outside")
            message = catalog.decode_command(envelope)
            item.kind = envelope.type
            stream = self._stream(message)
            if envelope.issued_at > now + EXPIRES_AFTER_US:
                raise catalog.Undecodable("issued more than 24 hours ahead")
        except catalog.Undecodable as error:
            kept = item.body[:COMMAND_BYTES_MAX]
            return Parked("", "undecodable", "", f"undecodable: {error}", kept, now)
        return AcceptedCommand(envelope, message, stream, digest_of(envelope))

    async def learn(self, found: Iterable[Parked | AcceptedCommand]) -> None:
        """Read the answers that these commands got before, all at once."""
        keys = [_key(item) for item in found if isinstance(item, AcceptedCommand)]
        if not keys:
            return
        for stored in await self._log.answers(keys):
            self._known[stored.actor, stored.command_id] = stored
        await self.learn_refusals()

    def judge(self, found: AcceptedCommand) -> Answer | None:
        """Return the answer of a command that was handled before: None, it is new."""
        stored = self._known.get(_key(found))
        if stored is None:
            return None
        if stored.digest != found.digest:
            return reused(found.envelope.id)
        return msgspec.json.decode(stored.outcome, type=Answer)

    def _stream(self, message: Any) -> str:
        """Return the command's stream: anyone may write anything into a command."""
        assert self._service.address is not None
        try:
            stream = self._service.address(message)
        except (ValueError, LookupError) as error:
            raise catalog.Undecodable(f"for no stream: {error}") from error
        if category_of(stream) not in self._service.deciders:
            raise catalog.Undecodable(f"{self._service.name} has no {stream!r}")
        return stream

    async def learn_refusals(self) -> None:
        """Read how many commands without a stream of their own were refused."""
        if self._refusals is None:
            stream = f"refused-{self._service.name}"
            self._refusals = await self._log.stream_version(stream)

    def next_refusal_version(self) -> int:
        assert self._refusals is not None
        self._refusals += 1
        return self._refusals

    def remember(self, batch: Batch, command: AcceptedCommand, answer: Answer) -> None:
        """Store the answer in the same transaction as its events."""
        stored = StoredAnswer(
            actor_key(command.envelope.actor),
            command.envelope.id,
            command.digest,
            catalog.encode(answer),
            batch.now,
        )
        batch.answers.append(stored)
        self._known[stored.actor, stored.command_id] = stored

    def committed(self) -> None:
        self._known.clear()

    def set_aside(self, command: AcceptedCommand) -> Answer:
        return Answer(
            command.envelope.id, accepted=False, stream="", reason="set_aside"
        )


def is_expired(envelope: CommandEnvelope, now: Micros) -> bool:
    return envelope.issued_at < now - EXPIRES_AFTER_US


def digest_of(envelope: CommandEnvelope) -> bytes:
    """Return what tells one body from another under the same id."""
    body = envelope.type.encode() + b"\0" + bytes(envelope.data)
    return hashlib.sha256(body).digest()


def reused(command_id: str) -> Answer:
    """Answer another command under an id that was answered already."""
    return Answer(command_id, accepted=False, stream="", reason="command_id_reused")


def actor_key(actor: Actor) -> str:
    return f"{actor.kind}:{actor.who}"


def _key(command: AcceptedCommand) -> AnswerKey:
    return actor_key(command.envelope.actor), command.envelope.id
