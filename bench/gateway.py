"""What the door costs: actions over HTTP, idle sockets, and how soon watchers hear.

The rate stands beside that of a bare Litestar echo on the same server; the casino is in
memory there, so that the door is measured and not the disk. One process serves; the
asker is another one.
"""

import asyncio
import contextlib
import json
import multiprocessing
import resource
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import uvicorn
from litestar import Litestar, post
from litestar.params import JSONBody
from websockets.asyncio.client import ClientConnection, connect

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM, Casino
from push22.door.embedded import EmbeddedPort
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from services.gateway.door import Credentials, Door
from services.gateway.orders import Move
from services.gateway.rates import Buckets, Rate
from services.gateway.signing import Signatures
from services.gateway.tokens import Pass, Tokens
from services.gateway.web.app import Settings, application

_ASKERS = 64
_SECONDS = 4.0
_IDLE = 1000
_WATCHERS = 100
_EVENTS = 50
_HOUR_US = 3600 * 1_000_000
_UNBOUND = Rate(10**9, 10**9)
_ROUND = "round-t1-1"


def nobody(delivery: Any) -> None:
    del delivery


async def opened(
    data: Path | None = None, first: Callable[[Any], None] = nobody
) -> tuple[Casino, EmbeddedPort, Door]:
    """Open a casino, in memory or on disk, with a table and money, and its door.

    `first` hears of each record before the door does.
    """
    ambient = Ambient(SystemClock(), SystemEntropy(), KeyRing.in_memory())
    casino = await (Casino.open(data) if data else Casino.in_memory(ambient))
    casino.host.subscribe(first)
    port = EmbeddedPort(casino)
    credentials = Credentials(Signatures({}), Tokens(b"s" * 32), {})
    door = Door(port, None, credentials, "http://bench")
    door.players = Buckets(_UNBOUND)
    await door.start()
    opening = t.OpenTable("t1", "ny-switch-6d", "EUR")
    await casino.host.submit(casino.envelope(opening, PLATFORM))
    deposit = w.Deposit("local.p0", "EUR", 10**9)
    await casino.host.submit(casino.envelope(deposit, PLATFORM))
    await casino.host.settle()
    return casino, port, door


def session(door: Door, number: int) -> str:
    expires_at = door.casino.now() + _HOUR_US
    bound = Pass(f"local.p{number}", "EUR", "", f"s{number}", expires_at)
    return door.tokens.make("session", bound)


@contextlib.asynccontextmanager
async def served(app: Any) -> AsyncIterator[tuple[str, int]]:
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    config = uvicorn.Config(
        app,
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_level="error",
        lifespan="off",
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield listening.getsockname()[:2]
    finally:
        server.should_exit = True
        await serving


async def ask(place: tuple[str, int], request: bytes, until: float) -> int:
    """Send the same request again and again on one connection; return how often."""
    reader, writer = await asyncio.open_connection(*place)
    done = 0
    while time.perf_counter() < until:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.partition(b":")[2])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        )
        await reader.readexactly(length)
        done += 1
    writer.close()
    return done


def ask_from_here(place: tuple[str, int], request: bytes, out: Any) -> None:
    """Run the askers: in a process of their own, at no cost to the server."""

    async def all_of_them() -> int:
        until = time.perf_counter() + _SECONDS
        return sum(
            await asyncio.gather(*(ask(place, request, until) for _ in range(_ASKERS)))
        )

    out.put(asyncio.run(all_of_them()))


async def rate(app: Any, path: str, body: dict[str, Any], token: str) -> float:
    """Return requests a second of processor time of this process, the only server."""
    content = json.dumps(body).encode()
    request = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    ).encode() + content
    spawn = multiprocessing.get_context("spawn")
    out = spawn.Queue()
    async with served(app) as place:
        asker = spawn.Process(target=ask_from_here, args=(place, request, out))
        asker.start()
        begun = time.process_time()
        done: int = await asyncio.to_thread(out.get)
        took = time.process_time() - begun
        await asyncio.to_thread(asker.join)
    return done / took


@post("/echo", status_code=200)
async def echo(data: JSONBody[Move]) -> Move:
    return data


async def actions() -> None:
    casino, port, door = await opened()
    stepping = port.run()
    move = {"action": "hit", "target": "1.1"}
    path = f"/player/v1/rounds/{_ROUND}/actions"
    app = application(door, Settings("bench"))
    found = await rate(app, path, move, session(door, 0))
    floor = await rate(Litestar([echo], logging_config=None), "/echo", move, "x")
    print(f"actions                  {found:8.0f} /s of one core  (goal 2000)")
    print(f"floor: Litestar echo     {floor:8.0f} /s of one core")
    await casino.close()
    await stepping


async def greeted(place: tuple[str, int], token: str, table: str) -> ClientConnection:
    address = f"ws://{place[0]}:{place[1]}/player/v1/socket"
    connection = await connect(address, compression=None, max_queue=1024)
    await connection.send(json.dumps({"kind": "hello", "token": token}))
    await connection.recv()
    await connection.send(json.dumps({"kind": "watch", "table": table}))
    await connection.recv()
    return connection


def idle_players(place: tuple[str, int], tokens: list[str], out: Any) -> None:
    async def stay() -> None:
        kept = [await greeted(place, token, "t1") for token in tokens]
        out.put(len(kept))
        await asyncio.sleep(3)

    asyncio.run(stay())


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def idle_sockets() -> None:
    casino, port, door = await opened()
    stepping = port.run()
    tokens = [session(door, number) for number in range(_IDLE)]
    spawn = multiprocessing.get_context("spawn")
    out = spawn.Queue()
    async with served(application(door, Settings("bench"))) as place:
        before = resident_mib()
        others = spawn.Process(target=idle_players, args=(place, tokens, out))
        others.start()
        count = await asyncio.to_thread(out.get)
        after = resident_mib()
        await asyncio.to_thread(others.join)
    grown = after - before
    print(f"{count} idle players       {after:8.0f} MiB  (goal 150; {grown:.0f} grown)")
    await casino.close()
    await stepping


class Watcher(asyncio.Protocol):
    """Notes when its first bytes come; reads none of them."""

    def __init__(self, moments: dict[int, float]) -> None:
        self._moments = moments

    def data_received(self, data: bytes) -> None:
        del data
        self._moments.setdefault(id(self), time.perf_counter())


def text_frame(message: dict[str, Any]) -> bytes:
    """Return a client's text frame, masked with zeros."""
    body = json.dumps(message).encode()
    return b"\x81\xfe" + len(body).to_bytes(2, "big") + bytes(4) + body


_UPGRADE = (
    b"GET /player/v1/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def watch_from_here(place: tuple[str, int], tokens: list[str], pipe: Any) -> None:
    """Watch in a process of its own: its clock is the machine's, as the server's is."""

    async def watch() -> None:
        moments: dict[int, float] = {}
        loop = asyncio.get_running_loop()
        for token in tokens:
            transport, _ = await loop.create_connection(
                lambda: Watcher(moments), *place
            )
            transport.write(_UPGRADE)
            await asyncio.sleep(0.01)
            transport.write(text_frame({"kind": "hello", "token": token}))
            transport.write(text_frame({"kind": "watch", "table": "t1"}))
        await asyncio.sleep(1)
        pipe.send("ready")
        while await asyncio.to_thread(pipe.recv) == "next":
            moments.clear()
            pipe.send("clear")
            await asyncio.to_thread(pipe.recv)
            await asyncio.sleep(0.3)
            pipe.send(list(moments.values()))

    asyncio.run(watch())


async def watchers(data: Path) -> None:
    """Time a committed event of a round to each of its watchers, on disk."""
    committed: list[float] = []
    casino, port, door = await opened(
        data, lambda _: committed.append(time.perf_counter())
    )
    delays: list[float] = []
    stepping = port.run()
    tokens = [session(door, number) for number in range(1, _WATCHERS + 1)]
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    async with served(application(door, Settings("bench"))) as place:
        others = spawn.Process(target=watch_from_here, args=(place, tokens, there))
        others.start()
        await asyncio.to_thread(here.recv)
        for number in range(_EVENTS):
            here.send("next")
            await asyncio.to_thread(here.recv)
            committed.clear()
            bet = t.PlaceBet(_ROUND, 1, (1000 + number * 100,) * 2)
            await casino.host.submit(casino.envelope(bet, Actor("player", "local.p0")))
            here.send("sent")
            heard = await asyncio.to_thread(here.recv)
            delays += [moment - committed[0] for moment in heard]
        here.send("end")
        await asyncio.to_thread(others.join)
    await casino.close()
    await stepping
    cut = statistics.quantiles(delays, n=100)
    print(f"event to {_WATCHERS} watchers    {cut[49] * 1000:8.2f} ms p50")
    print(f"                         {cut[98] * 1000:8.2f} ms p99  (goal 5)")


def main() -> None:
    parts = sys.argv[1:] or ["actions", "idle", "watchers"]
    if "actions" in parts:
        asyncio.run(actions())
    if "idle" in parts:
        asyncio.run(idle_sockets())
    if "watchers" in parts:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(watchers(Path(folder)))


if __name__ == "__main__":
    main()
