"""What one viewer is told of a table, in order and numbered.

Messages are encoded once, however many listen. The last ones are kept, so that who
lost the connection goes on where it was.
"""

from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import asdict

from services.gateway.views import Happened, RoundView, TableView

KEPT = 128
"""Fewer than a client's outbox holds: all of them may be sent at once."""

Listener = Callable[[bytes], None]
Why = Literal["new", "unknown_feed", "too_old", "ahead"]

_ENCODE = msgspec.json.Encoder().encode


class Snapshot(msgspec.Struct, frozen=True, tag_field="kind", tag="snapshot"):
    """A table as it stands, and why it comes whole."""

    table: str
    feed: str
    seq: int
    reason: Why
    view: TableView


class Delta(msgspec.Struct, frozen=True, tag_field="kind", tag="delta"):
    """What happened, and the members of the round's view that changed by it."""

    table: str
    feed: str
    seq: int
    happened: Happened
    changes: dict[str, Any]


class Place(NamedTuple):
    """Where a listener stands: in which feed, after which message."""

    feed: str
    seq: int


def changes_of(before: RoundView, after: RoundView) -> dict[str, Any]:
    """Return the members of a round's view that are not what they were."""
    was = asdict(before)
    return {name: new for name, new in asdict(after).items() if new != was[name]}


class Feed:
    """One viewer's feed of one table."""

    def __init__(self, table: str, name: str) -> None:
        self.table = table
        self.name = name
        self.seq = 0
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self.listeners: set[Listener] = set()

    def tell(self, happened: Happened, changes: dict[str, Any]) -> None:
        """Number a delta, keep it and send it to all who listen."""
        self.seq += 1
        delta = Delta(self.table, self.name, self.seq, happened, changes)
        body = _ENCODE(delta)
        self._kept.append(body)
        for listener in tuple(self.listeners):
            listener(body)

    def since(self, place: Place | None) -> list[bytes] | Why:
        """Return the messages after a place, or why there can only be a snapshot."""
        if place is None:
            return "new"
        if place.feed != self.name:
            return "unknown_feed"
        missing = self.seq - place.seq
        if missing < 0:
            return "ahead"
        if missing > len(self._kept):
            return "too_old"
        return list(islice(self._kept, len(self._kept) - missing, None))

    def snapshot(self, view: TableView, reason: Why) -> bytes:
        return _ENCODE(Snapshot(self.table, self.name, self.seq, reason, view))
