"""The states of a service's streams: cached, or folded from snapshot and log."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from contracts import catalog
from contracts.identities import category_of
from runtime.ambient import KeyRing
from runtime.log import Conflict, Log, Record
from runtime.metrics import SNAPSHOTS_PASSED_OVER
from runtime.service import NOTHING_OWED, Decider, Owed, Service
from runtime.snapshots import NotOurs, evolved, opened
from runtime.telemetry import get_logger

_logger = get_logger("runtime.states")

_KEPT = 20_000
_SNAPSHOT_EVERY = 200
_WORTHWHILE = 2
"""So many unknown states are loaded at once."""


class StreamState:
    """A stream as it stands: its version, its state, what it owes."""

    __slots__ = ("decider", "owed", "snapshot_version", "state", "stream", "version")

    def __init__(self, stream: str, decider: Decider, state: Any, version: int) -> None:
        self.stream = stream
        self.decider = decider
        self.state = state
        self.version = version
        self.snapshot_version = version
        self.owed: Owed = decider.resume(state) if version else NOTHING_OWED

    def snapshot_due(self) -> bool:
        grown = self.version - self.snapshot_version
        return self.decider.state_type is not None and grown >= _SNAPSHOT_EVERY


class States:
    """Loads states and forgets them; what was not committed is never kept."""

    def __init__(self, service: Service, log: Log, keys: KeyRing) -> None:
        self._service = service
        self._log = log
        self._keys = keys
        self._kept: OrderedDict[str, StreamState] = OrderedDict()
        self.retried = ""
        """The stream whose queue is handled now: what waits in it is no obstacle."""

    def decider_of(self, stream: str) -> Decider:
        return self._service.deciders[category_of(stream)]

    def keeps(self, stream: str) -> bool:
        return stream in self._kept

    async def load(self, stream: str) -> StreamState:
        found = self._kept.get(stream)
        if found is not None:
            self._kept.move_to_end(stream)
            return found
        found = await self._fold(stream)
        self._kept[stream] = found
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    async def prefetch(self, streams: Iterable[str]) -> None:
        """Load several states at once, where each would cost a round trip.

        What can't be folded here is left to `load`, which says so for its stream.
        """
        if not self._log.is_shared:
            return
        unknown = {
            stream
            for stream in streams
            if stream not in self._kept and self._is_short(stream)
        }
        if len(unknown) < _WORTHWHILE:
            return
        found: dict[str, list[Record]] = {stream: [] for stream in unknown}
        for record in await self._log.read_streams(sorted(unknown)):
            found[record.stream].append(record)
        for stream, records in found.items():
            with suppress(Exception):
                self._kept[stream] = self._folded(self._begin(stream), records)

    def _is_short(self, stream: str) -> bool:
        decider = self._service.deciders.get(category_of(stream))
        return decider is not None and decider.state_type is None

    def _begin(self, stream: str) -> StreamState:
        decider = self.decider_of(stream)
        return StreamState(stream, decider, decider.initial(stream), 0)

    async def _fold(self, stream: str) -> StreamState:
        decider = self.decider_of(stream)
        found = await self._from_snapshot(stream, decider)
        if found is None:
            found = self._begin(stream), await self._log.read_stream(stream)
        return self._folded(*found)

    @staticmethod
    def _folded(entry: StreamState, records: Sequence[Record]) -> StreamState:
        decider, state, version = entry.decider, entry.state, entry.version
        for record in records:
            state = evolved(decider, state, catalog.decode_envelope(record.body))
            version = record.version
        whole = StreamState(entry.stream, decider, state, version)
        whole.snapshot_version = entry.version
        return whole

    async def _from_snapshot(
        self, stream: str, decider: Decider
    ) -> tuple[StreamState, list[Record]] | None:
        """Begin at the snapshot, if its stream still has the record it follows."""
        snapshot = None
        if decider.state_type is not None:
            snapshot = await self._log.snapshot(stream)
        if snapshot is None:
            return None
        try:
            state, link = opened(self._keys, snapshot, decider)
            records = await self._log.read_stream(stream, snapshot.version - 1)
            if [(r.version, r.hash) for r in records[:1]] != [(snapshot.version, link)]:
                raise NotOurs("it follows another record")
        except NotOurs as error:
            SNAPSHOTS_PASSED_OVER.labels(self._service.name).inc()
            _logger.warning("snapshot passed over", stream=stream, reason=str(error))
            return None
        return StreamState(stream, decider, state, snapshot.version), records[1:]

    async def is_old(self, entry: StreamState) -> bool:
        """Tell whether another process has gone on with a stream since it was read.

        Raises Conflict if one has set it aside: what stays quiet now may not be quiet
        after what waits (H9).
        """
        if not self._log.is_shared:
            return False
        if entry.stream != self.retried and await self._log.is_aside(entry.stream):
            raise Conflict(f"{entry.stream} was set aside by another instance")
        return await self._log.stream_version(entry.stream) != entry.version

    def forget(self, stream: str) -> None:
        self._kept.pop(stream, None)

    def forget_all(self) -> None:
        self._kept.clear()
