"""The index of rounds in a casino's file or a mirror, as every reader asks it."""

from contracts.round_search import Found, Query, RoundRow
from runtime.log import LogError
from runtime.sqlite_file import SqliteFile
from services.archive.project import ROUNDS
from services.archive.search import find, find_all

_BEHIND = f"""
    SELECT SUM(h.offset - 1 - coalesce(p.offset, 0)) FROM heads h
    LEFT JOIN positions p ON p.service = ? AND p.source = h.service
        AND p.part = h.part
    WHERE h.service IN ({", ".join("?" * len(ROUNDS.sources))})
"""  # noqa: S608 - ours


class OutOfDate(LogError):
    """The file's index is none, or one of another version."""


def find_rounds(file: SqliteFile, query: Query) -> Found:
    """Return a page of rounds, newest first. Raises OutOfDate."""
    check_current(file)
    return find(file.query, query)


def find_all_rounds(file: SqliteFile, query: Query) -> tuple[RoundRow, ...]:
    """Return as many rounds as asked for. Raises OutOfDate."""
    check_current(file)
    return find_all(file.query, query)


def check_current(file: SqliteFile) -> None:
    if not ROUNDS.is_current(file.connection):
        reason = "its index of rounds is missing or of another version"
        how = "start the casino on it once, or fill it: push22 rounds --rebuild"
        raise OutOfDate(f"{file.path}: {reason}; {how}")


def behind(file: SqliteFile) -> int:
    """Return how many records the index has not taken in yet."""
    [(count,)] = file.query(_BEHIND, (ROUNDS.name, *ROUNDS.sources))
    return int(count or 0)
