"""Whether records were committed after what they answer (law 6)."""

from contracts.envelope import Envelope
from push22.inspect.reader import Reader
from push22.inspect.table_fault import TableFault

_KEPT = 25_000


class CauseOrder:
    """Is shown records in commit order, all of them or a stretch."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._young: set[str] = set()
        self._old: set[str] = set()

    def see(self, record: Envelope) -> TableFault | None:
        """Return what is wrong if the record stands before its cause."""
        cause, name = record.cause, record.caused_by
        is_answer = cause is not None and cause.kind == "event"
        is_known = name in self._young or name in self._old
        fault = self._late(record) if is_answer and not is_known else None
        self._young.add(record.id)
        if len(self._young) >= _KEPT:
            self._old, self._young = self._young, set()
        return fault

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
