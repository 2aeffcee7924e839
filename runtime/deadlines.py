"""A worker's open deadlines: kept with the log, held against the states (H10)."""

from collections.abc import Callable, Container, Iterator, Mapping

from contracts.envelope import Micros
from runtime.agenda import is_effect, planned
from runtime.log import AgendaItem, Log, LogError
from runtime.states import States, StreamState
from runtime.telemetry import counters, get_logger

_log = get_logger("runtime.deadlines")

Items = tuple[AgendaItem, ...]


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
        self._mended: dict[str, Items] = {}

    @property
    def streams(self) -> list[str]:
        """The streams whose clocks run, in order."""
        open_ = self._items.items()
        return sorted(s for s, items in open_ if not all(map(is_effect, items)))

    def effects(self, aside: Container[str]) -> list[AgendaItem]:
        """Return the effects that committed states owe, the earliest first."""
        found = (
            item
            for stream, items in self._items.items()
            if stream not in aside and self.is_ours(stream)
            for item in items
            if is_effect(item)
        )
        return sorted(found, key=lambda item: (item.due_at, item.stream, item.kind))

    async def look_again(self) -> None:
        """Learn what other processes have committed to our streams' effects."""
        fresh: dict[str, Items] = {}
        for item in await self._log.agenda():
            fresh[item.stream] = (*fresh.get(item.stream, ()), item)
        self._items = fresh

    @property
    def mended(self) -> Mapping[str, Items]:
        """What was planned again at start, to be written with the next commit."""
        return self._mended

    async def learn(self) -> None:
        """Read the agenda. Rows that are not what their stream owes are mended.

        A stream without rows is looked at when its first input comes: `missing`.
        """
        self._items, self._mended = {}, {}
        for item in await self._log.agenda():
            self._items[item.stream] = (*self._items.get(item.stream, ()), item)
        for stream in list(self._items):
            await self._mend(stream)

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
            self._items[stream] = self._mended[stream] = items

    def missing(self, entry: StreamState) -> Items | None:
        """Return what a stream owes, if that is not what is planned."""
        items = planned(entry.stream, entry.owed)
        there = self._items.get(entry.stream, ())
        if items == there or sorted(items) == sorted(there):
            return None
        counters["agendas_mended"] += 1
        _log.error("agenda mended", stream=entry.stream)
        return items

    def committed(self, agenda: Mapping[str, Items]) -> None:
        self._mended = {}
        for stream, items in agenda.items():
            if items:
                self._items[stream] = items
            else:
                self._items.pop(stream, None)

    def next_due(
        self, aside: Container[str], changed: Mapping[str, Items] | None = None
    ) -> Micros | None:
        """Return when the earliest deadline of a stream not set aside is due."""
        open_ = self._open(aside, changed or {})
        return min((item.due_at for item in open_), default=None)

    def due(
        self, now: Micros, aside: Container[str], changed: Mapping[str, Items]
    ) -> list[AgendaItem]:
        """Return what is due, the earliest first; `changed` is not committed yet."""
        found = [item for item in self._open(aside, changed) if item.due_at <= now]
        return sorted(found, key=lambda item: (item.due_at, item.stream, item.kind))

    def _open(
        self, aside: Container[str], changed: Mapping[str, Items]
    ) -> Iterator[AgendaItem]:
        for stream, items in {**self._items, **changed}.items():
            if stream not in aside and self.is_ours(stream):
                yield from (item for item in items if not is_effect(item))
