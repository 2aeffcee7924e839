"""The records seen last, so that a cause is at hand when its effect comes."""

from collections.abc import Callable
from typing import Any

from contracts import catalog
from contracts.envelope import Envelope

_KEPT = 25_000

Find = Callable[[str], tuple[Envelope, Any] | None]
"""From a record's id to the record and its event; `None` if there is none."""


class Recent:
    """Keeps a bounded number of records; asks for those that have left it.

    Of records whose type is in `heeds` something can follow. Others are not kept:
    two in three, and holding them costs more than decoding them.
    """

    def __init__(
        self, fetch: Callable[[str], Envelope | None], heeds: frozenset[str]
    ) -> None:
        self._fetch = fetch
        self._heeds = heeds
        self._young: dict[str, Envelope] = {}
        self._old: dict[str, Envelope] = {}
        self._events: dict[str, Any] = {}
        self._old_events: dict[str, Any] = {}

    def note(self, record: Envelope) -> None:
        if record.type not in self._heeds:
            return
        self._young[record.id] = record
        if len(self._young) >= _KEPT:
            self._old, self._young = self._young, {}
            self._old_events, self._events = self._events, {}

    def know(self, record: Envelope, event: Any) -> None:
        """Keep the event of a record, so that it need not be decoded."""
        if record.type in self._heeds:
            self._events[record.id] = event

    def event_of(self, record: Envelope) -> Any:
        if record.type not in self._heeds:
            return catalog.decode_event(record)
        name = record.id
        event = self._events.get(name) or self._old_events.get(name)
        if event is None:
            event = self._events[name] = catalog.decode_event(record)
        return event

    def find(self, record_id: str) -> tuple[Envelope, Any] | None:
        record = (
            self._young.get(record_id)
            or self._old.get(record_id)
            or self._fetch(record_id)
        )
        return None if record is None else (record, self.event_of(record))
