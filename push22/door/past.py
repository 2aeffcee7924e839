"""Where the tables stand, from a file of logs: what a door hears first at its start."""

from contracts import identities
from contracts import table_events as te
from runtime.bus_memory import Delivery
from runtime.log import Record
from runtime.sqlite_file import SqliteFile

TABLES = "table-orchestrator"

_TAIL = 256
"""So many of a table's newest records name its newest round for sure."""

_STREAMS = """
    SELECT DISTINCT stream FROM records WHERE service = ? AND segment = place
    AND stream >= 'table-' AND stream < 'table.' ORDER BY stream
"""
_FIRST = """
    SELECT offset, part FROM records WHERE service = ? AND segment = place
    AND stream = ? AND version = 1
"""
_NEWEST = """
    SELECT max(r.version) FROM records s JOIN records r ON r.segment = s.place
    WHERE s.place = (SELECT place FROM records WHERE service = ?
    AND segment = place AND stream = ? ORDER BY version DESC LIMIT 1)
"""


def of_tables(file: SqliteFile) -> list[Delivery]:
    """Return each table's opening, what it did last, and its newest round."""
    rows = file.query(_STREAMS, (TABLES,))
    return [found for (stream,) in rows for found in _of_table(file, stream)]


def _of_table(file: SqliteFile, stream: str) -> list[Delivery]:
    [(offset, part)] = file.query(_FIRST, (TABLES, stream))
    opened = file.records_of_log(TABLES, part, offset - 1, 1)[0]
    newest = newest_version(file, TABLES, stream)
    tail = file.records_of_stream(TABLES, stream, max(1, newest - _TAIL))
    found = [Delivery(record) for record in (opened, *tail)]
    called = [x for x in found if isinstance(x.event, te.RoundCalled)]
    if called:
        records = file.records_of_round(called[-1].event.round_id)
        found += [Delivery(record) for record in records if _is_of_round(record)]
    return found


def newest_version(file: SqliteFile, service: str, stream: str) -> int:
    """Return a stream's newest version; 0 if there is no such stream."""
    return int(file.query(_NEWEST, (service, stream))[0][0] or 0)


def _is_of_round(record: Record) -> bool:
    return identities.category_of(record.stream) in ("round", "settlement", "shoe")
