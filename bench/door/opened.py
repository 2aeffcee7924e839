"""A casino, its door, and the server as `push22 serve` has it, all in this process."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import uvicorn

from contracts import table as t
from contracts import wallet as w
from push22.casino import PLATFORM, Casino
from push22.door.embedded import EmbeddedPort
from push22.door.options import DoorOptions
from push22.door.serving import server_config
from push22.garbage import keep_what_stands
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from services.gateway.door import Credentials, Door
from services.gateway.rates import Buckets, Rate
from services.gateway.signing import Signatures
from services.gateway.tokens import Pass, Tokens
from services.gateway.web.app import Settings, application

TABLE = "t1"
ROUND = "round-t1-1"
TABLES = 64
"""From t1 on; player n bets at table n, where nobody else does."""

_HOUR_US = 3600 * 1_000_000
_UNBOUND = Rate(10**9, 10**9)
_MONEY = 10**9
_BACKLOG = 2048
_CONNECTIONS = 4096
"""All players of a bench come from one address."""


def nobody(delivery: Any) -> None:
    del delivery


@contextlib.asynccontextmanager
async def opened(
    data: Path | None = None, first: Callable[[Any], None] = nobody
) -> AsyncIterator[tuple[Casino, Door]]:
    """Open a casino, in memory or on disk, with tables and money, and its door.

    `first` hears of each record before the door does.
    """
    ambient = Ambient(SystemClock(), SystemEntropy(), KeyRing.in_memory())
    casino = await (Casino.open(data) if data else Casino.in_memory(ambient))
    casino.host.subscribe(first)
    port = EmbeddedPort(casino)
    credentials = Credentials(Signatures({}), Tokens(b"s" * 32), None)
    door = Door(port, None, credentials, "http://bench")
    door.players = Buckets(_UNBOUND)
    await door.start()
    for number in range(1, TABLES + 1):
        for command in (
            t.OpenTable(f"t{number}", "ny-switch-6d", "EUR"),
            w.Deposit(f"local.p{number}", "EUR", _MONEY),
        ):
            await casino.host.submit(casino.envelope(command, PLATFORM))
    await casino.host.settle()
    stepping = port.run()
    try:
        yield casino, door
    finally:
        await casino.close()
        await stepping


def session(door: Door, number: int) -> str:
    """Return a token for player number `number`."""
    expires_at = door.casino.now() + _HOUR_US
    bound = Pass(f"local.p{number}", "EUR", "", f"s{number}", expires_at)
    return door.tokens.make("session", bound)


def door_application(door: Door) -> Any:
    return application(door, Settings("bench"))


@contextlib.asynccontextmanager
async def served(app: Any) -> AsyncIterator[tuple[str, int]]:
    """Serve an application here; return where."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
    options = DoorOptions(connections_per_address=_CONNECTIONS)
    server = uvicorn.Server(server_config(app, options))
    keep_what_stands()
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield listening.getsockname()[:2]
    finally:
        server.should_exit = True
        await serving
