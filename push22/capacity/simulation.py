"""A small discrete-event simulation: processes that wait for work and cores.

Whatever waits at a process when it begins is one batch. Its cost and that of each job
are spent on a core; all its jobs end with it, and come to the next station together. A
server of requests does each of these by itself. Whoever asks first has a core first.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Literal, NamedTuple

import msgspec

from push22.capacity.waits import Waits

Then = Callable[[], None]
Spread = Literal["constant", "exponential"]

TICK_S = 0.02
"""What a process does without work comes in pieces, so often."""


class Station(msgspec.Struct, frozen=True, kw_only=True):
    """`seconds` of a job and `batch_seconds` besides: processor time.

    `idle`: of a core, whatever comes. `after`: what passes until its jobs are elsewhere
    while nobody works. `pause_s`: how long it lets jobs gather before it takes them.
    `merges`: takes all that waits, not one request. `source`: the station that has to
    fetch each batch for it. `log`: the station that it waits for, if it sent something
    there, before it begins again. `meanwhile_s`: how long it looks for more where
    something waits at the end of a batch. `tick_s`: how often it does what is idle, in
    one piece.
    """

    name: str
    seconds: float
    batch_seconds: float = 0.0
    servers: int = 1
    batch_max: int = 64
    idle: float = 0.0
    after: Waits | None = None
    pause_s: float = 0.0
    merges: bool = True
    source: str = ""
    log: str = ""
    tick_s: float = TICK_S
    meanwhile_s: float = 0.0


class _Job(NamedTuple):
    """`opens`: whoever does it alone has a batch's cost. `group`: came with others."""

    then: Then
    seconds: float
    opens: bool
    group: int


@dataclass
class _Server:
    station: Station
    queue: deque[_Job] = field(default_factory=deque)
    is_busy: bool = False
    worked_s: float = 0.0
    batches: int = 0

    def take(self) -> list[_Job]:
        """Take one request, or all that waits as far as a batch holds it."""
        station, group = self.station, self.queue[0].group
        batch: list[_Job] = []
        while self.queue and len(batch) < station.batch_max:
            if not station.merges and self.queue[0].group != group:
                break
            batch.append(self.queue.popleft())
        return batch


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
        self._groups = count(1)
        self._group = 0
        self._sent_to: set[str] = set()
        self._waiting: dict[int, _Server] = {}
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

    def visit(self, name: str, key: int, then: Then, *, opens: bool = True) -> None:
        """Give a job to the server of its partition; `then` follows once it is done."""
        servers = self._servers[name]
        merges = servers[0].station.merges
        server = servers[(key if merges else self._group) % len(servers)]
        seconds = self._drawn(server.station.seconds)
        self._sent_to.add(name)
        self._put(server, _Job(then, seconds, opens, self._group))

    def run(self, until: float) -> None:
        """Let everything happen up to a time."""
        while self._ahead and self._ahead[0][0] <= until:
            self.now, _, then = heappop(self._ahead)
            then()
        self.now = until

    def worked_s(self, name: str) -> float:
        """Return the processor time that a station has used, all servers together."""
        return sum(server.worked_s for server in self._servers[name])

    def batches(self, name: str) -> int:
        """Return the batches that it has begun."""
        return sum(server.batches for server in self._servers[name])

    def _drawn(self, seconds: float) -> float:
        if self._spread == "constant" or not seconds:
            return seconds
        return self.source.expovariate(1 / seconds)

    def _put(self, server: _Server, job: _Job) -> None:
        server.queue.append(job)
        self._begin(server)

    def _begin(self, server: _Server, more_s: float = 0.0) -> None:
        """Begin once all that comes at this moment is there: it is one batch."""
        if server.is_busy or not server.queue:
            return
        server.is_busy = True
        self.at(self.now + server.station.pause_s + more_s, lambda: self._ask(server))

    def _ask(self, server: _Server) -> None:
        if self._free:
            self._work(server)
        else:
            self._without_core.append(server)

    def _work(self, server: _Server) -> None:
        self._free -= 1
        batch = server.take()
        work = sum(job.seconds for job in batch)
        if any(job.opens for job in batch):
            server.batches += 1
            work += server.station.batch_seconds
        server.worked_s += work
        self.at(self.now + work, lambda: self._worked(server, batch))

    def _worked(self, server: _Server, batch: list[_Job]) -> None:
        """Give the core on, send on what was done, and begin with what has come."""
        self._free += 1
        if self._without_core:
            self._work(self._without_core.popleft())
        station = server.station
        if station.after is None:
            self._end(batch)
        else:
            wait_s = station.after.at(self.source.random())
            self.at(self.now + wait_s, lambda: self._end(batch))
        if station.source and any(job.opens for job in batch):
            self._fetch(station.source)
        if station.log and station.log in self._sent_to:
            self._waiting[self._group] = server
        else:
            self._let_go(server)
        waiting = self._waiting.pop(batch[0].group, None)
        if waiting is not None:
            self._let_go(waiting)

    def _let_go(self, server: _Server) -> None:
        server.is_busy = False
        self._begin(server, server.station.meanwhile_s)

    def _end(self, batch: list[_Job]) -> None:
        """What ends at once is one request of whoever it goes to."""
        self._group = next(self._groups)
        self._sent_to.clear()
        for job in batch:
            job.then()

    def _fetch(self, name: str) -> None:
        """Whoever has taken a batch asks for the next one."""
        group, servers = next(self._groups), self._servers[name]
        server = servers[group % len(servers)]
        self._put(server, _Job(_nothing, 0.0, opens=True, group=group))

    def _tick(self, server: _Server, number: int = 0) -> None:
        """Do what is done without work, at a moment of each tick that is drawn."""

        def work() -> None:
            group = next(self._groups)
            seconds = server.station.idle * server.station.tick_s
            self._put(server, _Job(_nothing, seconds, opens=False, group=group))
            self._tick(server, number + 1)

        self.at((number + self.source.random()) * server.station.tick_s, work)


def _nothing() -> None:
    """What follows on a tick, and on a fetch."""
