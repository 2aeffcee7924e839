"""Digests of what a file holds: of each log, and of each table that follows from them.

Two files with the same logs have the same digests, however they were filled; a table
that was folded again from zero has the digest it had before.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from push22.inspect.index_check import INDEX_TABLES, key_of
from push22.inspect.reader import Reader

_ROWS = """
    SELECT offset, stream, version, type, round_id, hash, body FROM records
    WHERE service = ? AND part = ? ORDER BY offset
"""
_CHECKPOINTS = "SELECT service, part, since, body FROM checkpoints ORDER BY 1, 2, 3"
_ENCODE = msgspec.msgpack.Encoder().encode


class Digest(NamedTuple):
    """`name`: a log's service and partition, or a table; `rows`: of how many."""

    name: str
    rows: int
    sha256: str


def digests_of(reader: Reader) -> Iterator[Digest]:
    """Read everything once; an empty partition is no line."""
    for log in reader.logs():
        found = _digest(f"{log.service}/{log.partition}", _rows(reader, log[:2]))
        if found.rows:
            yield found
    yield _digest("checkpoints", reader.sql.execute(_CHECKPOINTS))
    present = {
        row[0]
        for row in reader.sql.execute("SELECT name FROM sqlite_master ORDER BY name")
    }
    for table in INDEX_TABLES:
        if table in present:
            key = ", ".join(key_of(table))
            query = f"SELECT * FROM {table} ORDER BY {key}"  # noqa: S608
            yield _digest(table, reader.sql.execute(query))


def _rows(reader: Reader, log: tuple[str, int]) -> Iterable[tuple[Any, ...]]:
    return reader.sql.execute(_ROWS, log)


def _digest(name: str, rows: Iterable[tuple[Any, ...]]) -> Digest:
    digest = hashlib.sha256()
    count = 0
    for row in rows:
        digest.update(_ENCODE(row))
        count += 1
    return Digest(name, count, digest.hexdigest())
