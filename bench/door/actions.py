"""Player actions a second through the HTTP layer, and what one costs.

The casino is in memory, so that the door is measured and not the disk. A refused action
is one record; an accepted bet goes through the wallet and back, which is the casino's
work. One process serves; the askers are another one, at no cost to it. The floor is a
Litestar echo of the same body on the same server.
"""

import asyncio
import json
import multiprocessing
import time
from typing import Any

from litestar import Litestar, post
from litestar.params import JSONBody

from bench.door.opened import TABLES, door_application, opened, served, session
from services.gateway.door import Door
from services.gateway.orders import Move

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


def ask_from_here(place: tuple[str, int], requests: list[bytes], out: Any) -> None:
    async def all_of_them() -> int:
        until = time.perf_counter() + _SECONDS
        return sum(
            await asyncio.gather(*(ask(place, each, until) for each in requests))
        )

    out.put(asyncio.run(all_of_them()))


def request(line: str, body: dict[str, Any], token: str = "x") -> bytes:
    """Return a request; `line`: its method and path."""
    content = json.dumps(body).encode()
    return (
        f"{line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    ).encode() + content


async def cost(app: Any, requests: list[bytes]) -> float:
    """Return what one costs: microseconds of processor time of this process."""
    spawn = multiprocessing.get_context("spawn")
    out = spawn.Queue()
    async with served(app) as place:
        asker = spawn.Process(target=ask_from_here, args=(place, requests, out))
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


def of_each(door: Door, method: str, what: str, body: dict[str, Any]) -> list[bytes]:
    """Return the request that each of the players makes again and again."""
    return [
        request(
            f"{method} /player/v1/rounds/round-t{number}-1/{what}",
            body,
            session(door, number),
        )
        for number in range(1, TABLES + 1)
    ]


async def actions() -> None:
    move = {"action": "hit", "target": "1.1"}
    wagers = {"wagers_minor": [1000, 1000]}
    async with opened() as (_, door):
        app = door_application(door)
        refused = await cost(app, of_each(door, "POST", "actions", move))
        accepted = await cost(app, of_each(door, "PUT", "wagers/1", wagers))
    echoed = [request("POST /echo", move)] * TABLES
    floor = await cost(Litestar([echo], logging_config=None), echoed)
    told("refused actions", refused, "  (goal 2000 /s)")
    told("accepted bets", accepted)
    told("floor: Litestar echo", floor)
