"""Many scripts at one casino, a command of each at a time, on a clock of their own.

Nobody sends the next command before all are answered and nothing moves any more. So
the same scripts send the same commands at the same time to any host, whatever its pace.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from contracts.envelope import Answer
from contracts.identities import routing_key
from push22.casino import CasinoDoor
from runtime.ambient import Ambient, ManualClock
from runtime.bus_memory import Delivery
from runtime.embedded import Hearer

T = TypeVar("T")

DEADLINE_S = 3600.0
"""Longer than any decision is open."""


class Host(Protocol):
    """A casino that can be waited for until nothing moves in it."""

    ambient: Ambient

    def begin(self, body: bytes) -> asyncio.Future[Answer]:
        """Send a command; the answer is there when all is quiet."""
        ...

    def subscribe(self, hearer: Hearer) -> None: ...

    async def quiet(self) -> None:
        """Wait until everything is answered, handled and heard of."""
        ...


class Lockstep:
    """Lets plays go on together: after a command of each, or when time has passed."""

    def __init__(self, host: Host, clock: ManualClock) -> None:
        self.host = host
        self.clock = clock
        self._playing = 0
        self._all_wait = asyncio.Event()
        self._for_turn: list[asyncio.Future[None]] = []
        self._for_time: list[asyncio.Future[None]] = []

    async def run(self, plays: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
        """Play all to their ends; the first one that fails is raised."""
        self._playing = len(plays)
        tasks = [asyncio.create_task(self._counted(play)) for play in plays]
        while not all(task.done() for task in tasks):
            await self._all_wait.wait()
            await self.host.quiet()
            if not self._for_turn and self._for_time:
                self.clock.advance(seconds=DEADLINE_S)
                await self.host.quiet()
                self._for_turn, self._for_time = self._for_time, []
            self._release()
            await asyncio.sleep(0)
        return [task.result() for task in tasks]

    def _release(self) -> None:
        waiting, self._for_turn = self._for_turn, []
        self._playing += len(waiting)
        if waiting:
            self._all_wait.clear()
        for future in waiting:
            future.set_result(None)

    async def _counted(self, play: Coroutine[Any, Any, T]) -> T:
        try:
            return await play
        finally:
            self._one_less()

    def _one_less(self) -> None:
        self._playing -= 1
        if not self._playing:
            self._all_wait.set()

    async def turn(self) -> None:
        """Wait until everybody has sent what they send now, and all is quiet."""
        await self._wait(self._for_turn)

    async def time(self) -> None:
        """Wait until nobody can go on without time passing, and it has passed."""
        await self._wait(self._for_time)

    async def _wait(self, waiting: list[asyncio.Future[None]]) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(future)
        self._one_less()
        await future


class WishedClock(ManualClock):
    """Time passes for everybody at once: whoever wants it to, waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_wanted = False

    def advance(self, *, seconds: float) -> None:
        assert seconds == DEADLINE_S, "scripts wait for deadlines only"
        self.is_wanted = True


class Router:
    """Lets each table hear of its own streams, and of its players' wallets."""

    def __init__(self, host: Host) -> None:
        self._hearers: dict[str, list[Hearer]] = {}
        host.subscribe(self._hear)

    def subscribe(self, table: str, hearer: Hearer) -> None:
        self._hearers.setdefault(table, []).append(hearer)

    def _hear(self, delivery: Delivery) -> None:
        for hearer in self._hearers.get(table_of(delivery.record.stream), ()):
            hearer(delivery)


def table_of(stream: str) -> str:
    """Each table has an operator of its own, who bears its name."""
    key = routing_key(stream)
    if not key.startswith("wallet-"):
        return key
    return key.removeprefix("wallet-").partition(".")[0]


class _Steps:
    """The casino as one script knows it: an answer comes when all is quiet."""

    def __init__(self, lockstep: Lockstep, router: Router, door: "Door") -> None:
        self._lockstep = lockstep
        self._router = router
        self._door = door

    def subscribe(self, hearer: Hearer) -> None:
        self._router.subscribe(self._door.table, hearer)

    async def submit(self, body: bytes) -> Answer:
        answer = self._lockstep.host.begin(body)
        await self._lockstep.turn()
        return await answer

    async def settle(self) -> None:
        """All is quiet already, unless time has to pass."""
        if self._door.clock.is_wanted:
            self._door.clock.is_wanted = False
            await self._lockstep.time()


class Door(CasinoDoor):
    """Sends a script's commands; their ids are the same in every casino."""

    def __init__(self, lockstep: Lockstep, router: Router, table: str) -> None:
        self.ambient = lockstep.host.ambient
        self.table = table
        self.clock = WishedClock()
        self.host = _Steps(lockstep, router, self)
        self._sent = 0

    def new_id(self) -> str:
        self._sent += 1
        return f"{self.table}-{self._sent}"
