"""Whether records were committed after what they answer (law 6)."""

from contracts.envelope import Envelope
from push22.casino import SERVICES
from push22.inspect.reader import Reader
from push22.inspect.table_fault import TableFault

_KEPT = 25_000
_HEEDED = frozenset[str]().union(*(service.heeds for service in SERVICES))
"""The types of records that are causes. Whatever else is named is looked for."""


class CauseOrder:
    """Is shown records in commit order, all of them or a stretch."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._young: set[str] = set()
        self._old: set[str] = set()

    def see(self, record: Envelope) -> TableFault | None:
        """Return what is wrong if the record stands before its cause."""
        cause, fault = record.cause, None
        if cause is not None and cause.kind == "event":
            fault = self._judged(record)
        if record.type in _HEEDED:
            self._note(record.id)
        return fault

    def _note(self, name: str) -> None:
        self._young.add(name)
        if len(self._young) >= _KEPT:
            self._old, self._young = self._young, set()

    def _judged(self, record: Envelope) -> TableFault | None:
        is_known = record.caused_by in self._young or record.caused_by in self._old
        return None if is_known else self._late(record)

    def _late(self, record: Envelope) -> TableFault | None:
        """Ask the file for a cause that was not among the last ones."""
        cause_at = self._reader.place_of(record.caused_by)
        own_at = self._reader.place_of(record.id)
        if cause_at is None or own_at is None or cause_at < own_at:
            return None
        text = (
            f"it stands at place {own_at}, its cause {record.caused_by} at {cause_at}"
        )
        return TableFault("records", record.id, text)
