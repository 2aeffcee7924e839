"""Uvicorn's socket with a wire: `services.gateway.web.wire` says what for.

What is written in one turn of the event loop goes out as one piece: a step of the
casino has many events, and what a watcher costs is the call that sends.
"""

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)

from services.gateway.web.wire import EXTENSION

HELD_BYTES_MAX = 64 * 1024
"""What may be written in one turn, as much as a transport takes before it says so."""


class WiredSocket(WebSocketsSansIOProtocol):
    """What is written here and what is sent by ASGI go out in their order."""

    has_room = True
    _told: Callable[[], None] | None = None
    _is_paused = False
    _held = 0

    def __init__(self, *config: Any, **more: Any) -> None:
        super().__init__(*config, **more)
        self._frames: list[bytes] = []

    async def run_asgi(self) -> None:
        extensions = cast(dict[str, Any], self.scope["extensions"])
        extensions[EXTENSION] = self
        await super().run_asgi()

    def write(self, frame: bytes) -> None:
        if not self._frames:
            self.loop.call_soon(self._flush)
        self._frames.append(frame)
        self._held += len(frame)
        if self._held >= HELD_BYTES_MAX:
            self.has_room = False

    def when_room(self, told: Callable[[], None]) -> None:
        self._told = told

    def _flush(self) -> None:
        if not self._frames:
            return
        whole = b"".join(self._frames)
        self._frames.clear()
        self._held = 0
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(whole)
        self._look_for_room()

    def _look_for_room(self) -> None:
        if not self.has_room and not self._is_paused:
            self.has_room = True
            if self._told is not None:
                self._told()

    async def send(self, message: Any) -> None:
        self._flush()
        await super().send(message)

    def pause_writing(self) -> None:
        self.has_room = False
        self._is_paused = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self._is_paused = False
        super().resume_writing()
        if not self._frames:
            self._look_for_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._told = None
        super().connection_lost(exc)
