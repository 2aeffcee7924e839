"""The index of the desk: cases, who looked at what, and what was decided alone.

As the index of rounds it follows from the log alone and can be filled again.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

from contracts import desk as d
from contracts.alone import decided_alone
from contracts.base import tag_of
from contracts.envelope import Envelope
from runtime.bus_memory import Delivery
from runtime.projection import Projection

_CASES = """
    CREATE TABLE IF NOT EXISTS archive_cases (
        case_id   TEXT    NOT NULL PRIMARY KEY,
        round_id  TEXT    NOT NULL,
        player    TEXT    NOT NULL,
        subject   TEXT    NOT NULL,
        opened_by TEXT    NOT NULL,
        opened_at INTEGER NOT NULL,
        closed_at INTEGER NOT NULL DEFAULT 0,
        waiting   INTEGER NOT NULL DEFAULT 0
    )
"""
_ACCESS = """
    CREATE TABLE IF NOT EXISTS archive_access (
        record  TEXT    NOT NULL PRIMARY KEY,
        at      INTEGER NOT NULL,
        person  TEXT    NOT NULL,
        role    TEXT    NOT NULL,
        what    TEXT    NOT NULL,
        about   TEXT    NOT NULL,
        case_id TEXT    NOT NULL
    )
"""
_ALONE = """
    CREATE TABLE IF NOT EXISTS archive_alone (
        record   TEXT    NOT NULL,
        player   TEXT    NOT NULL,
        currency TEXT    NOT NULL,
        day      TEXT    NOT NULL,
        minor    INTEGER NOT NULL,
        PRIMARY KEY (record, player)
    ) WITHOUT ROWID
"""
_INDICES = (
    "CREATE INDEX IF NOT EXISTS archive_cases_by_round ON archive_cases (round_id)",
    "CREATE INDEX IF NOT EXISTS archive_cases_by_time ON archive_cases (opened_at)",
    "CREATE INDEX IF NOT EXISTS archive_access_by_time ON archive_access (at)",
    (
        "CREATE INDEX IF NOT EXISTS archive_access_by_person"
        " ON archive_access (person, at)"
    ),
    "CREATE INDEX IF NOT EXISTS archive_access_by_what ON archive_access (about, at)",
    "CREATE INDEX IF NOT EXISTS archive_access_by_case ON archive_access (case_id, at)",
    (
        "CREATE INDEX IF NOT EXISTS archive_alone_by_player"
        " ON archive_alone (player, day, currency)"
    ),
)
CASE_KEYS = {
    "archive_cases": ("case_id",),
    "archive_access": ("record",),
    "archive_alone": ("record", "player"),
}
"""The index's tables, and by which of their first columns a row is known."""

_OPEN = """
    INSERT OR IGNORE INTO archive_cases
    (case_id, round_id, player, subject, opened_by, opened_at)
    VALUES (?, ?, ?, ?, ?, ?)
"""
_CLOSE = "UPDATE archive_cases SET closed_at = ? WHERE case_id = ?"
_WAIT = "UPDATE archive_cases SET waiting = waiting + ? WHERE case_id = ?"
_DECIDE_ALONE = "INSERT OR IGNORE INTO archive_alone VALUES (?, ?, ?, ?, ?)"
_LOOK = "INSERT OR IGNORE INTO archive_access VALUES (?, ?, ?, ?, ?, ?, ?)"


def index_case(sql: sqlite3.Connection, envelope: Envelope, event: Any) -> None:
    """Write what a record of the desk means for its index."""
    _HANDLERS[type(event)](sql, envelope, event)


def _opened(sql: sqlite3.Connection, envelope: Envelope, event: d.CaseOpened) -> None:
    who = (event.by, envelope.recorded_at)
    about = (event.case, event.round_id, event.player, event.subject)
    sql.execute(_OPEN, (*about, *who))


def _closed(sql: sqlite3.Connection, envelope: Envelope, event: d.CaseClosed) -> None:
    sql.execute(_CLOSE, (envelope.recorded_at, event.case))


def _waits(sql: sqlite3.Connection, envelope: Envelope, event: Any) -> None:
    """One more proposal waits for somebody's word."""
    del envelope
    sql.execute(_WAIT, (1, event.case))


def _decided(sql: sqlite3.Connection, envelope: Envelope, event: Any) -> None:
    del envelope
    sql.execute(_WAIT, (-1, event.case))


def _approved(
    sql: sqlite3.Connection, envelope: Envelope, event: d.ProposalApproved
) -> None:
    """Note what one person decided alone, for each whose money it moves."""
    _decided(sql, envelope, event)
    for counted, minor in decided_alone(event).items():
        sql.execute(_DECIDE_ALONE, (envelope.id, *counted, minor))


def _looked(
    sql: sqlite3.Connection, envelope: Envelope, event: d.AccessRecorded
) -> None:
    who = (event.person, event.role)
    what = (event.what, event.about, event.case)
    sql.execute(_LOOK, (envelope.id, envelope.recorded_at, *who, *what))


_HANDLERS: dict[type, Callable[[sqlite3.Connection, Envelope, Any], None]] = {
    d.CaseOpened: _opened,
    d.CaseClosed: _closed,
    d.VoidProposed: _waits,
    d.CorrectionProposed: _waits,
    d.ProposalApproved: _approved,
    d.ProposalRejected: _decided,
    d.AccessRecorded: _looked,
}


def _apply(sql: sqlite3.Connection, delivery: Delivery) -> None:
    index_case(sql, delivery.envelope, delivery.event)


CASES = Projection(
    name="archive-desk",
    version=1,
    sources=("desk",),
    heeds=frozenset(tag_of(kind) for kind in _HANDLERS),
    ddl=(_CASES, _ACCESS, _ALONE, *_INDICES),
    drop=tuple(f"DROP TABLE IF EXISTS {table}" for table in CASE_KEYS),
    apply=_apply,
)
