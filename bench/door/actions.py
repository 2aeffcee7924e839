"""Player actions a second through the HTTP layer, and what one costs.

The casino is in memory, so that the door is measured and not the disk. One process
serves; the askers are another one, at no cost to it. The floor is a Litestar echo of
the same body on the same server.
"""

import asyncio
import json
import multiprocessing
import time
from typing import Any

from litestar import Litestar, post
from litestar.params import JSONBody

from bench.door.opened import ROUND, door_application, opened, served, session
from services.gateway.orders import Move

_ASKERS = 64
_SECONDS = 4.0
_MICRO = 1_000_000


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
    async def all_of_them() -> int:
        until = time.perf_counter() + _SECONDS
        return sum(
            await asyncio.gather(*(ask(place, request, until) for _ in range(_ASKERS)))
        )

    out.put(asyncio.run(all_of_them()))


async def cost(app: Any, path: str, body: dict[str, Any], token: str) -> float:
    """Return what a request costs: microseconds of processor time of this process."""
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
    return took / done * _MICRO


@post("/echo", status_code=200)
async def echo(data: JSONBody[Move]) -> Move:
    return data


def told(name: str, found: float, goal: str = "") -> None:
    print(f"{name:<24} {_MICRO / found:8.0f} /s of one core, {found:4.0f} us{goal}")


async def actions() -> None:
    move = {"action": "hit", "target": "1.1"}
    async with opened() as (_, door):
        path = f"/player/v1/rounds/{ROUND}/actions"
        found = await cost(door_application(door), path, move, session(door, 0))
    floor = await cost(Litestar([echo], logging_config=None), "/echo", move, "x")
    told("actions", found, "  (goal 2000 /s)")
    told("floor: Litestar echo", floor)
