"""What a casino's file holds for a round, counted in the file itself."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import msgspec

_ROUNDS = "SELECT count(*) FROM archive_rounds WHERE status <> 'open'"
_RECORDS = """
    SELECT count(*), coalesce(sum(length(body) + length(hash) + length(stream)
    + length(type) + length(round_id) + length(service)), 0) FROM records
"""
_BETWEEN = f"""
    {_RECORDS} WHERE json_extract(CAST(body AS TEXT), '$.recorded_at') >= ?
    AND json_extract(CAST(body AS TEXT), '$.recorded_at') < ?
"""
_PAGES = """
    SELECT m.tbl_name, m.type, sum(s.pgsize) FROM dbstat s
    JOIN sqlite_schema m ON m.name = s.name GROUP BY m.tbl_name, m.type
"""


class Span(msgspec.Struct, frozen=True):
    """Records by when they were recorded: how many, and their own bytes."""

    records: int
    record_bytes: int


class Stored(msgspec.Struct, frozen=True):
    """Bytes a round: of the records themselves, and of all pages by what is on them.

    `spans`: between each of the moments that were asked for and the next.
    """

    rounds: int
    record_bytes: float
    page_bytes: dict[str, float]
    spans: tuple[Span, ...] = ()


def stored_in(logs: tuple[str, ...], moments_us: Sequence[int] = ()) -> Stored | None:
    """Read the file of a casino at rest; None where it is none of one process."""
    if not logs or not Path(logs[0]).is_file():
        return None
    uri = f"{Path(logs[0]).resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as file:
        ((rounds,),) = file.execute(_ROUNDS)
        if not rounds:
            return None
        ((_, size_of_all),) = file.execute(_RECORDS)
        spans = tuple(
            Span(*next(file.execute(_BETWEEN, span))) for span in pairwise(moments_us)
        )
        pages: dict[str, float] = {}
        for table, kind, size in file.execute(_PAGES):
            name = _name(table, kind)
            pages[name] = pages.get(name, 0.0) + size / rounds
    return Stored(rounds, size_of_all / rounds, pages, spans)


def held_bytes(path: Path) -> int:
    """Return what a SQLite file holds, what is still in its log beside it included."""
    if not path.is_file():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(size)


def _name(table: str, kind: str) -> str:
    if table == "records":
        return "records" if kind == "table" else "indices of records"
    if table == "answers":
        return "answers to commands"
    return "index of rounds" if table.startswith("archive_") else "other"
