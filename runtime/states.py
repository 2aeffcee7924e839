"""The states of a service's streams: cached, or folded from snapshot and log."""

from collections import OrderedDict
from typing import Any

import msgspec

from contracts import catalog
from contracts.identities import category_of
from runtime.log import Log
from runtime.service import NOTHING_OWED, Decider, Owed, Service

_KEPT = 20_000
_SNAPSHOT_EVERY = 200


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

    def __init__(self, service: Service, log: Log) -> None:
        self._service = service
        self._log = log
        self._kept: OrderedDict[str, StreamState] = OrderedDict()

    def decider_of(self, stream: str) -> Decider:
        return self._service.deciders[category_of(stream)]

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

    async def _fold(self, stream: str) -> StreamState:
        decider = self.decider_of(stream)
        state, version = decider.initial(stream), 0
        if decider.state_type is not None:
            state, version = await self._from_snapshot(stream, decider, state)
        kept = version
        for record in await self._log.read_stream(stream, version):
            envelope = catalog.decode_envelope(record.body)
            if not envelope.type.endswith(".command_refused.v1"):
                state = decider.evolve(state, catalog.decode_event(envelope))
            version = record.version
        found = StreamState(stream, decider, state, version)
        found.snapshot_version = kept
        return found

    async def _from_snapshot(
        self, stream: str, decider: Decider, initial: Any
    ) -> tuple[Any, int]:
        """Begin at the snapshot; one that is not of today's shape is passed over."""
        snapshot = await self._log.snapshot(stream)
        if snapshot is None:
            return initial, 0
        try:
            state = msgspec.json.decode(snapshot.state, type=decider.state_type)
        except msgspec.MsgspecError:
            return initial, 0
        return state, snapshot.version

    async def is_old(self, entry: StreamState) -> bool:
        """Tell whether another process has gone on with a stream since it was read."""
        if not self._log.is_shared:
            return False
        return await self._log.stream_version(entry.stream) != entry.version

    def forget(self, stream: str) -> None:
        self._kept.pop(stream, None)

    def forget_all(self) -> None:
        self._kept.clear()
