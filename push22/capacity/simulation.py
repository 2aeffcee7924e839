"""A small discrete-event simulation: processes that wait for work and cores.

A station is one process or several alike. Whatever waits at a process when it begins is
one batch: its jobs' processor time is spent on a core, and all of them end with it.
Cores are given to processes in the order in which they ask, until the batch's end.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Literal

import msgspec

Then = Callable[[], None]
Spread = Literal["constant", "exponential"]
Sized = tuple[Then, float]

TICK_S = 0.02
"""What a process does without work comes in pieces, so often."""


class Station(msgspec.Struct, frozen=True, kw_only=True):
    """`seconds`: processor time of a job. `idle`: of a core, whatever comes."""

    name: str
    seconds: float
    servers: int = 1
    batch_max: int = 64
    idle: float = 0.0


@dataclass
class _Server:
    station: Station
    queue: deque[Sized] = field(default_factory=deque)
    is_busy: bool = False
    worked_s: float = 0.0


class Simulation:
    """The clock, what is to happen, and who waits. Everything follows from the seed."""

    def __init__(
        self,
        stations: tuple[Station, ...],
        seed: str,
        *,
        cores: int | None = None,
        spread: Spread = "constant",
    ) -> None:
        self.now = 0.0
        self.source = random.Random(seed)  # noqa: S311 - to be run again
        self._spread = spread
        self._free = cores if cores is not None else sum(s.servers for s in stations)
        self._ahead: list[tuple[float, int, Then]] = []
        self._number = count()
        self._servers = {
            s.name: [_Server(s) for _ in range(s.servers)] for s in stations
        }
        self._without_core: deque[_Server] = deque()
        for each in self._servers.values():
            for server in each:
                if server.station.idle:
                    self._tick(server)

    def at(self, time: float, then: Then) -> None:
        """Have something happen; of what is due at once, the first planned is first."""
        heappush(self._ahead, (time, next(self._number), then))

    def visit(self, name: str, key: int, then: Then) -> None:
        """Give a job to the server of its partition; `then` follows once it is done."""
        servers = self._servers[name]
        server = servers[key % len(servers)]
        server.queue.append((then, self._drawn(server.station.seconds)))
        self._begin(server)

    def run(self, until: float) -> None:
        """Let everything happen up to a time."""
        while self._ahead and self._ahead[0][0] <= until:
            self.now, _, then = heappop(self._ahead)
            then()
        self.now = until

    def worked_s(self, name: str) -> float:
        """Return the processor time that a station has used, all servers together."""
        return sum(server.worked_s for server in self._servers[name])

    def _drawn(self, seconds: float) -> float:
        if self._spread == "constant" or not seconds:
            return seconds
        return self.source.expovariate(1 / seconds)

    def _begin(self, server: _Server) -> None:
        if server.is_busy or not server.queue:
            return
        server.is_busy = True
        if self._free:
            self._work(server)
        else:
            self._without_core.append(server)

    def _work(self, server: _Server) -> None:
        self._free -= 1
        many = min(len(server.queue), server.station.batch_max)
        batch = [server.queue.popleft() for _ in range(many)]
        work = sum(seconds for _, seconds in batch)
        server.worked_s += work
        self.at(self.now + work, lambda: self._worked(server, batch))

    def _worked(self, server: _Server, batch: list[Sized]) -> None:
        """Give the core on, end what was done, and begin with what has come since."""
        self._free += 1
        if self._without_core:
            self._work(self._without_core.popleft())
        server.is_busy = False
        for then, _ in batch:
            then()
        self._begin(server)

    def _tick(self, server: _Server) -> None:
        """Do what is done without work, apart from each other's moments."""

        def again() -> None:
            server.queue.append((_nothing, server.station.idle * TICK_S))
            self._begin(server)
            self.at(self.now + TICK_S, again)

        self.at(self.now + self.source.random() * TICK_S, again)


def _nothing() -> None:
    """What follows on a tick."""
