"""How soon watchers hear of an event after its commit, and what each of them costs.

The watchers are sockets of another process, which notes when bytes come and reads
nothing of them. The floor is the same client at a server that knows nothing and writes
as many bytes to each connection.
"""

import asyncio
import multiprocessing
import select
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from bench.door.opened import ROUND, door_application, opened, served, session
from bench.door.sockets import connected, greetings
from contracts import table as t
from contracts.envelope import Actor

_WATCHERS = 100
_EVENTS = 50
_WAIT_S = 5.0
_REST_S = 0.1
_SETTLE_S = 0.01
_BUFFER = 1 << 16
_MESSAGE = b"\x81\x7e\x02\x00" + b"x" * 512
_MICRO = 1_000_000
_MILLI = 1000

Trigger = Callable[[int], Awaitable[None]]
Since = list[tuple[float, float]]
"""When an event was committed: by the clock, and by this process's processor time."""


def now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def watch(place: tuple[str, int], said: list[tuple[bytes, ...]], pipe: Any) -> None:
    """Note when each connection's first bytes come: the clock is the machine's."""
    sockets = {(s := connected(place, parts)).fileno(): s for parts in said}
    ready = select.epoll()
    for number, found in sockets.items():
        found.setblocking(False)
        ready.register(number, select.EPOLLIN)
    while pipe.recv() == "next":
        heard_until(ready, sockets, time.perf_counter() + _REST_S)
        pipe.send("clear")
        moments = heard_until(ready, sockets, time.perf_counter() + _WAIT_S)
        pipe.send(list(moments.values()))


def heard_until(
    ready: select.epoll, sockets: dict[int, Any], until: float
) -> dict[int, float]:
    """Read what comes until all have heard something, or until then."""
    moments: dict[int, float] = {}
    while len(moments) < len(sockets) and time.perf_counter() < until:
        for number, _ in ready.poll(until - time.perf_counter()):
            moments.setdefault(number, time.perf_counter())
            sockets[number].recv(_BUFFER)
    return moments


async def measured(
    place: tuple[str, int],
    said: list[tuple[bytes, ...]],
    trigger: Trigger,
    since: Since,
) -> tuple[list[float], float]:
    """Return the delays of all events to all watchers, and the cost of one hearing."""
    delays: list[float] = []
    spent = 0.0
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    others = spawn.Process(target=watch, args=(place, said, there))
    others.start()
    there.close()  # so that the end of the other process is heard of
    for number in range(_EVENTS):
        here.send("next")
        await asyncio.to_thread(here.recv)
        since.clear()
        hearing = asyncio.create_task(asyncio.to_thread(here.recv))
        await asyncio.sleep(_SETTLE_S)  # that thread is no part of what is measured
        await trigger(number)
        heard = await hearing
        assert len(heard) == len(said), "a watcher heard nothing"
        at, used = since[0]
        spent += time.process_time() - used
        delays += [moment - at for moment in heard]
    here.send("end")
    await asyncio.to_thread(others.join)
    return delays, spent / len(delays) * _MICRO


async def from_the_door(data: Path) -> tuple[list[float], float]:
    """A bet of somebody else is committed on disk; all the others watch."""
    since: Since = []
    async with (
        opened(data, lambda _: since.append(now())) as (casino, door),
        served(door_application(door)) as place,
    ):
        said = [greetings(session(door, number + 2)) for number in range(_WATCHERS)]

        async def bet(number: int) -> None:
            command = t.PlaceBet(ROUND, 1, (1000 + number * 100,) * 2)
            envelope = casino.envelope(command, Actor("player", "local.p1"))
            await casino.host.submit(envelope)

        return await measured(place, said, bet, since)


class Bare(asyncio.Protocol):
    """Keeps the connection; answers and reads nothing."""

    def __init__(self, kept: list[asyncio.Transport]) -> None:
        self._kept = kept

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._kept.append(cast(asyncio.Transport, transport))


async def from_a_bare_server() -> tuple[list[float], float]:
    since: Since = []
    kept: list[asyncio.Transport] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Bare(kept), "127.0.0.1", 0)
    place = server.sockets[0].getsockname()[:2]

    async def write(number: int) -> None:
        del number
        since.append(now())
        for transport in kept:
            transport.write(_MESSAGE)

    found = await measured(place, [()] * _WATCHERS, write, since)
    for transport in kept:
        transport.abort()
    server.close()
    await server.wait_closed()
    return found


def told(name: str, found: tuple[list[float], float], goal: str = "") -> None:
    delays, cost = found
    cut = statistics.quantiles(delays, n=100)
    p50, p99 = cut[49] * _MILLI, cut[98] * _MILLI
    print(f"{name:<24} {p50:8.2f} ms p50, {p99:.2f} ms p99, {cost:.0f} us each{goal}")


async def watchers() -> None:
    with tempfile.TemporaryDirectory() as folder:
        told(
            f"event to {_WATCHERS} watchers",
            await from_the_door(Path(folder)),
            "  (goal 5 ms p99)",
        )
    told("floor: bare server", await from_a_bare_server())
