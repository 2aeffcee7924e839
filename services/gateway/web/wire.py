"""The short way out of a socket: a text's frame is made once and written to many.

ASGI's way makes a message, a frame and a wake-up of each text for each watcher. The
server gives this way beside it, as an extension of the connection's scope.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

EXTENSION = "push22.wire"

_SHARED = 64
"""So many texts' frames are kept for those who are still to be told."""

_TEXT = 0x81
_SHORT_MAX, _LONG_MAX = 125, 0xFFFF
_LONG, _LONGEST = 126, 127


class Wire(Protocol):
    """A connection that takes frames; none waits for the other side."""

    has_room: bool
    """Whether the other side has taken nearly all that was written."""

    def write(self, frame: bytes) -> None:
        """Write a whole frame; nothing where the connection is being closed."""
        ...

    def when_room(self, told: Callable[[], None]) -> None:
        """Call `told` each time when there is room again."""
        ...


def wire_of(scope: Any) -> Wire:
    """Return a socket's wire. KeyError where another server than ours serves."""
    wire: Wire = scope["extensions"][EXTENSION]
    return wire


@lru_cache(_SHARED)
def text_frame(body: bytes) -> bytes:
    """Return the frame of a text, as a server sends it (RFC 6455, 5.2)."""
    size = len(body)
    if size <= _SHORT_MAX:
        return bytes((_TEXT, size)) + body
    if size <= _LONG_MAX:
        return bytes((_TEXT, _LONG)) + size.to_bytes(2, "big") + body
    return bytes((_TEXT, _LONGEST)) + size.to_bytes(8, "big") + body
