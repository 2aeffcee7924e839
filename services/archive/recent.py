"""The records seen last, so that a cause is at hand when its effect comes."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from contracts import catalog
from contracts.envelope import Envelope

_KEPT = 50_000

Find = Callable[[str], tuple[Envelope, Any] | None]
"""From a record's id to the record and its event; `None` if there is none."""


class Recent:
    """Keeps a bounded number of records; asks for those that have left it."""

    def __init__(self, fetch: Callable[[str], Envelope | None]) -> None:
        self._fetch = fetch
        self._records: OrderedDict[str, Envelope] = OrderedDict()
        self._events: dict[str, Any] = {}

    def note(self, record: Envelope) -> None:
        self._records[record.id] = record
        if len(self._records) > _KEPT:
            name, _ = self._records.popitem(last=False)
            self._events.pop(name, None)

    def know(self, record: Envelope, event: Any) -> None:
        """Keep the event of a record, so that it need not be decoded."""
        if record.id in self._records:
            self._events[record.id] = event

    def event_of(self, record: Envelope) -> Any:
        event = self._events.get(record.id)
        if event is None:
            event = catalog.decode_event(record)
            self.know(record, event)
        return event

    def find(self, record_id: str) -> tuple[Envelope, Any] | None:
        record = self._records.get(record_id) or self._fetch(record_id)
        return None if record is None else (record, self.event_of(record))
