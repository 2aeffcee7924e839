"""A round's records from all services in one sequence (H15).

A foreign record hangs under the round event that recorded it, else under the event
that it was caused by, however many steps away. Ties go by service, partition, offset.
"""

from collections.abc import Iterable
from typing import NamedTuple

from contracts.envelope import Envelope


class Placed(NamedTuple):
    """A record and the sequence number of the round event that it belongs to."""

    sequence: int
    foreign: bool
    record: Envelope


def in_order(round_id: str, records: Iterable[Envelope]) -> tuple[Placed, ...]:
    """Put a round's records in the order of H15.

    A foreign record that no cause leads to the round hangs under the last round
    event that was recorded before it.
    """
    own: list[Envelope] = []
    foreign: list[Envelope] = []
    for record in records:
        (own if record.stream == round_id else foreign).append(record)
    own.sort(key=lambda record: record.version)
    places = _Places(own, foreign)
    placed = [Placed(record.version, False, record) for record in own]
    placed += [Placed(places.of(record), True, record) for record in foreign]
    placed.sort(key=_rank)
    return tuple(placed)


def _rank(item: Placed) -> tuple[int, bool, str, int, int]:
    record = item.record
    if not item.foreign:
        return (item.sequence, False, "", 0, 0)
    return (item.sequence, True, record.service, record.partition, record.offset)


class _Places:
    """Which round event each foreign record hangs under."""

    def __init__(self, own: list[Envelope], foreign: list[Envelope]) -> None:
        self._own = own
        self._versions = {record.id: record.version for record in own}
        self._recorded: dict[str, int] = {}
        for record in own:
            self._recorded.setdefault(record.caused_by, record.version)
        self._foreign = {record.id: record for record in foreign}

    def of(self, record: Envelope) -> int:
        seen: set[str] = set()
        at: Envelope | None = record
        while at is not None and at.id not in seen:
            seen.add(at.id)
            if (recorded := self._recorded.get(at.id)) is not None:
                return recorded
            if (version := self._versions.get(at.caused_by)) is not None:
                return version
            at = self._foreign.get(at.caused_by)
        return self._by_time(record)

    def _by_time(self, record: Envelope) -> int:
        before = [
            own.version for own in self._own if own.recorded_at <= record.recorded_at
        ]
        return max(before, default=0)
