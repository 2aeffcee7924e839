"""The index of rounds: which there were, whose, when, and how they ended.

It follows from the logs alone and holds nothing else: dropped and filled again it has
equal content, whatever order the services' logs were read in.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

from contracts import round_events as e
from contracts import settlement as st
from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.base import tag_of
from contracts.envelope import Envelope
from contracts.identities import number_of_round, table_of_round
from runtime.bus_memory import Delivery
from runtime.projection import Projection
from services.archive.round_book import transfers_in

_ROUNDS = """
    CREATE TABLE IF NOT EXISTS archive_rounds (
        round_id  TEXT    NOT NULL PRIMARY KEY,
        table_id  TEXT    NOT NULL,
        number    INTEGER NOT NULL,
        rule_set  TEXT    NOT NULL DEFAULT '',
        digest    TEXT    NOT NULL DEFAULT '',
        engine    TEXT    NOT NULL DEFAULT '',
        currency  TEXT    NOT NULL DEFAULT '',
        shoe      TEXT    NOT NULL DEFAULT '',
        status    TEXT    NOT NULL DEFAULT 'open',
        opened_at INTEGER NOT NULL DEFAULT 0,
        closed_at INTEGER NOT NULL DEFAULT 0
    )
"""
_PLAYERS = """
    CREATE TABLE IF NOT EXISTS archive_players (
        player       TEXT    NOT NULL,
        round_id     TEXT    NOT NULL,
        staked_minor INTEGER NOT NULL DEFAULT 0,
        paid_minor   INTEGER NOT NULL DEFAULT 0,
        net_minor    INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (player, round_id)
    ) WITHOUT ROWID
"""
_TRANSFERS = """
    CREATE TABLE IF NOT EXISTS archive_transfers (
        id       TEXT NOT NULL PRIMARY KEY,
        round_id TEXT NOT NULL,
        record   TEXT NOT NULL
    ) WITHOUT ROWID
"""
_INDICES = (
    "CREATE INDEX IF NOT EXISTS archive_rounds_by_time ON archive_rounds (opened_at)",
    (
        "CREATE INDEX IF NOT EXISTS archive_rounds_by_table"
        " ON archive_rounds (table_id, opened_at)"
    ),
    (
        "CREATE INDEX IF NOT EXISTS archive_rounds_by_status"
        " ON archive_rounds (status, opened_at) WHERE status <> 'settled'"
    ),
    "CREATE INDEX IF NOT EXISTS archive_players_by_round ON archive_players (round_id)",
)
KEYS = {
    "archive_rounds": ("round_id",),
    "archive_players": ("player", "round_id"),
    "archive_transfers": ("id",),
}
"""The index's tables, and by which of their first columns a row is known."""
TABLES = tuple(KEYS)

_OPEN = """
    INSERT INTO archive_rounds
    (round_id, table_id, number, rule_set, digest, engine, currency, shoe, opened_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (round_id) DO UPDATE SET
        rule_set = excluded.rule_set, digest = excluded.digest,
        engine = excluded.engine, currency = excluded.currency,
        shoe = excluded.shoe, opened_at = excluded.opened_at
"""
_CLOSE = """
    INSERT INTO archive_rounds (round_id, table_id, number, status, closed_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (round_id) DO UPDATE SET
        status = excluded.status, closed_at = excluded.closed_at
"""
_SEAT = "INSERT OR IGNORE INTO archive_players (player, round_id) VALUES (?, ?)"
_COUNT = """
    INSERT INTO archive_players (player, round_id, staked_minor, paid_minor, net_minor)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (player, round_id) DO UPDATE SET
        staked_minor = staked_minor + excluded.staked_minor,
        paid_minor = paid_minor + excluded.paid_minor,
        net_minor = net_minor + excluded.net_minor
"""
_TRANSFER = "INSERT OR IGNORE INTO archive_transfers VALUES (?, ?, ?)"


def index(sql: sqlite3.Connection, envelope: Envelope, event: Any) -> None:
    """Write what a record means for the index of rounds."""
    _HANDLERS[type(event)](sql, envelope, event)


def _opened(sql: sqlite3.Connection, envelope: Envelope, event: e.RoundOpened) -> None:
    terms = event.terms
    values = (
        event.round_id,
        terms.table,
        terms.number,
        terms.rule_set,
        terms.rule_set_digest,
        terms.engine,
        terms.currency,
        terms.shoe,
        envelope.recorded_at,
    )
    sql.execute(_OPEN, values)


def _seated(sql: sqlite3.Connection, envelope: Envelope, event: e.WagersPlaced) -> None:
    del envelope
    sql.execute(_SEAT, (event.player, event.round_id))


def _closed(sql: sqlite3.Connection, envelope: Envelope, event: e.RoundClosed) -> None:
    name = event.round_id
    place = (name, table_of_round(name), number_of_round(name))
    sql.execute(_CLOSE, (*place, event.status, envelope.recorded_at))
    for player, net_minor in event.nets_minor.items():
        sql.execute(_COUNT, (player, name, 0, 0, net_minor))


def _settled(
    sql: sqlite3.Connection, envelope: Envelope, event: st.WagersSettled
) -> None:
    del envelope
    for item in event.lines:
        paid = (item.line.stake_minor, item.line.payout_minor, 0)
        sql.execute(_COUNT, (item.player, event.round_id, *paid))


def _refunded(
    sql: sqlite3.Connection, envelope: Envelope, event: st.RoundVoidSettled
) -> None:
    """A refunded stake counts as staked and paid; a lost one was staked before."""
    del envelope
    for item in event.refunds:
        paid = (item.stake_minor - item.lost_minor, item.stake_minor, 0)
        sql.execute(_COUNT, (item.player, event.round_id, *paid))


def _moved(sql: sqlite3.Connection, envelope: Envelope, event: Any) -> None:
    for move in transfers_in(event):
        values = (move.id, getattr(event, "round_id", ""), envelope.id)
        sql.execute(_TRANSFER, values)


_HANDLERS: dict[type, Callable[[sqlite3.Connection, Envelope, Any], None]] = {
    e.RoundOpened: _opened,
    e.WagersPlaced: _seated,
    e.RoundClosed: _closed,
    st.WagersSettled: _settled,
    st.RoundVoidSettled: _refunded,
    w.Deposited: _moved,
    w.Withdrawn: _moved,
    w.FundsReserved: _moved,
    w.ReservationCancelled: _moved,
    w.PayoutsPosted: _moved,
    w.CorrectionPosted: _moved,
    c.CallEnded: _moved,
}


def _apply(sql: sqlite3.Connection, delivery: Delivery) -> None:
    index(sql, delivery.envelope, delivery.event)


ROUNDS = Projection(
    name="archive",
    sources=("table-orchestrator", "settlement", "wallet"),
    heeds=frozenset(tag_of(kind) for kind in _HANDLERS),
    ddl=(_ROUNDS, _PLAYERS, _TRANSFERS, *_INDICES),
    drop=tuple(f"DROP TABLE IF EXISTS {table}" for table in TABLES),
    apply=_apply,
)
