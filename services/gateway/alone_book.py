"""What one person decided alone about players, as the door itself hears it.

The archive's index may lag, stand still or be made anew. What is heard fills that up:
the same record is counted once, wherever it is known from.
"""

from collections import defaultdict

from contracts.alone import Counted, decided_alone
from contracts.base import tag_of
from contracts.desk import ProposalApproved
from runtime.bus_memory import Delivery

_APPROVED = tag_of(ProposalApproved)
_DAYS_KEPT = 3
"""Today by any clock: what is older is asked for by nobody."""


class AloneBook:
    """Minor units by the ids of the records that say so."""

    def __init__(self) -> None:
        self._days: dict[str, defaultdict[Counted, dict[str, int]]] = {}

    def hear(self, delivery: Delivery) -> None:
        for counted, minor in alone_in(delivery).items():
            day = self._days.setdefault(counted.day, defaultdict(dict))
            day[counted][delivery.envelope.id] = minor
        if len(self._days) > _DAYS_KEPT:
            del self._days[min(self._days)]

    def of(self, counted: Counted) -> dict[str, int]:
        day = self._days.get(counted.day)
        return {} if day is None else day.get(counted, {})


def alone_in(delivery: Delivery) -> dict[Counted, int]:
    """Return what a record adds to the sum of each player whose money it moves."""
    return decided_alone(delivery.event) if delivery.record.type == _APPROVED else {}
