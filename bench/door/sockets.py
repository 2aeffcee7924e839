"""What a player's socket says first, as bytes: no client library slows the figures."""

import json
import socket
from typing import Any

from bench.door.opened import TABLE

_BUFFER = 1 << 16

_UPGRADE = (
    b"GET /player/v1/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def _text_frame(message: dict[str, Any]) -> bytes:
    """Return a client's text frame, masked with zeros."""
    body = json.dumps(message).encode()
    return b"\x81\xfe" + len(body).to_bytes(2, "big") + bytes(4) + body


def greetings(token: str) -> tuple[bytes, ...]:
    """Return what a player says until it watches; each part is answered."""
    return (
        _UPGRADE,
        _text_frame({"kind": "hello", "token": token}),
        _text_frame({"kind": "watch", "table": TABLE}),
    )


def connected(place: tuple[str, int], said: tuple[bytes, ...]) -> socket.socket:
    """Connect and say it part by part."""
    found = socket.create_connection(place)
    for part in said:
        found.sendall(part)
        found.recv(_BUFFER)
    return found
