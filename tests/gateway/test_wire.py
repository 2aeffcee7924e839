"""The short way out of a socket: frames, their order, and where there is no room."""

import asyncio
import json
import socket as sockets
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from house import house
from test_socket import hello, prepared
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from push22.door.options import DoorOptions
from push22.door.serving import server_config
from push22.door.wire import HELD_BYTES_MAX, WiredSocket
from services.gateway.views import Happened
from services.gateway.web.socket import QUEUED_MAX, TOO_SLOW, Client
from services.gateway.web.wire import EXTENSION, text_frame

_SIZES = [0, 1, 125, 126, 0xFFFF, 0x10000]
_TOLD_MAX = 20_000


@pytest.mark.parametrize("size", _SIZES)
def test_a_frame_is_what_a_library_would_make(size: int) -> None:
    """At both sides of each limit of RFC 6455."""
    body = b"x" * size
    assert text_frame(body) == Frame(Opcode.TEXT, body).serialize(mask=False)


class Room:
    """A wire whose room the test gives: so many frames, then no more."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.written: list[bytes] = []

    @property
    def has_room(self) -> bool:
        return self.room > 0

    def write(self, frame: bytes) -> None:
        self.room -= 1
        self.written.append(frame)

    def when_room(self, told: Callable[[], None]) -> None:
        raise AssertionError("who has not said hello waits for nothing")


def client_on(wire: Room) -> Any:
    scope = {"extensions": {EXTENSION: wire}}
    socket: Any = SimpleNamespace(scope=scope)
    nobody: Any = None
    return Client(socket, nobody, {})


async def test_what_waits_goes_first_and_in_order() -> None:
    """Nothing new passes what waits, not even when there is room again."""
    wire = Room(2)
    client = client_on(wire)
    texts = [str(number).encode() for number in range(6)]
    for text in texts[:5]:
        client.tell(text)
    assert wire.written == [text_frame(text) for text in texts[:2]]

    wire.room = 2
    client.tell(texts[5])
    assert len(wire.written) == 2
    client._catch_up()
    assert wire.written == [text_frame(text) for text in texts[:4]]
    wire.room = 9
    client._catch_up()
    assert wire.written == [text_frame(text) for text in texts]


async def test_so_many_messages_wait_and_no_more() -> None:
    """The one too many ends the connection; nothing is kept of it."""
    client = client_on(Room(0))
    for _ in range(QUEUED_MAX):
        client.tell(b"x")
    assert not client._end.done()
    client.tell(b"x")
    assert client._end.result() == TOO_SLOW
    assert len(client._waiting) == QUEUED_MAX


class Kept(asyncio.Transport):
    """A transport that keeps what is written, and says that it is closing."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closing = False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.closing


async def nobody(scope: Any, receive: Any, send: Any) -> None:
    """An application that is never called."""


def wired() -> tuple[WiredSocket, Kept]:
    config = server_config(nobody, DoorOptions())
    config.load()
    found, transport = WiredSocket(config, ServerState(), {}), Kept()
    found.connection_made(transport)
    return found, transport


async def turn() -> None:
    """Let the event loop do what was put off to its next turn."""
    await asyncio.sleep(0)


async def test_nothing_is_written_after_the_close() -> None:
    """Whoever closes, and however: a frame after it would break the protocol."""
    for end in ("close_sent", "disconnected"):
        socket, transport = wired()
        socket.write(b"one")
        await turn()
        socket.write(b"two")
        setattr(socket, end, True)
        await turn()
        assert transport.written == [b"one"]
    socket, transport = wired()
    socket.write(b"one")
    transport.closing = True
    await turn()
    assert transport.written == []


async def test_one_turn_is_one_piece() -> None:
    """In the order of the frames; the next turn's are the next piece."""
    socket, transport = wired()
    for frame in (b"one", b"two", b"three"):
        socket.write(frame)
    assert transport.written == []
    await turn()
    assert transport.written == [b"onetwothree"]
    socket.write(b"four")
    await turn()
    assert transport.written == [b"onetwothree", b"four"]


async def test_there_is_room_for_so_much_in_one_turn() -> None:
    """More has to wait, and is told when the turn is over; unless it is paused."""
    socket, transport = wired()
    told: list[int] = []
    socket.when_room(lambda: told.append(1))
    socket.write(b"x" * (HELD_BYTES_MAX - 1))
    assert socket.has_room
    socket.write(b"x")
    assert not socket.has_room
    await turn()
    assert socket.has_room
    assert (told, len(transport.written)) == ([1], 1)

    socket.write(b"x" * HELD_BYTES_MAX)
    socket.pause_writing()
    await turn()
    assert not socket.has_room
    socket.resume_writing()
    assert socket.has_room
    assert (told, len(transport.written)) == ([1, 1], 2)


async def test_a_close_comes_after_what_was_written() -> None:
    """ASGI's way out and this one keep their order within a turn."""
    socket, transport = wired()
    socket.handshake_complete = True
    socket.conn.state = State.OPEN
    socket.write(b"last words")
    await socket.send({"type": "websocket.close", "code": 4008})
    await turn()
    assert transport.written == [b"last words", b"\x88\x02\x0f\xa8"]
    assert socket.close_timer is not None
    socket.close_timer.cancel()


async def test_room_is_told_until_the_connection_is_lost() -> None:
    """A client that is gone is not called by a transport that outlives it."""
    socket, _ = wired()
    told: list[int] = []
    socket.when_room(lambda: told.append(1))
    socket.pause_writing()
    assert not socket.has_room
    socket.resume_writing()
    assert socket.has_room
    socket.connection_lost(ConnectionResetError())
    socket.resume_writing()
    assert told == [1]


async def test_who_reads_late_misses_nothing(tmp_path: Path) -> None:
    """What waited comes once there is room, each message after the one before."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        raw = sockets.socket()
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        place = address.removeprefix("ws://").partition("/")[0].split(":")
        raw.connect((place[0], int(place[1])))
        raw.setblocking(False)
        feed = the.door.lobby.felts["t1"].everybody.feed
        async with connect(address, sock=raw, max_size=None, max_queue=1) as late:
            await late.send(hello(token))
            await late.send(json.dumps({"kind": "watch", "table": "t1"}))
            while not feed.listeners:
                await asyncio.sleep(0.01)
            [client] = the.app.app.state.present.values()
            begun = feed.seq
            while len(client._waiting) < 3 and feed.seq - begun < _TOLD_MAX:
                feed.tell(Happened("x" * 2000, 1, "player"), {})
                await asyncio.sleep(0)
            assert len(client._waiting) == 3
            heard: list[int] = []
            while not heard or heard[-1] < feed.seq:
                message = json.loads(await asyncio.wait_for(late.recv(), 60))
                heard += [message["seq"]] if message["kind"] == "delta" else []

    assert heard == list(range(begun + 1, feed.seq + 1))


def test_the_server_of_push22_has_the_wire() -> None:
    """A setting that a newer uvicorn forgot would be seen here first."""
    config: uvicorn.Config = server_config(nobody, DoorOptions())
    config.load()
    assert issubclass(config.ws_protocol_class, WiredSocket)
    assert not config.ws_per_message_deflate
