"""Players who act at set times, however slow the casino is (an open loop).

Rounds begin at a constant rate at whatever table is free; a round's actions follow one
another at a set pace. Each latency counts from the time the action was due, so a stall
costs all that should have happened in it, not the one action that met it.
"""

import asyncio
import math
import time
from dataclasses import dataclass, field

import msgspec
from hdrh.histogram import HdrHistogram

from contracts import table
from contracts.base import is_refusal
from contracts.envelope import Actor, Answer
from contracts.identities import DEFAULT_CURRENCY, table_of_round
from contracts.round_events import RoundClosed, RoundOpened
from push22.bot import Wagers, next_move
from push22.casino import CasinoDoor
from push22.follower import PLATFORM, Follower
from runtime.bus_memory import Delivery

PACE_S = 0.5
"""From an action of a round to the next: quick players, and a busy table."""

ROUND_S = 10.0
"""A round with its actions takes less: so many tables a round/s are enough."""

WARM_S = 5.0
DRAIN_S = 10.0
_LONGEST_US = 3_600_000_000
_BALANCE_MINOR = 10**12
_WAGERS = Wagers((1,), (1000, 1000), {"super_match": 100})
_PATIENT = table.Timings(600_000, 5_000, 600_000, 600_000, 600_000)
"""Nobody decides for a player who is late only because the casino is."""


def histogram() -> HdrHistogram:
    """Microseconds up to an hour, to three digits."""
    return HdrHistogram(1, _LONGEST_US, 3)


@dataclass
class Found:
    """What one run has shown. `waited`, `decided` and `heard` add up to `latency`."""

    latency: HdrHistogram = field(default_factory=histogram)
    waited: HdrHistogram = field(default_factory=histogram)
    decided: HdrHistogram = field(default_factory=histogram)
    heard: HdrHistogram = field(default_factory=histogram)
    offered: float = 0.0
    closed: float = 0.0
    actions: int = 0
    refused: int = 0
    unfinished: int = 0
    timed_out: int = 0


@dataclass
class _Action:
    """A command on its way: when it was due, and when it went out."""

    due_at: float
    sent_at: float
    sent_us: int
    answered: asyncio.Future[bool]


@dataclass(eq=False)
class _Round:
    """A round that was to begin: when its next action is due."""

    due_at: float


class _Seat:
    """One player at one table; `round_id` is the round that can be played."""

    def __init__(self, name: str) -> None:
        self.table = name
        self.player = f"local.{name}"
        self.round_id = ""
        self.changed = asyncio.Event()


class OpenLoop:
    """The players of all tables, over one connection."""

    def __init__(self, casino: CasinoDoor) -> None:
        self.casino = casino
        self.follower = Follower(casino)
        self.follower.on_round = self._note_round
        casino.host.subscribe(self._note_answer)
        self._seats: dict[str, _Seat] = {}
        self._free: asyncio.Queue[_Seat] = asyncio.Queue()
        self._busy: set[str] = set()
        self._sent: dict[str, _Action] = {}
        self._sending: set[asyncio.Task[Answer]] = set()
        self._rounds: set[_Round] = set()
        self._found = Found()
        self._counts_from = math.inf
        self._counts_until = math.inf
        self._closed = 0

    async def open(self, count: int) -> None:
        """Open tables until there are so many, and fill their players' purses."""
        names = [f"open{number}" for number in range(len(self._seats), count)]
        for start in range(0, len(names), 64):
            await asyncio.gather(*map(self._open, names[start : start + 64]))

    async def _open(self, name: str) -> None:
        seat = self._seats[name] = _Seat(name)
        await self.casino.deposit(seat.player, DEFAULT_CURRENCY, _BALANCE_MINOR)
        asked = table.OpenTable(
            name, "ny-switch-6d", DEFAULT_CURRENCY, timings=_PATIENT
        )
        answer = await self.follower.send(asked, PLATFORM)
        assert answer.accepted, answer

    def _note_round(self, round_id: str, event: msgspec.Struct) -> None:
        seat = self._seats.get(table_of_round(round_id))
        if seat is None:
            return
        seat.changed.set()
        if isinstance(event, RoundClosed) and seat.table in self._busy:
            self._closed += (
                self._counts_from <= time.perf_counter() < self._counts_until
            )
        if isinstance(event, RoundOpened):
            seat.round_id = round_id
            if seat.table not in self._busy:
                self._free.put_nowait(seat)

    def _note_answer(self, delivery: Delivery) -> None:
        action = self._sent.pop(delivery.envelope.caused_by, None)
        if action is None:
            return
        now, now_us = time.perf_counter(), time.time_ns() // 1000
        refused = is_refusal(delivery.envelope.type)
        action.answered.set_result(not refused)
        if not self._counts_from <= action.due_at < self._counts_until:
            return
        found, recorded_us = self._found, delivery.envelope.recorded_at
        found.actions += 1
        found.refused += refused
        _record(found.latency, (now - action.due_at) * 1e6)
        _record(found.waited, (action.sent_at - action.due_at) * 1e6)
        _record(found.decided, recorded_us - action.sent_us)
        _record(found.heard, now_us - recorded_us)

    async def run(self, load: float, seconds: float) -> Found:
        """Begin `load` rounds a second for a while, the first seconds uncounted."""
        await self.open(math.ceil(load * ROUND_S))
        self._found, self._closed = Found(offered=load), 0
        begun = time.perf_counter()
        self._counts_from = begun + WARM_S
        self._counts_until = self._counts_from + seconds
        tasks = set()
        for number in range(int(load * (WARM_S + seconds))):
            due_at = begun + number / load
            await asyncio.sleep(max(0.0, due_at - time.perf_counter()))
            tasks.add(asyncio.create_task(self._round(_Round(due_at))))
        _, late = await asyncio.wait(tasks, timeout=DRAIN_S)
        self._give_up()
        for task in late:
            task.cancel()
        self._found.closed = self._closed / seconds
        return self._found

    def _give_up(self) -> None:
        """What did not happen has taken so long at least: it counts too."""
        now, found = time.perf_counter(), self._found
        for playing in self._rounds:
            if self._counts_from <= playing.due_at < min(now, self._counts_until):
                found.unfinished += 1
                _record(found.latency, (now - playing.due_at) * 1e6)
        self._rounds.clear()
        self._sent.clear()

    async def _round(self, playing: _Round) -> None:
        """Play a round at a free table, its actions at their times."""
        self._rounds.add(playing)
        seat = await self._free.get()
        self._busy.add(seat.table)
        round_id = seat.round_id
        try:
            while (move := await self._move(seat, round_id)) is not None:
                await asyncio.sleep(max(0.0, playing.due_at - time.perf_counter()))
                if not await self._act(move, playing.due_at):
                    seat.changed.clear()
                    await seat.changed.wait()
                playing.due_at += PACE_S
        finally:
            self._busy.discard(seat.table)
        self._rounds.discard(playing)
        if seat.round_id != round_id:
            self._free.put_nowait(seat)

    async def _move(
        self, seat: _Seat, round_id: str
    ) -> tuple[msgspec.Struct, Actor] | None:
        """Wait for something to do in the round; nothing when it is over."""
        while True:
            seat.changed.clear()
            try:
                move = next_move(self.follower, round_id, seat.player, _WAGERS)
            except KeyError:
                return None
            if move is not None:
                return move
            await seat.changed.wait()

    async def _act(self, move: tuple[msgspec.Struct, Actor], due_at: float) -> bool:
        """Send a command and wait for its event; false if it was refused."""
        command, actor = move
        command_id = self.casino.new_id()
        answered = asyncio.get_running_loop().create_future()
        body = self.follower.envelope(command, actor, command_id)
        now, now_us = time.perf_counter(), time.time_ns() // 1000
        self._sent[command_id] = _Action(due_at, now, now_us, answered)
        sending = asyncio.create_task(self.casino.host.submit(body))
        self._sending.add(sending)
        sending.add_done_callback(self._note_sent)
        return await answered

    def _note_sent(self, sending: asyncio.Task[Answer]) -> None:
        """An answer that comes too late for the client still counts when heard."""
        self._sending.discard(sending)
        if not sending.cancelled() and sending.exception() is not None:
            self._found.timed_out += 1


def _record(into: HdrHistogram, micros: float) -> None:
    into.record_value(min(max(1, round(micros)), _LONGEST_US))
