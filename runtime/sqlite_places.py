"""Where records lie in the SQLite file: what they are found through later.

Every record names its segment, the place of the stream's last record with version
1, 33, 65 and so on, and the place of its round's first record. Both are recent, so
that the entries of an append lie together in the indices (docs/decisions/0013).
"""

from collections.abc import Sequence
from typing import Any

from runtime.log import Conflict, Draft, Record, first_versions
from runtime.remembered import Remembered
from runtime.sqlite_file import SEGMENT, SqliteFile

INSERT = """
    INSERT INTO records
    (service, part, offset, stream, version, type, round_id, hash, body,
     place, segment, round_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_AFTER = """
    SELECT stream FROM records WHERE service = ? AND stream > ? AND segment = place
    ORDER BY stream LIMIT 1
"""
_NEWEST = """
    SELECT r.version, r.segment
    FROM records s JOIN records r ON r.segment = s.place
    WHERE s.service = ? AND s.stream = ? AND s.segment = s.place
    ORDER BY s.version DESC, r.version DESC LIMIT 1
"""
_LAST = "SELECT coalesce(max(place), 0) FROM records"
_ROUND = "SELECT place FROM records WHERE round_id = ? AND round_at = place"


class Places:
    """A log's newest version and segment of each stream, and where rounds begin.

    Who adds to several logs in one transaction hands the same `rounds` to each.
    """

    def __init__(
        self,
        file: SqliteFile,
        service: str,
        rounds: Remembered[int] | None = None,
    ) -> None:
        self._file = file
        self._service = service
        self._streams: Remembered[tuple[int, int]] = Remembered()
        self._rounds: Remembered[int] = Remembered() if rounds is None else rounds
        self._rollbacks = 0

    def forget(self) -> None:
        """Learn from the file again: what was written last may be undone."""
        self._streams.clear()
        self._rounds.clear()
        self._rollbacks = self._file.rollbacks

    def stored(self, stream: str) -> tuple[int, int]:
        """Return a stream's newest version and its segment, as the file has them."""
        rows = self._file.query(_NEWEST, (self._service, stream))
        return rows[0] if rows else (0, 0)

    def stream_after(self, name: str) -> str:
        """Return the service's next stream by name, or nothing."""
        rows = self._file.query(_AFTER, (self._service, name))
        return rows[0][0] if rows else ""

    def check(self, drafts: Sequence[Draft]) -> None:
        """Refuse drafts that do not go on where their streams end: Conflict."""
        self.refresh()
        for stream, version in first_versions(drafts).items():
            present = self.version(stream)
            if version != present + 1:
                raise Conflict(f"{stream} is at {present}, not at {version - 1}")

    def refresh(self) -> None:
        """Before a transaction: forget what was undone, and what is long unused."""
        if self._rollbacks != self._file.rollbacks:
            self.forget()
        self._streams.tidy()
        self._rounds.tidy()

    def version(self, stream: str) -> int:
        """Return a stream's newest version, with what is about to be written."""
        return self._newest(stream)[0]

    def _newest(self, stream: str) -> tuple[int, int]:
        found = self._streams.get(stream)
        if found is None:
            found = self.stored(stream)
            self._streams.put(stream, found)
        return found

    def rows(self, records: Sequence[Record]) -> list[tuple[Any, ...]]:
        """Give records their places at the end of the file, in order."""
        first = last_place(self._file) + 1
        return [self.row(record, place) for place, record in enumerate(records, first)]

    def row(self, record: Record, place: int) -> tuple[Any, ...]:
        """Give a record this place."""
        stream, version, round_id = record[3], record[4], record[6]
        segment = self._newest(stream)[1]
        if version % SEGMENT == 1:
            segment = place
        self._streams.put(stream, (version, segment))
        round_at = self._round_at(round_id, place) if round_id else 0
        return (*record[:7], *record[8:], place, segment, round_at)

    def _round_at(self, round_id: str, place: int) -> int:
        found = self._rounds.get(round_id)
        if found is None:
            rows = self._file.query(_ROUND, (round_id,))
            found = rows[0][0] if rows else place
            self._rounds.put(round_id, found)
        return found


def last_place(file: SqliteFile) -> int:
    ((place,),) = file.query(_LAST)
    assert isinstance(place, int)
    return place
