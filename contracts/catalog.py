"""The only table from wire tag to message type, and the strict decoders.

Decoding is done in two steps: the envelope first, its payload as raw bytes; then
the payload by the type that the envelope names. See `strict.py` for what comes before.
"""

from typing import Any

import msgspec

from contracts import (
    desk,
    round_events,
    settlement,
    shoe,
    table,
    table_events,
    wallet,
    wallet_calls,
)
from contracts.base import Command, Event, tag_of
from contracts.envelope import CommandEnvelope, Envelope
from contracts.strict import (
    COMMAND_NESTING_MAX,
    NotStrict,
    check_names,
    check_nesting,
)
from contracts.undecodable import Undecodable as Undecodable  # noqa: PLC0414


def _tagged(base: type[msgspec.Struct], *modules: Any) -> dict[str, type[Any]]:
    found: dict[str, type[Any]] = {}
    for module in modules:
        for kind in vars(module).values():
            is_message = (
                isinstance(kind, type)
                and issubclass(kind, base)
                and kind.__module__ == module.__name__
            )
            if not is_message or "." not in str(kind.__struct_config__.tag):
                continue
            tag = tag_of(kind)
            assert tag not in found, f"two message types are tagged {tag}"
            found[tag] = kind
    return found


EVENTS: dict[str, type[Any]] = _tagged(
    Event, desk, round_events, settlement, shoe, table_events, wallet, wallet_calls
)
COMMANDS: dict[str, type[Any]] = _tagged(Command, desk, table, wallet, wallet_calls)

_EVENT_DECODERS = {tag: msgspec.json.Decoder(kind) for tag, kind in EVENTS.items()}
_COMMAND_DECODERS = {tag: msgspec.json.Decoder(kind) for tag, kind in COMMANDS.items()}
_ENVELOPE = msgspec.json.Decoder(Envelope)
_COMMAND_ENVELOPE = msgspec.json.Decoder(CommandEnvelope)
_ENCODER = msgspec.json.Encoder(order="deterministic")


def encode(message: Any) -> bytes:
    """Encode any message or envelope; the same value gives the same bytes."""
    return _ENCODER.encode(message)


def decode_envelope(body: bytes) -> Envelope:
    try:
        check_nesting(body)
        return _ENVELOPE.decode(body)
    except (NotStrict, msgspec.MsgspecError) as error:
        raise Undecodable(f"envelope: {error}") from error


def is_event(tag: str) -> bool:
    """Tell whether this software knows an event's type and version."""
    return tag in _EVENT_DECODERS


def decode_event(envelope: Envelope) -> Any:
    """Decode the payload that the envelope's type names."""
    return _decoded(_EVENT_DECODERS, "event", envelope.type, envelope.data)


class _Typed(msgspec.Struct, frozen=True):
    type: str


_TYPED = msgspec.json.Decoder(_Typed)


def type_of_command(body: bytes) -> str:
    """Return what a command says it is, to route it: its taker reads it strictly."""
    try:
        check_nesting(body, COMMAND_NESTING_MAX)
        return _TYPED.decode(body).type
    except (NotStrict, msgspec.MsgspecError) as error:
        raise Undecodable(f"command envelope: {error}") from error


def decode_command_envelope(body: bytes | msgspec.Raw) -> CommandEnvelope:
    """Decode a command as it came: nothing in it may have two readings."""
    try:
        check_nesting(memoryview(body), COMMAND_NESTING_MAX)
        check_names(memoryview(body))
        return _COMMAND_ENVELOPE.decode(body)
    except (NotStrict, msgspec.MsgspecError) as error:
        raise Undecodable(f"command envelope: {error}") from error


def decode_command(envelope: CommandEnvelope) -> Any:
    return _decoded(_COMMAND_DECODERS, "command", envelope.type, envelope.data)


def _decoded(
    decoders: dict[str, msgspec.json.Decoder[Any]],
    what: str,
    tag: str,
    data: msgspec.Raw,
) -> Any:
    decoder = decoders.get(tag)
    if decoder is None:
        raise Undecodable(f"unknown {what} type {tag!r}")
    try:
        check_nesting(memoryview(data))
        return decoder.decode(data)
    except (NotStrict, msgspec.MsgspecError) as error:
        raise Undecodable(f"{tag}: {error}") from error
