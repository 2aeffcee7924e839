"""The tables of the mock operator's books, and what it can get wrong on purpose."""

from contracts.operator_wallet import CORRECTION, WalletRequest

DDL = """
CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, minor INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, debit TEXT NOT NULL, credit TEXT NOT NULL,
    minor INTEGER NOT NULL CHECK (minor > 0)
);
CREATE TABLE IF NOT EXISTS transactions (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, fingerprint TEXT NOT NULL,
    player TEXT NOT NULL, currency TEXT NOT NULL, minor INTEGER NOT NULL,
    round TEXT NOT NULL, reference TEXT NOT NULL, status TEXT NOT NULL,
    body BLOB NOT NULL, is_rolled_back INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS by_round ON transactions (round, player);
CREATE TABLE IF NOT EXISTS players (
    id TEXT NOT NULL, currency TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'ok',
    PRIMARY KEY (id, currency)
);
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, player TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS closed (
    round TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (round, player)
);
"""

BROKEN = frozenset(
    {
        "repeats_debit",
        "repeats_credit",
        "takes_other_amount",
        "rebuilds_answer",
        "rolls_back_twice",
        "forgets_tombstone",
        "pays_rolled_back_round",
        "takes_debit_after_rollback",
        "refuses_unknown_rollback",
        "takes_any_currency",
        "takes_any_player",
        "takes_overdraft",
        "takes_any_session",
        "needs_session_for_credit",
        "takes_debit_after_close",
        "refuses_credit_after_close",
        "refuses_corrections",
        "forgets_refusal",
        "counts_in_floats",
        "takes_nothing_for_amount",
        "truncates_large_amounts",
        "takes_any_signature",
        "takes_any_time",
        "takes_any_nonce",
        "leaves_answers_unsigned",
        "answers_other_id",
        "races",
        "takes_malformed",
        "hides_transactions",
    }
)
"""What an operator may get wrong; each of them is found by a case of the kit."""


def standing_debit(broken: str) -> str:
    """Return the question whether a player has a standing debit in a round."""
    found = (
        "SELECT 1 FROM transactions AS t WHERE round = ? AND player = ?"
        " AND kind = 'debit' AND status = 'ok' AND NOT is_rolled_back"
    )
    if broken != "refuses_credit_after_close":
        return found
    return (
        f"{found} AND NOT EXISTS (SELECT 1 FROM closed AS c"  # noqa: S608 - ours alone
        " WHERE c.round = t.round AND c.player = t.player)"
    )


def is_correction(request: WalletRequest, broken: str) -> bool:
    """Tell what stands outside its round's payments: closed or never played in."""
    return request.reason == CORRECTION and broken != "refuses_corrections"
