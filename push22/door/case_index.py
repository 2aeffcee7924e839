"""The desk's log and index, as the gateway asks for them: from a file."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from contracts.alone import Counted
from contracts.identities import case_stream
from push22.door.reading import reading
from runtime.bus_memory import Delivery
from runtime.sqlite_file import SqliteFile
from services.archive.case_project import CASES
from services.gateway.alone_book import alone_in
from services.gateway.cases import AccessQuery, AccessRow, CaseQuery, CaseRow
from services.gateway.proposals import DESK

_CASES = """
    SELECT case_id, round_id, player, subject, opened_by, opened_at, closed_at, waiting
    FROM archive_cases {} ORDER BY opened_at DESC, case_id DESC LIMIT ?
"""
_ACCESS = """
    SELECT record, at, person, role, what, about, case_id
    FROM archive_access {} ORDER BY at DESC, record DESC LIMIT ?
"""

_ALONE = """
    SELECT record, minor FROM archive_alone
    WHERE player = ? AND currency = ? AND day = ?
"""
_BEHIND = """
    SELECT h.part, coalesce(p.offset, 0), h.offset - 1
    FROM heads h LEFT JOIN positions p
    ON p.service = ? AND p.source = h.service AND p.part = h.part
    WHERE h.service = 'desk' AND h.offset - 1 > coalesce(p.offset, 0)
"""
_TAIL_MAX = 1_000
"""So many records are read for one question; who is further behind is made anew."""

Condition = tuple[str, tuple[object, ...]]


class FileCases:
    """Opens the file for each question: whoever writes it is not in the way."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _opened(self) -> AbstractContextManager[SqliteFile]:
        return reading(self._path, "the index of cases")

    def find(self, query: CaseQuery) -> list[CaseRow]:
        text, values = _asked(_CASES, _of_cases(query))
        with self._opened() as file:
            return [CaseRow(*row) for row in file.query(text, (*values, query.limit))]

    def records(self, case: str) -> list[Delivery]:
        with self._opened() as file:
            records = file.records_of_stream(DESK, case_stream(case), 0)
            return [Delivery(record) for record in records]

    def access(self, query: AccessQuery) -> list[AccessRow]:
        text, values = _asked(_ACCESS, _of_access(query))
        with self._opened() as file:
            return [AccessRow(*row) for row in file.query(text, (*values, query.limit))]

    def alone(self, counted: Counted) -> dict[str, int] | None:
        """Read the index and the records that it has not taken in, at one moment."""
        with self._opened() as file:
            file.execute("BEGIN")
            behind = file.query(_BEHIND, (CASES.name,))
            is_far = any(newest - place > _TAIL_MAX for _, place, newest in behind)
            if is_far or not CASES.is_current(file.connection):
                return None
            found: dict[str, int] = dict(file.query(_ALONE, counted))
            for part, place, _ in behind:
                records = file.records_of_log(DESK, part, place, _TAIL_MAX)
                found |= _said_in(map(Delivery, records), counted)
            return found


def _said_in(records: Iterable[Delivery], counted: Counted) -> dict[str, int]:
    said = ((record.envelope.id, alone_in(record)) for record in records)
    return {name: minors[counted] for name, minors in said if counted in minors}


def _asked(text: str, found: Iterator[Condition]) -> tuple[str, tuple[object, ...]]:
    conditions = list(found)
    where = " AND ".join(condition for condition, _ in conditions)
    values = tuple(value for _, given in conditions for value in given)
    return text.format(f"WHERE {where}" if where else ""), values


def _of_cases(query: CaseQuery) -> Iterator[Condition]:
    if query.round_id:
        yield "round_id = ?", (query.round_id,)
    if query.status == "open":
        yield "closed_at = 0", ()
    if query.status == "closed":
        yield "closed_at > 0", ()
    if query.status == "waiting":
        yield "waiting > 0", ()
    if query.before:
        yield "(opened_at, case_id) < (?, ?)", query.before


def _of_access(query: AccessQuery) -> Iterator[Condition]:
    if query.person:
        yield "person = ?", (query.person,)
    if query.round_id:
        # Also who looked at a case of that round: their names lie between these.
        own = query.round_id.partition("-")[2]
        condition = "(about = ? OR (case_id >= ? AND case_id < ?))"
        yield condition, (query.round_id, f"{own}-", f"{own}.")
    if query.case:
        yield "case_id = ?", (query.case,)
    if query.since:
        yield "at >= ?", (query.since,)
    if query.until:
        yield "at < ?", (query.until,)
    if query.before:
        yield "(at, record) < (?, ?)", query.before
