"""What every message shares: how it is encoded and how strictly it is read.

Events tolerate unknown fields, so that an old reader survives a newer writer.
Commands refuse them, so that a misspelt option is never silently ignored.
"""

from functools import cache

import msgspec


class Event(
    msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", gc=False
):
    """Something that happened. Concrete events set `tag` by hand."""


class Command(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    tag_field="type",
    forbid_unknown_fields=True,
    gc=False,
):
    """Something that is asked for. Concrete commands set `tag` by hand."""


class Value(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of a message."""


def tag_of(message: msgspec.Struct | type[msgspec.Struct]) -> str:
    """Return the wire tag of a message or message type."""
    return _tag(message if isinstance(message, type) else type(message))


def is_refusal(tag: str) -> bool:
    """Tell the events that record a refused command: they change no state (H4)."""
    return tag.endswith(".command_refused.v1")


@cache
def _tag(kind: type[msgspec.Struct]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
