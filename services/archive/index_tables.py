"""The tables of the index of rounds, and which lists of rounds they keep in order.

Rounds and seats lie in the order of time, and every index ends in that order: any list
of them is walked newest first, and what is written now lies together.
"""

from contracts.round_search import LINE_OUTCOMES

OUTAGE, VOID = 1, 2
"""Why a round is interrupted, as bits: its clocks were extended, it was voided."""

BITS = {name: 1 << place for place, name in enumerate(LINE_OUTCOMES)}
"""A seat's results as bits, one for each kind and result of its wagers."""

_COMMON = {"main_win", "main_lose", "main_push", "main_bust"}
LISTED_OUTCOMES = tuple(name for name in LINE_OUTCOMES if name not in _COMMON)
"""What happens in most rounds is found soon enough by going through all of them."""

_ROUNDS = """
    CREATE TABLE IF NOT EXISTS archive_rounds (
        round_id    TEXT    NOT NULL,
        table_id    TEXT    NOT NULL,
        number      INTEGER NOT NULL,
        rule_set    TEXT    NOT NULL DEFAULT '',
        digest      TEXT    NOT NULL DEFAULT '',
        engine      TEXT    NOT NULL DEFAULT '',
        currency    TEXT    NOT NULL DEFAULT '',
        shoe        TEXT    NOT NULL DEFAULT '',
        status      TEXT    NOT NULL DEFAULT 'open',
        opened_at   INTEGER NOT NULL DEFAULT 0,
        closed_at   INTEGER NOT NULL DEFAULT 0,
        due_at      INTEGER NOT NULL DEFAULT 0,
        interrupted INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (opened_at, round_id)
    ) WITHOUT ROWID
"""
_PLAYERS = """
    CREATE TABLE IF NOT EXISTS archive_players (
        round_id     TEXT    NOT NULL,
        player       TEXT    NOT NULL,
        operator     TEXT    NOT NULL,
        table_id     TEXT    NOT NULL,
        rule_set     TEXT    NOT NULL DEFAULT '',
        currency     TEXT    NOT NULL DEFAULT '',
        status       TEXT    NOT NULL DEFAULT 'open',
        opened_at    INTEGER NOT NULL DEFAULT 0,
        closed_at    INTEGER NOT NULL DEFAULT 0,
        interrupted  INTEGER NOT NULL DEFAULT 0,
        staked_minor INTEGER NOT NULL DEFAULT 0,
        paid_minor   INTEGER NOT NULL DEFAULT 0,
        net_minor    INTEGER NOT NULL DEFAULT 0,
        held_minor   INTEGER NOT NULL DEFAULT 0,
        side_staked  INTEGER NOT NULL DEFAULT 0,
        side_paid    INTEGER NOT NULL DEFAULT 0,
        insured      INTEGER NOT NULL DEFAULT 0,
        insured_paid INTEGER NOT NULL DEFAULT 0,
        results      INTEGER NOT NULL DEFAULT 0,
        automatic    INTEGER NOT NULL DEFAULT 0,
        retried      INTEGER NOT NULL DEFAULT 0,
        session      TEXT    NOT NULL DEFAULT '',
        PRIMARY KEY (opened_at, round_id, player)
    ) WITHOUT ROWID
"""
_TRANSFERS = """
    CREATE TABLE IF NOT EXISTS archive_transfers (
        id       TEXT NOT NULL PRIMARY KEY,
        round_id TEXT NOT NULL,
        record   TEXT NOT NULL
    ) WITHOUT ROWID
"""
_CALLS = """
    CREATE TABLE IF NOT EXISTS archive_calls (
        id                   TEXT NOT NULL PRIMARY KEY,
        round_id             TEXT NOT NULL,
        operator_transaction TEXT NOT NULL DEFAULT ''
    ) WITHOUT ROWID
"""

LISTS = {
    ("archive_rounds", "shoe"): "shoe <> ''",
    ("archive_rounds", "status"): "status <> 'settled'",
    ("archive_rounds", "interrupted"): "interrupted > 0",
    ("archive_rounds", "table_id"): "",
    ("archive_rounds", "rule_set"): "",
    ("archive_players", "session"): "session <> ''",
    ("archive_players", "player"): "",
    ("archive_players", "retried"): "retried > 0",
    ("archive_players", "automatic"): "automatic > 0",
    ("archive_players", "interrupted"): "interrupted > 0",
    ("archive_players", "status"): "status <> 'settled'",
    ("archive_players", "table_id"): "",
    ("archive_players", "rule_set"): "",
    ("archive_players", "operator"): "",
}
"""By which columns rounds and seats are listed, and which of them are in the list."""

AMOUNTS = ("staked_minor", "paid_minor", "net_minor")
FLAGS = ("interrupted", "retried", "automatic")
"""Lists of these are in the order of time as a whole: any value counts."""


_IN_TIME = "opened_at, round_id"

# Lists hold what their condition looks at: they are walked without their rows.


def list_name(table: str, column: str) -> str:
    return f"{table}_by_{column}"


def has_result(outcome: str) -> str:
    """Return the condition for a seat with such a wager; its list is kept by it."""
    return f"(results & {BITS[outcome]}) > 0"


def _lists() -> list[str]:
    made = []
    for (table, column), only in LISTS.items():
        columns = f"{_IN_TIME}, {column}" if column in FLAGS else column
        made.append(_index(table, column, columns, only))
    for outcome in LISTED_OUTCOMES:
        only = has_result(outcome)
        columns = f"{_IN_TIME}, results"
        made.append(_index("archive_players", outcome, columns, only))
    amounts = (
        _index("archive_players", x, f"{x}, closed_at", "closed_at > 0")
        for x in AMOUNTS
    )
    return [*made, *amounts]


def _index(table: str, name: str, columns: str, only: str) -> str:
    where = f" WHERE {only}" if only else ""
    return (
        f"CREATE INDEX IF NOT EXISTS {list_name(table, name)}"
        f" ON {table} ({columns}){where}"
    )


KEYS = {
    "archive_rounds": ("round_id",),
    "archive_players": ("round_id", "player"),
    "archive_transfers": ("id",),
    "archive_calls": ("id",),
}
"""The index's tables, and by which of their first columns a row is known."""
TABLES = tuple(KEYS)

DDL = (
    _ROUNDS,
    _PLAYERS,
    _TRANSFERS,
    _CALLS,
    "CREATE UNIQUE INDEX IF NOT EXISTS archive_round ON archive_rounds (round_id)",
    (
        "CREATE UNIQUE INDEX IF NOT EXISTS archive_seat"
        " ON archive_players (round_id, player)"
    ),
    (
        "CREATE INDEX IF NOT EXISTS archive_players_by_closed_at"
        " ON archive_players (closed_at) WHERE closed_at > 0"
    ),
    (
        "CREATE INDEX IF NOT EXISTS archive_calls_by_operator_transaction"
        " ON archive_calls (operator_transaction) WHERE operator_transaction <> ''"
    ),
    *_lists(),
)
DROP = tuple(f"DROP TABLE IF EXISTS {table}" for table in TABLES)
