"""The index of rounds: which there were, whose, when, and how they ended.

It follows from the logs alone and holds nothing else: dropped and filled again it has
equal content, whatever order the services' logs were read in.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

from blackjack.settlement import Line
from contracts import round_events as e
from contracts import settlement as st
from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.base import tag_of
from contracts.envelope import Envelope
from contracts.identities import number_of_round, operator_of, table_of_round
from runtime.bus_memory import Delivery
from runtime.projection import Projection
from services.archive import index_tables as tables
from services.archive.round_book import transfers_in

_VERSION = 2
"""To be raised with each change of what a record means for the index."""

_OPEN = """
    INSERT INTO archive_rounds
    (round_id, table_id, number, rule_set, digest, engine, currency, shoe, opened_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (round_id) DO UPDATE SET
        rule_set = excluded.rule_set, digest = excluded.digest,
        engine = excluded.engine, currency = excluded.currency,
        shoe = excluded.shoe, opened_at = excluded.opened_at
"""
_OPEN_SEATS = """
    UPDATE archive_players SET rule_set = ?, currency = ?, opened_at = ?
    WHERE round_id = ?
"""
_CLOSE = """
    INSERT INTO archive_rounds (round_id, table_id, number, status, closed_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (round_id) DO UPDATE SET
        status = excluded.status, closed_at = excluded.closed_at
"""
_CLOSE_SEATS = """
    UPDATE archive_players SET status = ?, closed_at = ? WHERE round_id = ?
"""
_DUE = "UPDATE archive_rounds SET due_at = ? WHERE round_id = ?"
_EXTEND = """
    UPDATE archive_rounds SET
        interrupted = interrupted | ?,
        due_at = CASE due_at WHEN 0 THEN 0 ELSE due_at + ? END
    WHERE round_id = ?
"""
_INTERRUPT_SEATS = """
    UPDATE archive_players SET interrupted = interrupted | ? WHERE round_id = ?
"""
_SEAT = """
    INSERT INTO archive_players
    (round_id, player, operator, table_id, rule_set, currency, status,
     opened_at, closed_at, interrupted)
    SELECT n.round_id, n.player, n.operator, n.table_id,
           coalesce(r.rule_set, ''), coalesce(r.currency, ''),
           coalesce(r.status, 'open'), coalesce(r.opened_at, 0),
           coalesce(r.closed_at, 0), coalesce(r.interrupted, 0)
    FROM (SELECT ? AS round_id, ? AS player, ? AS operator, ? AS table_id) n
    LEFT JOIN archive_rounds r ON r.round_id = n.round_id
    WHERE true ON CONFLICT (round_id, player) DO NOTHING
"""
_ADD = """
    UPDATE archive_players SET
        staked_minor = staked_minor + ?, paid_minor = paid_minor + ?,
        side_staked = side_staked + ?, side_paid = side_paid + ?,
        insured = insured + ?, insured_paid = insured_paid + ?, results = results | ?
    WHERE round_id = ? AND player = ?
"""
_NET = """
    UPDATE archive_players SET net_minor = net_minor + ?
    WHERE round_id = ? AND player = ?
"""
_HOLD = """
    UPDATE archive_players SET held_minor = held_minor + ?
    WHERE round_id = ? AND player = ?
"""
_AUTOMATIC = """
    UPDATE archive_players SET automatic = automatic + 1
    WHERE round_id = ? AND player = ?
"""
_ALL_AUTOMATIC = """
    UPDATE archive_players SET automatic = automatic + 1 WHERE round_id = ?
"""
_RETRIED = """
    UPDATE archive_players SET retried = retried + 1 WHERE round_id = ? AND player = ?
"""
_SESSION = "UPDATE archive_players SET session = ? WHERE round_id = ? AND player = ?"
_TRANSFER = "INSERT OR IGNORE INTO archive_transfers VALUES (?, ?, ?)"
_CALL = """
    INSERT INTO archive_calls VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET operator_transaction = excluded.operator_transaction
"""

Sql = sqlite3.Connection
Values = tuple[object, ...]


def index(sql: Sql, envelope: Envelope, event: Any) -> None:
    """Write what a record means for the index of rounds."""
    _HANDLERS[type(event)](sql, envelope, event)


def _of_seat(
    sql: Sql, statement: str, values: Values, *, round_id: str, player: str
) -> None:
    """Write to a seat, which may not have been heard of yet."""
    row = (*values, round_id, player)
    if sql.execute(statement, row).rowcount == 0:
        _seat(sql, round_id, player)
        sql.execute(statement, row)


def _seat(sql: Sql, round_id: str, player: str) -> None:
    place = (round_id, player, operator_of(player), table_of_round(round_id))
    sql.execute(_SEAT, place)


def _opened(sql: Sql, envelope: Envelope, event: e.RoundOpened) -> None:
    terms, at = event.terms, envelope.recorded_at
    values = (
        event.round_id,
        terms.table,
        terms.number,
        terms.rule_set,
        terms.rule_set_digest,
        terms.engine,
        terms.currency,
        terms.shoe,
        at,
    )
    sql.execute(_OPEN, values)
    seats = (terms.rule_set, terms.currency, at, event.round_id)
    sql.execute(_OPEN_SEATS, seats)


def _offered(sql: Sql, envelope: Envelope, event: e.DecisionOpened) -> None:
    del envelope
    sql.execute(_DUE, (event.due_at, event.round_id))


def _asked(sql: Sql, envelope: Envelope, event: e.FundsRequested) -> None:
    """The decision's clock stands still; the wallet's runs."""
    del envelope
    sql.execute(_DUE, (event.funds_due_at, event.round_id))


def _extended(sql: Sql, envelope: Envelope, event: e.ClockExtended) -> None:
    del envelope
    values = (tables.OUTAGE, event.by_ms * 1000, event.round_id)
    sql.execute(_EXTEND, values)
    sql.execute(_INTERRUPT_SEATS, (tables.OUTAGE, event.round_id))


def _seated(sql: Sql, envelope: Envelope, event: e.WagersPlaced) -> None:
    del envelope
    _seat(sql, event.round_id, event.player)


def _decided(sql: Sql, envelope: Envelope, event: e.Decision) -> None:
    if envelope.actor.kind == "timeout":
        _of_seat(sql, _AUTOMATIC, (), round_id=event.round_id, player=event.player)


def _declined(sql: Sql, envelope: Envelope, event: e.InsuranceClosed) -> None:
    """The time ran out for whoever had not answered; the record names nobody."""
    if envelope.actor.kind == "timeout":
        sql.execute(_ALL_AUTOMATIC, (event.round_id,))


def _closed(sql: Sql, envelope: Envelope, event: e.RoundClosed) -> None:
    name, at = event.round_id, envelope.recorded_at
    place = (name, table_of_round(name), number_of_round(name))
    sql.execute(_CLOSE, (*place, event.status, at))
    if event.status == "void":
        sql.execute(_EXTEND, (tables.VOID, 0, name))
        sql.execute(_INTERRUPT_SEATS, (tables.VOID, name))
    for player, net_minor in event.nets_minor.items():
        _of_seat(sql, _NET, (net_minor,), round_id=name, player=player)
    # Closed last: only then do its amounts come into lists, and once.
    sql.execute(_CLOSE_SEATS, (event.status, at, name))


def _settled(sql: Sql, envelope: Envelope, event: st.WagersSettled) -> None:
    del envelope
    for player in dict.fromkeys(item.player for item in event.lines):
        lines = [item.line for item in event.lines if item.player == player]
        bits = 0
        for line in lines:
            bits |= tables.BITS[f"{line.kind}_{line.result}"]
        values = (*_sums(lines), bits)
        _of_seat(sql, _ADD, values, round_id=event.round_id, player=player)


def _sums(lines: list[Line]) -> tuple[int, ...]:
    """Return stakes and payouts of all wagers, of side wagers, and of insurance."""
    found: list[int] = []
    for kinds in (("main", "side", "insurance"), ("side",), ("insurance",)):
        chosen = [line for line in lines if line.kind in kinds]
        found += (
            sum(line.stake_minor for line in chosen),
            sum(line.payout_minor for line in chosen),
        )
    return tuple(found)


def _refunded(sql: Sql, envelope: Envelope, event: st.RoundVoidSettled) -> None:
    """A refunded stake counts as staked and paid; a lost one was staked before."""
    del envelope
    for item in event.refunds:
        values = (item.stake_minor - item.lost_minor, item.stake_minor, 0, 0, 0, 0, 0)
        _of_seat(sql, _ADD, values, round_id=event.round_id, player=item.player)


def _moved(sql: Sql, envelope: Envelope, event: Any) -> None:
    round_id, held = getattr(event, "round_id", ""), 0
    for move in transfers_in(event):
        sql.execute(_TRANSFER, (move.id, round_id, envelope.id))
        held += move.amount_minor * move.credit.startswith("in_play:")
        held -= move.amount_minor * move.debit.startswith("in_play:")
    if held:
        _of_seat(sql, _HOLD, (held,), round_id=round_id, player=event.player)


def _owed(sql: Sql, envelope: Envelope, event: c.CallOwed) -> None:
    _called(sql, envelope, event, "")


def _failed(sql: Sql, envelope: Envelope, event: c.CallFailed) -> None:
    """There will be another attempt."""
    del envelope
    if event.round_id:
        _of_seat(sql, _RETRIED, (), round_id=event.round_id, player=event.player)


def _ended(sql: Sql, envelope: Envelope, event: c.CallEnded) -> None:
    _moved(sql, envelope, event)
    _called(sql, envelope, event, event.operator_transaction)


def _called(
    sql: Sql, envelope: Envelope, event: c.CallOwed | c.CallEnded, theirs: str
) -> None:
    del envelope
    sql.execute(_CALL, (event.call.id, event.round_id, theirs))
    session = event.call.session
    if session and event.round_id:
        place = {"round_id": event.round_id, "player": event.player}
        _of_seat(sql, _SESSION, (session,), **place)


Handle = Callable[[Sql, Envelope, Any], None]

_HANDLERS: dict[type, Handle] = {
    **dict.fromkeys(e.ACTION_OF, _decided),
    e.RoundOpened: _opened,
    e.DecisionOpened: _offered,
    e.FundsRequested: _asked,
    e.ClockExtended: _extended,
    e.WagersPlaced: _seated,
    e.InsuranceClosed: _declined,
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
    c.CallOwed: _owed,
    c.CallFailed: _failed,
    c.CallEnded: _ended,
}


def _apply(sql: Sql, delivery: Delivery) -> None:
    index(sql, delivery.envelope, delivery.event)


ROUNDS = Projection(
    name="archive",
    version=_VERSION,
    sources=("table-orchestrator", "settlement", "wallet"),
    heeds=frozenset(tag_of(kind) for kind in _HANDLERS),
    ddl=tables.DDL,
    drop=tables.DROP,
    apply=_apply,
)
