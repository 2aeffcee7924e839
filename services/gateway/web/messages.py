"""The texts that a player's socket takes, and how strictly they are read."""

from typing import Annotated

import msgspec

from contracts import strict
from services.gateway.in_words import in_words
from services.gateway.orders import AnyOrder, CommandId
from services.gateway.problems import DoorReason, Problem, Refused
from services.gateway.web.bodies import TableName

TEXT_BYTES_MAX = 16 * 1024
_NESTING_MAX = 8


class Message(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"
):
    """Something that a client says."""


class Hello(Message, frozen=True, tag="hello"):
    token: Annotated[str, msgspec.Meta(max_length=2048)]


class Watch(Message, frozen=True, tag="watch"):
    """`feed` and `seq`: where the last connection ended."""

    table: TableName
    feed: Annotated[str, msgspec.Meta(max_length=128)] = ""
    seq: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0


class Unwatch(Message, frozen=True, tag="unwatch"):
    table: TableName


class Command(Message, frozen=True, tag="command"):
    """`id` is the command's id: a repeat gets the same answer."""

    id: CommandId
    order: AnyOrder


class Answer(msgspec.Struct, frozen=True, tag_field="kind", tag="answer"):
    id: str
    accepted: bool
    stream: str
    version: int


class Wrong(msgspec.Struct, frozen=True, tag_field="kind", tag="problem"):
    """A problem; `id` is the command's that it answers, if it answers one."""

    id: str
    type: str
    title: str
    status: int
    reason: str
    detail: str = ""


class Garbled(Exception):
    """No text, no JSON, or JSON with two readings: nothing to be answered."""


Said = Hello | Watch | Unwatch | Command


class _Named(msgspec.Struct):
    """Of a message that is none of ours, what its answer has to name."""

    id: CommandId = ""


_NAMED: msgspec.json.Decoder[_Named] = msgspec.json.Decoder(_Named)
_DECODER: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)
_ENCODE = msgspec.json.Encoder().encode


def read(text: str | None) -> Said:
    """Read a client's message. Raises Garbled, or Refused where it is none of ours."""
    body = _strict(text)
    try:
        return _DECODER.decode(body)
    except msgspec.MsgspecError as error:
        raise Refused(DoorReason.MALFORMED, in_words(str(error))[:200]) from error


def _strict(text: str | None) -> bytes:
    if text is None:
        raise Garbled("a text is due")
    body = text.encode("utf-8", "surrogatepass")
    try:
        strict.check_nesting(body, _NESTING_MAX)
        strict.check_names(body)
    except strict.NotStrict as error:
        raise Garbled(str(error)) from error
    return body


def id_in(text: str | None) -> str:
    """Return the id that a message goes by; nothing where none can be read."""
    try:
        return _NAMED.decode(_strict(text)).id
    except (Garbled, msgspec.MsgspecError):
        return ""


def wrong(found: Problem, command_id: str = "") -> bytes:
    return _ENCODE(
        Wrong(
            command_id,
            found.type,
            found.title,
            found.status,
            found.reason,
            found.detail,
        )
    )


def answered(answer: Answer) -> bytes:
    return _ENCODE(answer)
