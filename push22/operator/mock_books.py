"""The mock operator's own double-entry books, in one SQLite file.

Each request is one transaction; what a transaction id was answered is kept with its
bytes. `broken` names a rule that is left out on purpose, to try the conformance kit.
"""

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

import msgspec

from contracts import operator_wallet as ow
from contracts.operator_wallet import KnownTransaction, Status, WalletRequest
from push22.operator.mock_schema import BROKEN, DDL, is_correction, standing_debit


class Told(NamedTuple):
    """What is answered: the status and the bytes."""

    status: Status
    body: bytes
    is_repeat: bool = False


class Books:
    """Handles requests one by one; every answer follows from what is in the file."""

    def __init__(self, path: str, *, opening_minor: int, broken: str = "") -> None:
        assert broken in BROKEN | {""}, f"no fault {broken}"
        self.sql = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.sql.execute("PRAGMA journal_mode = WAL")
        self.sql.execute("PRAGMA synchronous = NORMAL")
        self.sql.executescript(DDL)
        self.opening_minor = opening_minor
        self.broken = broken

    def close(self) -> None:
        self.sql.close()

    def knows(self, transaction: str) -> bool:
        """Tell whether this id was answered before."""
        return (
            self.sql.execute(
                "SELECT 1 FROM transactions WHERE id = ?", (transaction,)
            ).fetchone()
            is not None
        )

    def handle(
        self,
        kind: str,
        request: WalletRequest,
        refuse: str = "",
        *,
        is_blind: bool = False,
    ) -> Told:
        """Answer a request; `refuse` is a reason to find, if it is a new debit.

        `is_blind` looks for no earlier answer: so errs who looked before he locked.
        """
        self.sql.execute("BEGIN IMMEDIATE")
        try:
            known = None if is_blind else self._known(kind, request)
            told = known or self._handled(kind, request, refuse)
        except BaseException:
            self.sql.execute("ROLLBACK")
            raise
        self.sql.execute("COMMIT")
        return told

    def _handled(self, kind: str, request: WalletRequest, refuse: str) -> Told:
        if kind == "authenticate":
            self._open_account(request)
        status = self._refusal(kind, request, refuse)
        noted = False
        if status is Status.OK:
            noted = self._book(kind, request)
        body = self._answer(kind, request, status, noted=noted)
        is_kept = kind != "balance"
        if self.broken == "forgets_refusal" and status is not Status.OK:
            is_kept = False
        if self.broken == "repeats_debit" and kind == "debit":
            is_kept = False
        if is_kept and not (self.broken == "repeats_credit" and kind == "credit"):
            self._keep(kind, request, Told(status, body))
        return Told(status, body)

    def _known(self, kind: str, request: WalletRequest) -> Told | None:
        row = self.sql.execute(
            "SELECT fingerprint, status, body FROM transactions WHERE id = ?",
            (request.transaction_id,),
        ).fetchone()
        if row is None:
            return None
        fingerprint, status, body = row
        is_same = fingerprint in ("", _fingerprint(kind, request))
        if not is_same and self.broken != "takes_other_amount":
            mismatch = Status.TRANSACTION_MISMATCH
            return Told(mismatch, self._answer(kind, request, mismatch, noted=False))
        if self.broken == "rebuilds_answer":
            body = self._answer(kind, request, Status(status), noted=False)
        return Told(Status(status), body, is_repeat=True)

    def _keep(self, kind: str, request: WalletRequest, told: Told) -> None:
        self.sql.execute(
            "INSERT OR IGNORE INTO transactions VALUES (?,?,?,?,?,?,?,?,?,?,0)",
            (
                request.transaction_id,
                kind,
                _fingerprint(kind, request),
                request.player_id,
                request.currency,
                request.amount_minor,
                request.round_id,
                request.reference_id,
                told.status,
                told.body,
            ),
        )

    def _open_account(self, request: WalletRequest) -> None:
        """Whoever comes with a token of his own name is our player, with money."""
        if request.token == token_of(request.player_id):
            self.open_account(request.player_id, request.currency)

    def open_account(self, player: str, currency: str) -> None:
        """Give a new player his money; of one whom we know, nothing changes."""
        opened = self.sql.execute(
            "INSERT OR IGNORE INTO players (id, currency) VALUES (?, ?)",
            (player, currency),
        )
        if opened.rowcount:
            who = (player, currency)
            self._move(f"opening:{player}", _cash(currency), self.opening_minor, who)

    def _refusal(self, kind: str, request: WalletRequest, refuse: str) -> Status:
        state = self._state(request)
        if state is not Status.OK:
            return state
        if kind in ("debit", "credit"):
            is_amount = request.amount_minor > 0
            if not is_amount and self.broken != "takes_nothing_for_amount":
                return Status.INVALID_AMOUNT
        session_matters = kind in ("debit", "balance") or (
            kind == "credit" and self.broken == "needs_session_for_credit"
        )
        if session_matters and not self._has_session(request):
            return Status.SESSION_EXPIRED
        if kind == "authenticate" and request.token != token_of(request.player_id):
            return Status.SESSION_EXPIRED
        if kind == "debit":
            return self._debit_refusal(request, refuse)
        if kind == "credit" and not self._stands(request):
            return Status.DEBIT_UNKNOWN
        if kind == "rollback" and self.broken == "refuses_unknown_rollback":
            return Status.OK if self._debit(request) else Status.DEBIT_UNKNOWN
        return Status.OK

    def _state(self, request: WalletRequest) -> Status:
        rows = self.sql.execute(
            "SELECT currency FROM players WHERE id = ?", (request.player_id,)
        ).fetchall()
        if not rows and self.broken != "takes_any_player":
            return Status.UNKNOWN_PLAYER
        has = (request.currency,) in rows or self.broken == "takes_any_currency"
        if rows and not has:
            return Status.WRONG_CURRENCY
        return Status.OK

    def _has_session(self, request: WalletRequest) -> bool:
        row = self.sql.execute(
            "SELECT 1 FROM sessions WHERE id = ? AND player = ?",
            (request.session_id, request.player_id),
        ).fetchone()
        return row is not None or self.broken in (
            "takes_any_session",
            "takes_any_player",
        )

    def _debit_refusal(self, request: WalletRequest, refuse: str) -> Status:
        row = self.sql.execute(
            "SELECT state FROM players WHERE id = ? AND currency = ?",
            (request.player_id, request.currency),
        ).fetchone()
        if row is not None and row[0] != "ok":
            return Status(row[0])
        closed = self.sql.execute(
            "SELECT 1 FROM closed WHERE round = ? AND player = ?",
            (request.round_id, request.player_id),
        ).fetchone()
        is_late = closed and not is_correction(request, self.broken)
        if is_late and self.broken != "takes_debit_after_close":
            return Status.ROUND_CLOSED
        if refuse:
            return Status(refuse)
        has_enough = self.balance(request) >= request.amount_minor
        if not has_enough and self.broken != "takes_overdraft":
            return Status.INSUFFICIENT_FUNDS
        return Status.OK

    def _stands(self, request: WalletRequest) -> bool:
        alone = is_correction(request, self.broken)
        if alone or self.broken == "pays_rolled_back_round":
            return True
        return (
            self.sql.execute(
                standing_debit(self.broken), (request.round_id, request.player_id)
            ).fetchone()
            is not None
            or self.broken == "repeats_debit"
        )

    def _book(self, kind: str, request: WalletRequest) -> bool:
        """Move the money; tell whether a rollback found nothing and left a mark."""
        ours, player = _provider(request.currency), _player(request)
        amount, name = self._counted(request), request.transaction_id
        match kind:
            case "debit":
                self._entry(name, player, ours, amount)
            case "credit":
                self._entry(name, ours, player, amount)
            case "rollback":
                return self._roll_back(request)
            case "close":
                self.sql.execute(
                    "INSERT OR IGNORE INTO closed VALUES (?, ?)",
                    (request.round_id, request.player_id),
                )
            case "authenticate":
                session = (_session(request), request.player_id)
                self.sql.execute(
                    "INSERT OR IGNORE INTO sessions VALUES (?, ?)", session
                )
        return False

    def _counted(self, request: WalletRequest) -> int:
        if self.broken == "truncates_large_amounts":
            return min(request.amount_minor, 2**31 - 1)
        return request.amount_minor

    def _debit(self, request: WalletRequest) -> tuple[str, int, int] | None:
        row: tuple[str, int, int] | None = self.sql.execute(
            "SELECT status, minor, is_rolled_back FROM transactions"
            " WHERE id = ? AND kind = 'debit'",
            (request.reference_id,),
        ).fetchone()
        return row

    def _roll_back(self, request: WalletRequest) -> bool:
        found = self._debit(request)
        gone = Status.TRANSACTION_ROLLED_BACK
        body = msgspec.json.encode(
            ow.WalletAnswer(gone, request.reference_id, request.currency)
        )
        if found is None:
            if self.broken == "forgets_tombstone":
                return True
            mark = msgspec.structs.replace(
                request, transaction_id=request.reference_id, amount_minor=0
            )
            self._keep("debit", mark, Told(gone, body))
            self.sql.execute(
                "UPDATE transactions SET fingerprint = '' WHERE id = ?",
                (request.reference_id,),
            )
            return True
        status, minor, is_rolled_back = found
        if status != "ok" or (is_rolled_back and self.broken != "rolls_back_twice"):
            return False
        name = f"{request.transaction_id}:{request.reference_id}"
        self._entry(name, _provider(request.currency), _player(request), minor)
        if self.broken == "takes_debit_after_rollback":
            self.sql.execute(
                "DELETE FROM transactions WHERE id = ?", (request.reference_id,)
            )
            return False
        self.sql.execute(
            "UPDATE transactions SET is_rolled_back = 1 WHERE id = ?",
            (request.reference_id,),
        )
        if self.broken != "rolls_back_twice":
            self.sql.execute(
                "UPDATE transactions SET status = ?, body = ?, fingerprint = ''"
                " WHERE id = ?",
                (gone, body, request.reference_id),
            )
        return False

    def _move(self, name: str, debit: str, minor: int, who: tuple[str, str]) -> None:
        self._entry(name, debit, f"player:{who[0]}:{who[1]}", minor)

    def _entry(self, name: str, debit: str, credit: str, minor: int) -> None:
        if not minor:
            return
        count = self.sql.execute("SELECT COUNT(*) FROM entries").fetchone()[0]
        self.sql.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?)",
            (f"{name}#{count}", debit, credit, minor),
        )
        for account, change in ((debit, -minor), (credit, minor)):
            self.sql.execute(
                "INSERT INTO accounts VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET minor = minor + excluded.minor",
                (account, change),
            )

    def _answer(
        self, kind: str, request: WalletRequest, status: Status, *, noted: bool
    ) -> bytes:
        name = request.transaction_id
        if self.broken == "answers_other_id":
            name = name[::-1]
        is_told = status in (Status.OK, Status.INSUFFICIENT_FUNDS)
        is_new = status is Status.OK and kind == "authenticate"
        answer = ow.WalletAnswer(
            status=status,
            transaction_id=name,
            currency=request.currency,
            balance_minor=self.balance(request) if is_told else None,
            wallet_transaction_id=f"w-{name}" if status is Status.OK else "",
            session_id=_session(request) if is_new else "",
            noted=noted,
        )
        body = msgspec.json.encode(answer)
        if self.broken == "counts_in_floats":
            document = msgspec.json.decode(body)
            document["balance_minor"] = document.get("balance_minor", 0) / 100
            body = msgspec.json.encode(document)
        return body

    def balance(self, request: WalletRequest) -> int:
        row = self.sql.execute(
            "SELECT minor FROM accounts WHERE name = ?", (_player(request),)
        ).fetchone()
        return row[0] if row else 0

    def balances(self) -> dict[str, int]:
        return dict(self.sql.execute("SELECT name, minor FROM accounts"))

    def set_state(self, player: str, state: str) -> None:
        """Block or exclude a player, or let him play again."""
        assert state == "ok" or Status(state)
        self.sql.execute("UPDATE players SET state = ? WHERE id = ?", (state, player))

    def end_sessions(self, player: str) -> None:
        self.sql.execute("DELETE FROM sessions WHERE player = ?", (player,))

    def statement(self) -> Iterator[KnownTransaction]:
        """List what took effect, in the order in which it came."""
        if self.broken == "hides_transactions":
            return
        rows = self.sql.execute(
            "SELECT id, kind, player, currency, minor, round, reference,"
            " is_rolled_back FROM transactions WHERE (status = 'ok' OR is_rolled_back)"
            " AND kind IN ('debit', 'credit', 'rollback') ORDER BY rowid"
        )
        for row in rows:
            yield msgspec.convert(
                dict(zip(KnownTransaction.__struct_fields__, row, strict=True)),
                KnownTransaction,
                strict=False,
            )


def token_of(player: str) -> str:
    """Return what a player comes with; it is good again and again."""
    return f"token:{player}"


def _fingerprint(kind: str, request: WalletRequest) -> str:
    """Tell one content from another: all that a repeat must have in common."""
    parts = (
        kind,
        request.player_id,
        request.currency,
        str(request.amount_minor),
        request.reference_id,
        request.round_id,
        request.token,
    )
    return sha256("\0".join(parts).encode()).hexdigest()


def _session(request: WalletRequest) -> str:
    return "s-" + sha256(request.transaction_id.encode()).hexdigest()[:24]


def _player(request: WalletRequest) -> str:
    return f"player:{request.player_id}:{request.currency}"


def _provider(currency: str) -> str:
    return f"provider:{currency}"


def _cash(currency: str) -> str:
    return f"cash:{currency}"
