"""Uvicorn's socket with a wire: `services.gateway.web.wire` says what for."""

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)

from services.gateway.web.wire import EXTENSION


class WiredSocket(WebSocketsSansIOProtocol):
    """What is written here and what is sent by ASGI go out in their order."""

    has_room = True
    _told: Callable[[], None] | None = None

    async def run_asgi(self) -> None:
        extensions = cast(dict[str, Any], self.scope["extensions"])
        extensions[EXTENSION] = self
        await super().run_asgi()

    def write(self, frame: bytes) -> None:
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(frame)

    def when_room(self, told: Callable[[], None]) -> None:
        self._told = told

    def pause_writing(self) -> None:
        self.has_room = False
        super().pause_writing()

    def resume_writing(self) -> None:
        self.has_room = True
        super().resume_writing()
        if self._told is not None:
            self._told()

    def connection_lost(self, exc: Exception | None) -> None:
        self._told = None
        super().connection_lost(exc)
