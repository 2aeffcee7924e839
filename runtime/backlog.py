"""What a relay has not sent yet, and for how long."""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

_GRAIN_S = 0.25
"""Heads that are seen closer together are told apart no more."""


class Unsent(NamedTuple):
    """Records that Kafka has not acknowledged, and for how long the oldest waits."""

    records: int
    seconds: float


class Backlog:
    """When each partition was first seen to go so far."""

    def __init__(self) -> None:
        self._heads: dict[int, deque[tuple[int, float]]] = {}

    def note(self, partition: int, offset: int, now: float) -> None:
        """See a partition's head; the ages of what lies close together are one."""
        heads = self._heads.setdefault(partition, deque())
        if heads and offset <= heads[-1][0]:
            return
        if len(heads) > 1 and now - heads[-1][1] < _GRAIN_S:
            heads[-1] = (offset, heads[-1][1])
        else:
            heads.append((offset, now))

    def unsent(self, sent: Mapping[int, int], now: float) -> Unsent:
        """Compare with what was sent of the partitions that are ours."""
        records, oldest = 0, now
        for partition, done in sent.items():
            heads = self._heads.get(partition, deque())
            while heads and heads[0][0] <= done:
                heads.popleft()
            if heads:
                records += heads[-1][0] - done
                oldest = min(oldest, heads[0][1])
        return Unsent(records, now - oldest)
