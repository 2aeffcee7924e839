"""Many connections and slow ones keep nobody out: real sockets, a real server."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from house import House, house
from player import connected

from push22.door.connections import Bounds, Connections, whose_is
from push22.door.options import DoorOptions
from push22.door.serving import server_config
from tests.measured import measured

SOON_S = 0.5
WAIT_S = 20.0
HEAD = b"GET /live HTTP/1.1\r\nHost: door\r\n"
POST = b"POST /player/v1/sessions HTTP/1.1\r\nHost: door\r\nContent-Length: 900\r\n\r\n"

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Served:
    """A door that is served, and who has connected to it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: list[Stream] = []

    async def opened(self, whence: str = "127.0.0.1") -> Stream:
        stream = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(whence, 0)
        )
        self.streams.append(stream)
        return stream

    @property
    def socket(self) -> str:
        return f"ws://127.0.0.1:{self.port}/player/v1/socket"

    async def close(self) -> None:
        for _, writer in self.streams:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


@contextlib.asynccontextmanager
async def served(the: House, bounds: Bounds) -> AsyncIterator[Served]:
    """Serve a house's door as `push22 serve` does."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(the.app, DoorOptions(), bounds))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    found = Served(int(listening.getsockname()[1]))
    try:
        yield found
    finally:
        await found.close()
        server.should_exit = True
        await serving


async def is_answered(stream: Stream) -> bool:
    """Tell whether a connection is let in: the other ones are closed unheard."""
    reader, writer = stream
    try:
        writer.write(HEAD + b"\r\n")
        await writer.drain()
        line = await asyncio.wait_for(reader.readline(), WAIT_S)
    except OSError:
        return False
    return line.startswith(b"HTTP/1.1 200")


async def ended(stream: Stream) -> float:
    """Wait until the server closes; return how long that took."""
    begun = time.monotonic()
    with contextlib.suppress(OSError):
        async with asyncio.timeout(WAIT_S):
            while await stream[0].read(4096):
                pass
    return time.monotonic() - begun


async def test_an_address_has_so_many_connections(tmp_path: Path) -> None:
    """One more is closed; another address is served; who leaves makes room."""
    async with (
        house(tmp_path) as the,
        served(the, Bounds(total=100, per_address=3)) as door,
    ):
        mine = [await door.opened() for _ in range(3)]
        assert all([await is_answered(x) for x in mine])
        before = measured("push22_gateway_connections_refused_total")
        assert not await is_answered(await door.opened())
        assert measured("push22_gateway_connections_refused_total") == before + 1
        assert await is_answered(await door.opened("127.0.0.2"))

        mine[0][1].close()
        async with asyncio.timeout(WAIT_S):
            while not await is_answered(await door.opened()):
                await asyncio.sleep(0.02)


async def test_all_together_have_so_many(tmp_path: Path) -> None:
    """Whoever comes from many addresses meets the total."""
    async with (
        house(tmp_path) as the,
        served(the, Bounds(total=4, per_address=3)) as door,
    ):
        some = [await door.opened(f"127.0.0.{n}") for n in range(1, 5)]
        assert all([await is_answered(x) for x in some])
        assert not await is_answered(await door.opened("127.0.0.9"))


async def test_a_socket_stays_counted_and_makes_room_in_the_end(tmp_path: Path) -> None:
    """It is the same connection before and after its upgrade."""
    async with (
        house(tmp_path) as the,
        served(the, Bounds(total=100, per_address=1)) as door,
    ):
        token = await the.session()
        async with connected(door.socket, token) as player:
            assert player.you["player"] == "alice"
            assert not await is_answered(await door.opened())
        async with asyncio.timeout(WAIT_S):
            while not await is_answered(await door.opened()):
                await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "drips",
    [
        [b""],
        [HEAD, *[b"X-Slow: 1\r\n"] * 1000],
        [b"\r\n"] * 1000,
        [POST, *[b" "] * 800],
    ],
    ids=["silent", "headers", "blank lines", "body"],
)
async def test_who_dawdles_is_cut_off(tmp_path: Path, drips: list[bytes]) -> None:
    """However often a byte comes; an honest client beside it is served."""
    bounds = Bounds(total=100, per_address=100, request_s=SOON_S)
    async with house(tmp_path) as the, served(the, bounds) as door:
        slow = await door.opened()
        before, failures = measured("push22_gateway_slow_connections_total"), failed()
        dripping = asyncio.create_task(dripped(slow[1], drips))
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{door.port}"
        ) as honest:
            assert (await honest.get("/live")).status_code == 200
            took = await ended(slow)
        dripping.cancel()

        assert took < WAIT_S
        assert measured("push22_gateway_slow_connections_total") == before + 1
        assert failed() == failures, "a client that is cut off is no failure of ours"


def failed() -> int:
    return measured("push22_gateway_failures_total")


async def dripped(writer: asyncio.StreamWriter, drips: list[bytes]) -> None:
    with contextlib.suppress(OSError):
        for drip in drips:
            writer.write(drip)
            await writer.drain()
            await asyncio.sleep(0.05)


async def test_a_request_in_time_and_a_quiet_socket_are_not_cut_off(
    tmp_path: Path,
) -> None:
    """The bound is of a request, not of a connection."""
    bounds = Bounds(total=100, per_address=100, request_s=SOON_S, answer_s=SOON_S)
    async with house(tmp_path) as the, served(the, bounds) as door:
        token = await the.session()
        kept = await door.opened()
        async with connected(door.socket, token) as player:
            for _ in range(4):
                assert await is_answered(kept)
                await the_rest_of(kept)
                await asyncio.sleep(SOON_S / 2)
            await player.say(kind="watch", table="none")
            await player.until(lambda: player.problems)


async def the_rest_of(stream: Stream) -> None:
    """Read an answer to its end, so that the next one is not mixed with it."""
    head = await stream[0].readuntil(b"\r\n\r\n")
    length = next(x for x in head.split(b"\r\n") if x.lower().startswith(b"content-le"))
    await stream[0].readexactly(int(length.partition(b":")[2]))


def test_proxies_bring_many_and_a_network_is_one_address() -> None:
    """The total holds for all; of IPv6 a /64 counts together."""
    trusted = Connections(Bounds(total=5, per_address=1, trusted="10.0.0.0/8"))
    ends = [asyncio.BaseTransport() for _ in range(6)]
    assert [trusted.take(x, "10.1.2.3") for x in ends] == [True] * 5 + [False]
    trusted.leave(ends[0])
    trusted.leave(ends[0])
    assert len(trusted) == 4

    same = ("2001:db8::1", "2001:db8::ffff:2")
    assert len(set(map(whose_is, same))) == 1
    assert whose_is("2001:db8:0:1::1") != whose_is(same[0])
