"""The newest records of cases, as the door itself hears them.

The copy of the log lags: whoever was just told that a case is open is not to be told
that there is none.
"""

from collections import OrderedDict
from collections.abc import Iterable

from contracts.identities import case_stream, category_of
from runtime.bus_memory import Delivery
from services.gateway.proposals import DESK

_CASES_KEPT = 1_000


class HeardCases:
    """Records by case and version."""

    def __init__(self) -> None:
        self._cases: OrderedDict[str, dict[int, Delivery]] = OrderedDict()

    def hear(self, delivery: Delivery) -> None:
        record = delivery.record
        if record.service != DESK or category_of(record.stream) != "case":
            return
        self._cases.setdefault(record.stream, {})[record.version] = delivery
        self._cases.move_to_end(record.stream)
        if len(self._cases) > _CASES_KEPT:
            self._cases.popitem(last=False)

    def after(self, case: str, records: Iterable[Delivery]) -> list[Delivery]:
        """Return a case's records, and those that were heard and follow them."""
        found = list(records)
        heard = self._cases.get(case_stream(case), {})
        while (following := heard.get(newest_version(found) + 1)) is not None:
            found.append(following)
        return found


def newest_version(records: list[Delivery]) -> int:
    return records[-1].record.version if records else 0
