"""Compares the archive's index with what the logs say: it may say nothing else.

The logs are folded again by the same projection, as far as the index has read, and
both are compared row by row.
"""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, NamedTuple

from contracts import catalog
from contracts.envelope import Envelope
from push22.inspect.reader import Reader
from push22.inspect.table_fault import TableFault
from runtime.projection import Projection
from services.archive.case_project import CASE_KEYS, CASES, index_case
from services.archive.index_tables import KEYS
from services.archive.project import ROUNDS, index

_HEEDED = """
    SELECT CASE typeof(r.body) WHEN 'blob' THEN r.body ELSE x'' END
    FROM positions p JOIN records r
    ON r.service = p.source AND r.part = p.part AND r.offset <= p.offset
    WHERE p.service = ? AND r.type IN ({})
    ORDER BY p.source, p.part, r.offset
"""

Row = tuple[object, ...]
Keys = Mapping[str, tuple[str, ...]]


class _Index(NamedTuple):
    """What is folded, into which tables, and how."""

    projection: Projection
    keys: Keys
    take: Callable[[sqlite3.Connection, Envelope, Any], None]


_INDICES = (_Index(ROUNDS, KEYS, index), _Index(CASES, CASE_KEYS, index_case))
_ALL_KEYS: Keys = KEYS | CASE_KEYS
INDEX_TABLES = tuple(_ALL_KEYS)


def check_index(reader: Reader) -> list[TableFault]:
    """Return the first row of each table that differs from the logs."""
    found: list[TableFault | None] = []
    for item in _INDICES:
        if item.projection is CASES and not _has_read(reader, CASES.name):
            continue  # A file from before there was a desk has no index of it.
        if not _is_current(reader.sql, item.projection):
            table = next(iter(item.keys))
            text = "the index is missing, or of another version of this program"
            found.append(TableFault(table, "", text))
            continue
        # An unnamed database is a temporary file: a long log fits, nothing is left.
        with closing(sqlite3.connect("")) as folded:
            _fold(reader, item, folded)
            found += [_first(reader.sql, folded, table) for table in item.keys]
    return [fault for fault in found if fault is not None]


def _is_current(sql: sqlite3.Connection, projection: Projection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"
    return sql.execute(query).fetchone() is not None and projection.is_current(sql)


def _has_read(reader: Reader, name: str) -> bool:
    query = "SELECT 1 FROM positions WHERE service = ?"
    return reader.sql.execute(query, (name,)).fetchone() is not None


def _fold(reader: Reader, item: _Index, sql: sqlite3.Connection) -> None:
    for statement in item.projection.ddl:
        sql.execute(statement)
    heeds = sorted(item.projection.heeds)
    query = _HEEDED.format(", ".join("?" * len(heeds)))
    for (body,) in reader.sql.execute(query, (item.projection.name, *heeds)):
        try:
            envelope = catalog.decode_envelope(body)
            item.take(sql, envelope, catalog.decode_event(envelope))
        except (catalog.Undecodable, KeyError):
            continue  # Bytes that are no such event: the chain names the record.


def _first(
    kept: sqlite3.Connection, folded: sqlite3.Connection, table: str
) -> TableFault | None:
    columns = _columns(folded, table)
    if _columns(kept, table) != columns:
        return TableFault(table, "", "the table is gone, or another one is there")
    order = ", ".join(_ALL_KEYS[table])
    query = f"SELECT * FROM {table} ORDER BY {order}"  # noqa: S608
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
    key = len(_ALL_KEYS[table])
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
    where = " AND ".join(f"{column} = ?" for column in _ALL_KEYS[table])
    query = f"SELECT 1 FROM {table} WHERE {where}"  # noqa: S608
    return kept.execute(query, key).fetchone() is not None


def _name(key: Row) -> str:
    return " ".join(map(str, key))
