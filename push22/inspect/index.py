"""Finds rounds in the archive's index."""

import msgspec
from msgspec.structs import replace

from contracts.envelope import Micros
from push22.inspect.reader import Reader


class Query(msgspec.Struct, frozen=True):
    """What is looked for; what is empty or 0 does not matter."""

    player: str = ""
    table: str = ""
    status: str = ""
    transfer: str = ""
    since: Micros = 0
    until: Micros = 0
    limit: int = 50


class Seat(msgspec.Struct, frozen=True):
    player: str
    staked_minor: int
    paid_minor: int
    net_minor: int


class Found(msgspec.Struct, frozen=True):
    """A round of the index. Nets are there once it is closed."""

    round_id: str
    table: str
    rule_set: str
    currency: str
    shoe: str
    status: str
    opened_at: Micros
    closed_at: Micros
    players: tuple[Seat, ...] = ()


_ROUNDS = """
    SELECT round_id, table_id, rule_set, currency, shoe, status, opened_at, closed_at
    FROM archive_rounds r
"""
_NEWEST_FIRST = " ORDER BY opened_at DESC, number DESC, round_id LIMIT ?"
_SEATS = """
    SELECT player, staked_minor, paid_minor, net_minor FROM archive_players
    WHERE round_id = ? ORDER BY player
"""
_CONDITIONS = {
    "player": (
        "EXISTS (SELECT 1 FROM archive_players p"
        " WHERE p.player = ? AND p.round_id = r.round_id)"
    ),
    "table": "table_id = ?",
    "status": "status = ?",
    "transfer": "round_id = (SELECT round_id FROM archive_transfers WHERE id = ?)",
    "since": "opened_at >= ?",
    "until": "opened_at < ?",
}


def has_index(reader: Reader) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = 'archive_rounds'"
    return reader.sql.execute(query).fetchone() is not None


def find_rounds(reader: Reader, query: Query) -> list[Found]:
    """Return the rounds that fit, newest first."""
    wanted = {name: value for name in _CONDITIONS if (value := getattr(query, name))}
    where = " AND ".join(_CONDITIONS[name] for name in wanted)
    text = _ROUNDS + (f" WHERE {where}" if where else "") + _NEWEST_FIRST
    rows = reader.sql.execute(text, (*wanted.values(), query.limit)).fetchall()
    return [replace(Found(*row), players=_seats(reader, row[0])) for row in rows]


def _seats(reader: Reader, round_id: str) -> tuple[Seat, ...]:
    return tuple(Seat(*row) for row in reader.sql.execute(_SEATS, (round_id,)))


def behind(reader: Reader) -> int:
    """Return how many records the index has not taken in yet."""
    query = """
        SELECT SUM(h.offset - 1 - coalesce(p.offset, 0)) FROM heads h
        LEFT JOIN positions p ON p.service = 'archive' AND p.source = h.service
            AND p.part = h.part
        WHERE h.service IN ('table-orchestrator', 'settlement', 'wallet')
    """
    return int(reader.sql.execute(query).fetchone()[0] or 0)
