"""What a casino's file holds for a round, counted in the file itself."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

_ROUNDS = "SELECT count(*) FROM archive_rounds WHERE status <> 'open'"
_RECORDS = """
    SELECT coalesce(sum(length(body) + length(hash) + length(stream) + length(type)
    + length(round_id) + length(service)), 0) FROM records
"""
_PAGES = """
    SELECT m.tbl_name, m.type, sum(s.pgsize) FROM dbstat s
    JOIN sqlite_schema m ON m.name = s.name GROUP BY m.tbl_name, m.type
"""


class Stored(msgspec.Struct, frozen=True):
    """Bytes a round: of the records themselves, and of all pages by what is on them."""

    rounds: int
    record_bytes: float
    page_bytes: dict[str, float]

    @property
    def a_round(self) -> float:
        return sum(self.page_bytes.values())


def stored_in(logs: tuple[str, ...]) -> Stored | None:
    """Read the file of a casino at rest; None where it is none of one process."""
    if not logs or not Path(logs[0]).is_file():
        return None
    uri = f"{Path(logs[0]).resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as file:
        ((rounds,),) = file.execute(_ROUNDS)
        if not rounds:
            return None
        ((records,),) = file.execute(_RECORDS)
        pages: dict[str, float] = {}
        for table, kind, size in file.execute(_PAGES):
            name = _name(table, kind)
            pages[name] = pages.get(name, 0.0) + size / rounds
    return Stored(rounds, records / rounds, pages)


def _name(table: str, kind: str) -> str:
    if table == "records":
        return "records" if kind == "table" else "indices of records"
    if table == "answers":
        return "answers to commands"
    return "index of rounds" if table.startswith("archive_") else "other"
