"""The line to the door: one socket after another, until there is reason to stop."""

import asyncio
import random
from typing import Protocol

from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from push22.client import messages as m
from push22.client.problems import Garbled
from push22.client.retries import Retries

TEXT_BYTES_MAX = 4 * 1024 * 1024
"""A snapshot is a few kilobytes; nothing of the door's comes near this."""

_CLOSE_S = 2.0
_ENDS = {4001: "replaced by a newer connection", 4003: "the session is not valid"}
"""Codes after which another connection would fare no better."""


class Patience(Struct, frozen=True):
    """How long what is waited for, in seconds.

    `lost_s`: without any message for so long, and no connection, the session ends.
    `steady_s`: a connection that held so long was a good one: the waits begin anew.
    """

    hello_s: float = 10.0
    answer_s: float = 30.0
    lost_s: float = 120.0
    steady_s: float = 10.0
    ping_s: float = 20.0
    again: Retries = Retries(first_s=0.3, most_s=10.0)


PATIENT = Patience()


class Hearer(Protocol):
    """Who listens on a line."""

    async def welcomed(self, you: m.You) -> None:
        """Take the first message of a connection: the door knows who this is."""

    async def hear(self, message: m.Told) -> None:
        """Take a message. Raises Garbled where it makes no sense."""

    def lost(self, *, garbled: bool) -> None:
        """Learn that the connection is gone, or made no sense."""

    def ended(self) -> None:
        """Learn that there will be no other connection; `end` says why."""


class Line:
    """Connects, says hello and listens; `end` says why it stopped, once it has."""

    def __init__(self, url: str, token: str, patience: Patience) -> None:
        self._url = url
        self._hello = m.write(m.Hello(token))
        self._patience = patience
        self._socket: ClientConnection | None = None
        self._heard_at = 0.0
        self.connections = 0
        self.end = ""

    async def say(self, text: str) -> None:
        """Send a text, if there is a connection: who needs it sent says it again."""
        if self._socket is None:
            return
        try:
            await self._socket.send(text)
        except (ConnectionClosed, OSError):
            return

    async def run(self, hearer: Hearer) -> None:
        """Listen until the door, or the lack of one, ends it."""
        loop, tried = asyncio.get_running_loop(), 0
        self._heard_at = loop.time()
        try:
            while not self.end:
                began = loop.time()
                self.end = _ENDS.get(await self._connection(hearer), "")
                is_silent = loop.time() - self._heard_at > self._patience.lost_s
                self.end = self.end or ("no connection" if is_silent else "")
                was_steady = loop.time() - began > self._patience.steady_s
                tried = 1 if was_steady else tried + 1
                await self._pause(tried)
        finally:
            self.end = self.end or "closed"
            hearer.ended()

    async def _pause(self, tried: int) -> None:
        if not self.end:
            chance = random.random()  # noqa: S311 - jitter keeps no secret
            await asyncio.sleep(self._patience.again.wait_s(tried, chance))

    async def _connection(self, hearer: Hearer) -> int:
        """Serve one connection; return the code that it was closed with, or 0."""
        garbled = False
        try:
            async with connect(
                self._url,
                open_timeout=self._patience.hello_s,
                ping_interval=self._patience.ping_s,
                ping_timeout=self._patience.ping_s,
                close_timeout=_CLOSE_S,
                max_size=TEXT_BYTES_MAX,
                compression=None,
            ) as socket:
                await self._listen(socket, hearer)
        except Garbled:
            garbled = True
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0
        except (OSError, TimeoutError, WebSocketException):
            return 0
        finally:
            self._socket = None
            hearer.lost(garbled=garbled)
        return 0

    async def _listen(self, socket: ClientConnection, hearer: Hearer) -> None:
        """Say hello and hear the messages; ends by an exception only."""
        await socket.send(self._hello)
        async with asyncio.timeout(self._patience.hello_s):
            first = await self._next(socket)
        if not isinstance(first, m.You):
            raise Garbled("the first message is not `you`")
        self._socket = socket
        self.connections += 1
        await hearer.welcomed(first)
        while True:
            message = await self._next(socket)
            if message is not None:
                await hearer.hear(message)

    async def _next(self, socket: ClientConnection) -> m.Told | None:
        text = await socket.recv()
        self._heard_at = asyncio.get_running_loop().time()
        return m.read(text)
