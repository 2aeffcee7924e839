"""Memory for players who are there and do nothing."""

import asyncio
import multiprocessing
import resource
from pathlib import Path
from typing import Any

from bench.door.opened import door_application, opened, served, session
from bench.door.sockets import connected, greetings

IDLE = 1000


def stay(place: tuple[str, int], tokens: list[str], pipe: Any) -> None:
    kept = [connected(place, greetings(token)) for token in tokens]
    pipe.send(len(kept))
    pipe.recv()


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def grown() -> tuple[int, float, float]:
    """Return how many players came, and this process's memory before and with them."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    async with opened() as (_, door), served(door_application(door)) as place:
        tokens = [session(door, number) for number in range(IDLE)]
        before = resident_mib()
        others = spawn.Process(target=stay, args=(place, tokens, there))
        others.start()
        there.close()  # so that the end of the other process is heard of
        count = await asyncio.to_thread(here.recv)
        after = resident_mib()
        here.send("end")
        await asyncio.to_thread(others.join)
    return count, before, after


async def idle() -> None:
    count, before, after = await grown()
    more = after - before
    print(f"{count} idle players       {after:8.0f} MiB  (goal 150; {more:.0f} grown)")
