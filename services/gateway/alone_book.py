"""What one person decided alone about players, as the door itself hears it.

The archive's index may lag, stand still or be made anew. What is heard fills that up:
the same record is counted once, wherever it is known from.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from contracts import desk as d
from contracts.base import tag_of
from contracts.desk import ProposalApproved
from runtime.bus_memory import Delivery

_APPROVED = tag_of(d.ProposalApproved)
_DAYS_KEPT = 3
"""Today by any clock: what is older is asked for by nobody."""


class Counted(NamedTuple):
    """What is added up: a player's money in a currency, on a day of UTC."""

    player: str
    currency: str
    day: str


class AloneBook:
    """Minor units by the ids of the records that say so."""

    def __init__(self) -> None:
        self._days: dict[str, defaultdict[Counted, dict[str, int]]] = {}

    def hear(self, delivery: Delivery) -> None:
        for counted, minor in alone_in(delivery):
            day = self._days.setdefault(counted.day, defaultdict(dict))
            day[counted][delivery.envelope.id] = minor
        if len(self._days) > _DAYS_KEPT:
            del self._days[min(self._days)]

    def of(self, counted: Counted) -> dict[str, int]:
        day = self._days.get(counted.day)
        return {} if day is None else day.get(counted, {})


def alone_in(delivery: Delivery) -> Iterator[tuple[Counted, int]]:
    """Return what a record adds to the sum of each player whose money it moves."""
    if delivery.record.type != _APPROVED:
        return
    event: ProposalApproved = delivery.event
    if event.is_alone and event.alone is not None:
        for player in event.alone.players:
            counted = Counted(player, event.currency, event.alone.day)
            yield counted, abs(event.amount_minor)
