"""A worker's open deadlines: kept with the log, held against the states (H10)."""

import heapq
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import filterfalse
from typing import NamedTuple

from contracts.envelope import Micros
from runtime.agenda import is_effect, planned
from runtime.log import AgendaItem, Log, LogError
from runtime.metrics import AGENDAS_MENDED
from runtime.states import States, StreamState
from runtime.telemetry import get_logger

_log = get_logger("runtime.deadlines")

Items = tuple[AgendaItem, ...]

_HEAP_LEAST = 256
"""A heap that has grown to this, and to twice what was open in it, is made anew.

A long clock that was stopped would lie in it until its time, once for each change.
"""


class Mended(NamedTuple):
    """What a stream owes as it stood at a version."""

    items: Items
    version: int


def _always(stream: str) -> bool:
    del stream
    return True


class Deadlines:
    """What the agenda holds, as last committed."""

    def __init__(self, log: Log, states: States) -> None:
        self._log = log
        self._states = states
        self.is_ours: Callable[[str], bool] = _always
        """Which streams' deadlines this process fires."""
        self._items: dict[str, Items] = {}
        self._mended: dict[str, Mended] = {}
        self._soonest: list[tuple[Micros, str]] = []
        """A heap of when what is ours is due; what is no longer open may be in it."""
        self._soonest_max = _HEAP_LEAST

    @property
    def streams(self) -> list[str]:
        """The streams whose clocks run, in order."""
        open_ = self._items.items()
        return sorted(s for s, items in open_ if not all(map(is_effect, items)))

    def effects(self, aside: Container[str]) -> list[AgendaItem]:
        """Return the effects that committed states owe, the earliest first."""
        return _by_time(filter(is_effect, _ours(self._items, aside, self.is_ours)))

    def effect_count(self) -> int:
        """Return how many effects are owed. To be asked from any thread."""
        # A list is made in one go, whoever changes the agenda meanwhile.
        found = list(self._items.items())
        return sum(
            sum(map(is_effect, items))
            for stream, items in found
            if self.is_ours(stream)
        )

    async def look_again(self) -> None:
        """Learn what other processes have committed: we fire for them, and call."""
        fresh = await self._rows()
        fresh.update((stream, found.items) for stream, found in self._mended.items())
        self._items = fresh
        self._expect_all()

    async def _rows(self) -> dict[str, Items]:
        found: dict[str, Items] = {}
        for item in await self._log.agenda():
            found[item.stream] = (*found.get(item.stream, ()), item)
        return found

    @property
    def mended(self) -> Mapping[str, Mended]:
        """What was planned again at start, to be written with the next commit."""
        return self._mended

    async def learn_after_race(self) -> None:
        """What was to be mended follows from what somebody else has changed."""
        self._mended = {}
        await self.look_again()

    async def learn(self) -> None:
        """Read the agenda. Rows that are not what their stream owes are mended.

        A stream without rows is looked at when its first input comes: `missing`.
        """
        self._items, self._mended = await self._rows(), {}
        for stream in list(self._items):
            await self._mend(stream)
        self._expect_all()

    def _expect_all(self) -> None:
        self._soonest = []
        for stream, items in self._items.items():
            self._expect(stream, items)

    async def _mend(self, stream: str) -> None:
        try:
            entry = await self._states.load(stream)
        except LogError:
            raise
        except Exception as error:  # noqa: BLE001 - its first input sets it aside
            _log.error("agenda not checked", stream=stream, reason=repr(error))
            return
        items = self.missing(entry)
        if items is not None:
            self._items[stream] = items
            self._mended[stream] = Mended(items, entry.version)

    def missing(self, entry: StreamState) -> Items | None:
        """Return what a stream owes, if that is not what is planned."""
        items = planned(entry.stream, entry.owed)
        there = self._items.get(entry.stream, ())
        if items == there or sorted(items) == sorted(there):
            return None
        AGENDAS_MENDED.labels(self._log.service).inc()
        _log.error("agenda mended", stream=entry.stream)
        return items

    def committed(self, agenda: Mapping[str, Items]) -> None:
        self._mended = {}
        for stream, items in agenda.items():
            if items:
                self._items[stream] = items
                self._expect(stream, items)
            else:
                self._items.pop(stream, None)

    def _expect(self, stream: str, items: Items) -> None:
        if self.is_ours(stream):
            for item in filterfalse(is_effect, items):
                heapq.heappush(self._soonest, (item.due_at, stream))
        if len(self._soonest) > self._soonest_max:
            self._soonest = sorted({x for x in self._soonest if self._is_open(*x)})
            self._soonest_max = max(_HEAP_LEAST, 2 * len(self._soonest))

    def next_due(
        self, aside: Container[str], changed: Mapping[str, Items] | None = None
    ) -> Micros | None:
        """Return when the earliest deadline of a stream not set aside is due."""
        changed = changed or {}
        top = self._top()
        if top is not None and (top[1] in aside or top[1] in changed):
            open_ = self._open(aside, changed)
            return min((item.due_at for item in open_), default=None)
        if not changed:
            return None if top is None else top[0]
        fresh = filterfalse(is_effect, _ours(changed, aside, self.is_ours))
        times = [item.due_at for item in fresh]
        return min(times if top is None else (*times, top[0]), default=None)

    def due(
        self, now: Micros, aside: Container[str], changed: Mapping[str, Items]
    ) -> list[AgendaItem]:
        """Return what is due, the earliest first; `changed` is not committed yet."""
        soonest = self.next_due(aside, changed)
        if soonest is None or soonest > now:
            return []
        return _by_time(i for i in self._open(aside, changed) if i.due_at <= now)

    def _top(self) -> tuple[Micros, str] | None:
        """Return what is due first, set aside or not, without looking at all."""
        soonest = self._soonest
        while soonest and not self._is_open(*soonest[0]):
            heapq.heappop(soonest)
        return soonest[0] if soonest else None

    def _is_open(self, due_at: Micros, stream: str) -> bool:
        items = self._items.get(stream, ())
        return any(i.due_at == due_at and not is_effect(i) for i in items)

    def _open(
        self, aside: Container[str], changed: Mapping[str, Items]
    ) -> Iterator[AgendaItem]:
        items = {**self._items, **changed}
        return filterfalse(is_effect, _ours(items, aside, self.is_ours))


def _ours(
    items: Mapping[str, Items], aside: Container[str], is_ours: Callable[[str], bool]
) -> Iterator[AgendaItem]:
    for stream, planned_ in items.items():
        if stream not in aside and is_ours(stream):
            yield from planned_


def _by_time(items: Iterable[AgendaItem]) -> list[AgendaItem]:
    return sorted(items, key=lambda item: (item.due_at, item.stream, item.kind))
