"""A player's socket: what happens goes out, commands come in.

Nobody waits for a slow client: its messages queue up to a bound, then it is dropped.
"""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketException

from runtime.metrics import (
    GATEWAY_FAILURES,
    GATEWAY_SLOW,
    SOCKET_MESSAGES,
    SOCKETS,
)
from runtime.telemetry import get_logger
from services.gateway.door import Door
from services.gateway.feeds import Feed, Place
from services.gateway.ports import NotAvailable
from services.gateway.problems import DoorReason, Refused, problem
from services.gateway.purses import Purse
from services.gateway.tokens import Pass
from services.gateway.web import messages as m
from services.gateway.web.guards import door_of, slowed
from services.gateway.web.measured import note_answer
from services.gateway.web.wire import text_frame, wire_of

_log = get_logger("services.gateway.web.socket")

PATH = "/player/v1/socket"
HELLO_S = 5.0
QUEUED_MAX = 256
WATCHED_MAX = 16
FLOOD_MAX = 50

NORMAL, MALFORMED, REPLACED, BAD_TOKEN, TOO_SLOW, FLOOD, FAILED = (
    1000,
    4000,
    4001,
    4003,
    4008,
    4029,
    1011,
)
_CLOSE_S = 1.0

Socket = WebSocket[Any, Any, Any]
Present = dict[tuple[str, str], "Client"]
"""Who is here: one client per player and currency."""


@websocket(PATH)
async def player_socket(socket: Socket) -> None:
    """Serve one player until one side ends it."""
    await socket.accept()
    client = Client(socket, door_of(socket), socket.app.state.present)
    with SOCKETS.track_inprogress():
        code = await client.serve()
    # Who does not read does not take the close either: the network's own bound ends it.
    with suppress(TimeoutError, WebSocketException, RuntimeError, OSError):
        await asyncio.wait_for(socket.close(code), _CLOSE_S)


class Client:
    """One connection."""

    def __init__(self, socket: Socket, door: Door, present: Present) -> None:
        self._socket = socket
        self._door = door
        self._present = present
        self._wire = wire_of(socket.scope)
        self._waiting: deque[bytes] = deque()
        self._end: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._watched: dict[str, Feed] = {}
        self._refused = 0

    def end(self, code: int) -> None:
        if not self._end.done():
            self._end.set_result(code)

    def tell(self, body: bytes) -> None:
        """Send a message, after those that wait; who lets too many wait is dropped."""
        if self._wire.has_room and not self._waiting:
            self._wire.write(text_frame(body))
        elif len(self._waiting) < QUEUED_MAX:
            self._waiting.append(body)
        else:
            GATEWAY_SLOW.inc()
            self.end(TOO_SLOW)

    def _catch_up(self) -> None:
        while self._waiting and self._wire.has_room:
            self._wire.write(text_frame(self._waiting.popleft()))

    async def serve(self) -> int:
        """Talk until the end; return the code to close with."""
        session = await self._greeted()
        if isinstance(session, int):
            return session
        self._wire.when_room(self._catch_up)
        purse = await self._welcome(session)
        reading = asyncio.create_task(self._guarded(self._read(session)))
        try:
            return await self._end
        finally:
            self._leave(session, purse)
            reading.cancel()

    async def _greeted(self) -> Pass | int:
        """Wait for the token: in an address, logs would keep it.

        Return the code to close with where none comes that is good.
        """
        try:
            text = await asyncio.wait_for(self._receive(), HELLO_S)
            hello = _read(text)
            if not isinstance(hello, m.Hello):
                return BAD_TOKEN
            now = self._door.casino.now()
            session = self._door.tokens.read("session", hello.token, now)
            self._door.players.take(session.player, now)
        except (TimeoutError, m.Garbled, _Gone):
            return BAD_TOKEN
        except Refused as refused:
            why = slowed(self._socket, refused).problem.reason
            return FLOOD if why == DoorReason.TOO_MANY_REQUESTS else BAD_TOKEN
        return session

    async def _welcome(self, session: Pass) -> Purse:
        place = session.player, session.currency
        older = self._present.get(place)
        if older is not None:
            older.end(REPLACED)
        self._present[place] = self
        balance = await self._door.casino.balance(*place)
        purse = Purse(*place, balance)
        self._door.lobby.welcome(purse, self.tell)
        self.tell(purse.message())
        return purse

    def _leave(self, session: Pass, purse: Purse) -> None:
        for feed in self._watched.values():
            feed.listeners.discard(self.tell)
        self._door.lobby.leave(purse)
        place = session.player, session.currency
        if self._present.get(place) is self:
            del self._present[place]

    async def _guarded(self, talking: Any) -> None:
        """Whatever ends the reading ends the connection."""
        try:
            await talking
        except (_Gone, WebSocketException):
            self.end(NORMAL)
        except m.Garbled:
            self.end(MALFORMED)
        except Exception as error:  # noqa: BLE001 - others go on
            GATEWAY_FAILURES.inc()
            _log.error("a socket failed", exc_info=error)
            self.end(FAILED)

    async def _receive(self) -> str | None:
        event = await self._socket.receive()
        if event["type"] == "websocket.disconnect":
            raise _Gone
        text = event.get("text")
        return text if isinstance(text, str) else None

    async def _read(self, session: Pass) -> None:
        while not self._end.done():
            text = await self._receive()
            try:
                self._door.players.take(session.player, self._door.casino.now())
                await self._take(session, _read(text))
                self._refused = 0
            except Refused as refused:
                self._note_flood(refused)
                self.tell(m.wrong(refused.problem, m.id_in(text)))

    def _note_flood(self, refused: Refused) -> None:
        if refused.problem.reason == DoorReason.TOO_MANY_REQUESTS:
            self._refused += 1
        if self._refused > FLOOD_MAX:
            self.end(FLOOD)

    async def _take(self, session: Pass, message: m.Said) -> None:
        match message:
            case m.Hello():
                raise Refused(DoorReason.MALFORMED, "hello was said")
            case m.Watch():
                self._watch(session, message)
            case m.Unwatch():
                self._unwatch(message.table)
            case m.Command():
                await self._command(session, message)

    def _watch(self, session: Pass, message: m.Watch) -> None:
        felt = self._door.table_of(session, message.table)
        self._unwatch(message.table)
        if len(self._watched) >= WATCHED_MAX:
            raise Refused(DoorReason.TOO_MANY_REQUESTS, f"{WATCHED_MAX} tables at most")
        seen = felt.seen_by(session.player)
        place = Place(message.feed, message.seq) if message.feed else None
        found = seen.feed.since(place)
        if isinstance(found, list):
            for body in found:
                self.tell(body)
        else:
            self.tell(seen.feed.snapshot(felt.view(seen), found))
        self._watched[message.table] = seen.feed
        seen.feed.listeners.add(self.tell)

    def _unwatch(self, table: str) -> None:
        feed = self._watched.pop(table, None)
        if feed is not None:
            feed.listeners.discard(self.tell)

    async def _command(self, session: Pass, message: m.Command) -> None:
        try:
            done = await self._door.order(session, message.order, message.id)
        except Refused as refused:
            status = refused.problem.status
            self.tell(m.wrong(refused.problem, message.id))
        except NotAvailable as error:
            found = problem(DoorReason.NOT_AVAILABLE, str(error))
            status = found.status
            self.tell(m.wrong(found, message.id))
        except Exception:
            note_answer(500)
            raise
        else:
            status = 200
            answer = m.Answer(done.id, done.accepted, done.stream, done.version)
            self.tell(m.answered(answer))
        # A player who left before his answer was not failed: nothing is counted.
        note_answer(status)


_COUNTED = {
    kind: SOCKET_MESSAGES.labels(kind.__struct_config__.tag)
    for kind in (m.Hello, m.Watch, m.Unwatch, m.Command)
}
_GARBLED = SOCKET_MESSAGES.labels("garbled")
_REFUSED = SOCKET_MESSAGES.labels("malformed")


def _read(text: str | None) -> m.Said:
    """Read a client's message, and count it."""
    try:
        message = m.read(text)
    except m.Garbled:
        _GARBLED.inc()
        raise
    except Refused:
        _REFUSED.inc()
        raise
    _COUNTED[type(message)].inc()
    return message


class _Gone(Exception):
    """The client has left."""
