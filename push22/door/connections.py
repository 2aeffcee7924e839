"""How many connections are open, of whom, and for how long one may dawdle.

Whoever opens many, or sends a request byte by byte, must not keep others out. A
socket's own bounds (hello, ping, queue) begin when it is a socket.
"""

import asyncio
import ipaddress
import resource
import time
from collections import Counter
from http import HTTPStatus
from typing import Any, cast

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr
from websockets.http11 import Request

from push22.door.wire import WiredSocket
from runtime.metrics import GATEWAY_DAWDLING, GATEWAY_FULL, GATEWAY_UNREADABLE
from services.gateway.problems import Refused
from services.gateway.rates import ADDRESS, Buckets

REQUEST_S = 10.0
"""From its first byte to its last a request takes no longer."""

ANSWER_S = 60.0
"""Nor an answer, to who reads it: no command waits half as long for its own."""

_OWN_FILES = 128
"""Logs, brokers and the page need files too."""


class Bounds(msgspec.Struct, frozen=True):
    """`trusted`: proxies, who bring the connections of many."""

    total: int
    per_address: int
    trusted: str = ""
    request_s: float = REQUEST_S
    answer_s: float = ANSWER_S


class Connections:
    """Counts what is open, each transport once."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._total = min(bounds.total, _files_max() - _OWN_FILES)
        self._trusted = [t.strip() for t in bounds.trusted.split(",") if t.strip()]
        self._open: dict[asyncio.BaseTransport, str] = {}
        self._of: Counter[str] = Counter()
        self._unreadable = Buckets(ADDRESS)

    def __len__(self) -> int:
        return len(self._open)

    def take(self, transport: asyncio.BaseTransport, address: str) -> bool:
        """Let a connection in, if there is room for it."""
        whose = "" if self._is_trusted(address) else whose_is(address)
        is_full = len(self._open) >= self._total
        if is_full or (whose and self._of[whose] >= self.bounds.per_address):
            GATEWAY_FULL.inc()
            return False
        self._open[transport] = whose
        self._of[whose] += 1
        return True

    def leave(self, transport: asyncio.BaseTransport) -> None:
        whose = self._open.pop(transport, None)
        if whose is None:
            return
        self._of[whose] -= 1
        if not self._of[whose]:
            del self._of[whose]

    def bears(self, transport: asyncio.BaseTransport) -> bool:
        """Count what can't be read; false: its address sent too much of that."""
        GATEWAY_UNREADABLE.inc()
        whose = self._open.get(transport)
        if whose:
            try:
                self._unreadable.take(whose, time.monotonic_ns() // 1000)
            except Refused:
                return False
        return True

    def _is_trusted(self, address: str) -> bool:
        return "*" in self._trusted or any(_is_in(address, x) for x in self._trusted)


def whose_is(address: str) -> str:
    """Return whom an address stands for: of IPv6 everybody has a whole network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(ipaddress.ip_network(f"{address}/64", strict=False))


def _is_in(address: str, trusted: str) -> bool:
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_network(trusted)
    except ValueError:
        return address == trusted


def _files_max() -> int:
    """Return how many files this process may have open."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2**31 if allowed == resource.RLIM_INFINITY else allowed


def protocols(connections: Connections) -> tuple[type[Any], type[Any]]:
    """Return the classes with which uvicorn serves HTTP and sockets within bounds."""

    class Socket(BoundedSocket):
        _connections = connections

    class Http(BoundedHttp):
        _connections = connections

    return Http, Socket


class BoundedSocket(WiredSocket):
    """A connection that is closed when its handshake, or a frame, is none."""

    _connections: Connections

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # The handshake comes whole: what began none by then never will.
        if not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
            self._note_unreadable()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._note_unreadable()

    def handle_parser_exception(self) -> None:
        super().handle_parser_exception()
        self._note_unreadable()

    def _note_unreadable(self) -> None:
        if not self._connections.bears(self.transport):
            self.transport.abort()


class BoundedHttp(HttpToolsProtocol):
    """A connection that is closed when a request or its answer takes too long."""

    _connections: Connections
    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        address = get_remote_addr(self.transport)
        if self._connections.take(self.transport, address[0] if address else ""):
            self._wait(self._connections.bounds.request_s)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.leave(self.transport)
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._due is None:
            self._wait(self._connections.bounds.request_s)
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._wait(self._connections.bounds.request_s)
        super().on_message_begin()

    def on_message_complete(self) -> None:
        # A socket's handshake has no cycle of its own.
        is_answered = self.cycle is None or self.cycle.response_complete
        if is_answered:
            self._rest()
        else:
            self._wait(self._connections.bounds.answer_s)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._rest()
        if self.pipeline:
            self._wait(self._connections.bounds.answer_s)
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        self._rest()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        if self._connections.bears(self.transport):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def _unsupported_upgrade_warning(self) -> None:
        """Some clients always offer HTTP/2. They are answered as if they had not."""

    def _wait(self, seconds: float) -> None:
        self._rest()
        self._due = self.loop.call_later(seconds, self._cut_off)

    def _rest(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _cut_off(self) -> None:
        GATEWAY_DAWDLING.inc()
        self.transport.abort()
