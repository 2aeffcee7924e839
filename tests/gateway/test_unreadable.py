"""What is no request fills no log and keeps nobody out: real sockets, a real server."""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from house import house
from test_connections import SOON_S, WAIT_S, Served, is_answered, served

from push22.door.connections import Bounds, Connections
from push22.door.quiet import EVERY_S, KINDS_MAX, LOGGERS, Quiet, keep_quiet
from services.gateway.rates import ADDRESS
from tests.measured import measured

BOUNDS = Bounds(total=400, per_address=300, request_s=SOON_S)
MANY = ADDRESS.burst * 5
JUNK = b"X\r\n\r\n"
TLS = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(50)
HANDSHAKE = (
    b"GET /player/v1/socket HTTP/1.1\r\nHost: door\r\n"
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
)
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
SOCKET = HANDSHAKE + KEY + b"\r\n"
NO_TEXT = b"\x81\x82\0\0\0\0\xff\xfe"
NO_FRAME = b"\x83\x82\0\0\0\0hi"
MANY_HEADERS = b"".join(b"X-%d: 1\r\n" % n for n in range(300))
UPGRADE = b"Host: door\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n"


async def told(door: Served, *parts: bytes, whence: str = "127.0.0.1") -> bytes:
    """Send that on a connection of its own; return all that comes until its end."""
    reader, writer = await door.opened(whence)
    answer = b""
    with contextlib.suppress(OSError):
        for part in parts:
            writer.write(part)
            await writer.drain()
            if part is SOCKET:
                answer += await reader.readuntil(b"\r\n\r\n")
        async with asyncio.timeout(WAIT_S):
            answer += await reader.read()
    return answer


def unreadable() -> float:
    return measured("push22_gateway_unreadable_total")


class Lines(logging.Handler):
    """What the libraries wrote that a log would have, by default."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Serve as `push22 serve` does, and listen to what is logged."""
    heard = Lines()
    keep_quiet()
    for name in LOGGERS:
        logging.getLogger(name).addHandler(heard)
    yield heard
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.removeHandler(heard)
        for quiet in [f for f in logger.filters if isinstance(f, Quiet)]:
            logger.removeFilter(quiet)


@pytest.mark.parametrize(
    ("parts", "begins"),
    [
        ((JUNK,), b"HTTP/1.1 400"),
        ((TLS,), b"HTTP/1.1 400"),
        ((HANDSHAKE + b"\r\n",), b"HTTP/1.1 400"),
        ((HANDSHAKE + KEY + MANY_HEADERS + b"\r\n",), b"HTTP/1.1 431"),
        ((HANDSHAKE + KEY + b"Content-Length: 2\r\n\r\nhi",), b""),
        ((SOCKET, NO_TEXT), b"HTTP/1.1 101"),
        ((SOCKET, NO_FRAME), b"HTTP/1.1 101"),
    ],
    ids=["junk", "tls", "no key", "many headers", "with a body", "no text", "no frame"],
)
async def test_what_cannot_be_read_is_counted_and_ends(
    tmp_path: Path, lines: Lines, parts: tuple[bytes, ...], begins: bytes
) -> None:
    """However often it comes, the log has at most one line of it."""
    async with house(tmp_path) as the, served(the, BOUNDS) as door:
        before = unreadable()
        for _ in range(3):
            assert (await told(door, *parts)).startswith(begins)
        assert unreadable() == before + 3
        assert len(lines.texts) <= 1


async def test_a_flood_is_cut_off_and_an_honest_request_beside_it_is_not(
    tmp_path: Path, lines: Lines
) -> None:
    """One line; the address gets so many answers; another one gets its own."""
    async with house(tmp_path) as the, served(the, BOUNDS) as door:
        before = unreadable()
        began = asyncio.get_running_loop().time()
        answers = [await told(door, JUNK) for _ in range(MANY)]
        took = asyncio.get_running_loop().time() - began
        assert await is_answered(await door.opened())
        other = await told(door, JUNK, whence="127.0.0.2")

        assert unreadable() == before + MANY + 1
        answered = sum(bool(x) for x in answers)
        refilled = int(took * ADDRESS.per_second) + 1
        assert ADDRESS.burst <= answered <= ADDRESS.burst + refilled
        assert other.startswith(b"HTTP/1.1 400")
        assert lines.texts == ["Invalid HTTP request received."]


async def test_who_offers_another_protocol_is_served_in_ours(
    tmp_path: Path, lines: Lines
) -> None:
    """Some clients always do: it is no news, however often."""
    async with house(tmp_path) as the, served(the, BOUNDS) as door:
        before = unreadable()
        asked = b"GET /live HTTP/1.1\r\n" + UPGRADE
        answers = [await told(door, asked) for _ in range(ADDRESS.burst * 2)]

        assert all(x.startswith(b"HTTP/1.1 200") for x in answers)
        assert unreadable() == before
        assert lines.texts == []


def test_a_proxy_is_not_cut_off_for_what_it_brings() -> None:
    """It stands for many; it is counted all the same."""
    trusting = Connections(Bounds(total=5, per_address=1, trusted="10.0.0.0/8"))
    end = asyncio.BaseTransport()
    assert trusting.take(end, "10.1.2.3")
    before = unreadable()
    assert all(trusting.bears(end) for _ in range(MANY))
    assert unreadable() == before + MANY


def logged(
    quiet: Quiet, text: str, *args: int, raised: BaseException | None = None
) -> list[str]:
    """Return the line that a log has of that, if it has any."""
    failure = (type(raised), raised, None) if raised else None
    place = ("uvicorn.error", logging.WARNING, "", 0)
    record = logging.LogRecord(*place, text, args, failure)
    return [record.getMessage()] if quiet.filter(record) else []


def test_a_line_comes_once_a_minute_with_the_number_of_the_others() -> None:
    """Other kinds, and another failure under the same words, are not held back."""
    now, text = 0.0, "Invalid request of %d"
    quiet = Quiet(lambda: now)
    assert logged(quiet, text, 1) == ["Invalid request of 1"]
    assert [logged(quiet, text, number) for number in range(4)] == [[]] * 4
    assert logged(quiet, "failed", raised=ValueError()) == ["failed"]
    assert logged(quiet, "failed", raised=KeyError()) == ["failed"]
    now = EVERY_S
    more = "(and 4 times more in the last 60 s)"
    assert logged(quiet, text, 2) == [f"Invalid request of 2 {more}"]
    now = 2 * EVERY_S
    assert logged(quiet, text, 3) == ["Invalid request of 3"]


def test_lines_that_always_differ_are_bounded_too() -> None:
    """The event loop's name the object that they are about."""
    quiet, found = Quiet(), []
    for number in range(KINDS_MAX * 4):
        found += logged(quiet, f"Fatal error\ntransport: {number}")
    assert len(found) == 1
    for number in range(KINDS_MAX * 4):
        found += logged(quiet, f"Exception in callback {number}")

    assert len(found) == KINDS_MAX + 1
