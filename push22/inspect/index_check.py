"""Compares the archive's index with what the logs say: it may say nothing else.

The logs are folded again by the same projection, as far as the index has read, and
both are compared row by row.
"""

import sqlite3
from contextlib import closing

from contracts import catalog
from push22.inspect.reader import Reader
from push22.inspect.table_fault import TableFault
from services.archive.index_tables import KEYS
from services.archive.project import ROUNDS, index

_HEEDED = f"""
    SELECT CASE typeof(r.body) WHEN 'blob' THEN r.body ELSE x'' END
    FROM positions p JOIN records r
    ON r.service = p.source AND r.part = p.part AND r.offset <= p.offset
    WHERE p.service = ? AND r.type IN ({", ".join("?" * len(ROUNDS.heeds))})
    ORDER BY p.source, p.part, r.offset
"""  # noqa: S608

Row = tuple[object, ...]


def check_index(reader: Reader) -> list[TableFault]:
    """Return the first row of each table that differs from the logs."""
    if not _is_current(reader.sql):
        text = "the index is missing, or of another version of this program"
        return [TableFault("archive_rounds", "", text)]
    # An unnamed database is a temporary file: a long log fits, and nothing is left.
    with closing(sqlite3.connect("")) as folded:
        _fold(reader, folded)
        faults = [_first(reader.sql, folded, table) for table in KEYS]
    return [fault for fault in faults if fault is not None]


def _is_current(sql: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"
    return sql.execute(query).fetchone() is not None and ROUNDS.is_current(sql)


def _fold(reader: Reader, sql: sqlite3.Connection) -> None:
    for statement in ROUNDS.ddl:
        sql.execute(statement)
    rows = reader.sql.execute(_HEEDED, (ROUNDS.name, *sorted(ROUNDS.heeds)))
    for (body,) in rows:
        try:
            envelope = catalog.decode_envelope(body)
            index(sql, envelope, catalog.decode_event(envelope))
        except (catalog.Undecodable, KeyError):
            continue  # Bytes that are no such event: the chain names the record.


def _first(
    kept: sqlite3.Connection, folded: sqlite3.Connection, table: str
) -> TableFault | None:
    columns = _columns(folded, table)
    if _columns(kept, table) != columns:
        return TableFault(table, "", "the table is gone, or another one is there")
    query = f"SELECT * FROM {table} ORDER BY {', '.join(KEYS[table])}"  # noqa: S608
    there, here = kept.execute(query), folded.execute(query)
    while True:
        found, wanted = there.fetchone(), here.fetchone()
        if found != wanted:
            return _difference(kept, table, found, wanted)
        if found is None:
            return None


def _columns(sql: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in sql.execute(f"PRAGMA table_info({table})")]


def _difference(
    kept: sqlite3.Connection, table: str, found: Row | None, wanted: Row | None
) -> TableFault:
    """Say what is wrong at the first place where the tables part."""
    key = len(KEYS[table])
    if wanted is not None and not _has(kept, table, wanted[:key]):
        text = "the logs lead to this row, and it is missing"
        return TableFault(table, _name(wanted[:key]), text)
    assert found is not None, "every wanted row is there: one too many is found"
    if wanted is None or wanted[:key] != found[:key]:
        text = "nothing in the logs leads to this row"
        return TableFault(table, _name(found[:key]), text)
    compared = zip(_columns(kept, table), found, wanted, strict=True)
    wrong = [
        f"{column} is {says!r}, the logs say {should!r}"
        for column, says, should in compared
        if says != should
    ]
    return TableFault(table, _name(wanted[:key]), "; ".join(wrong))


def _has(kept: sqlite3.Connection, table: str, key: Row) -> bool:
    where = " AND ".join(f"{column} = ?" for column in KEYS[table])
    query = f"SELECT 1 FROM {table} WHERE {where}"  # noqa: S608
    return kept.execute(query, key).fetchone() is not None


def _name(key: Row) -> str:
    return " ".join(map(str, key))
