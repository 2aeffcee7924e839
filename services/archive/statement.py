"""A player's statement from the records of the wallet, and of nothing else.

Each transfer is told by the accounts it moves between. The balances that the records
state are not added up again here, so a statement that does not add up shows.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from contracts.envelope import Envelope
from contracts.identities import operator_of, player_account
from contracts.reports import NO_ACTIVITY, Statement, StatementLine, What
from contracts.wallet import Transfer
from services.archive.round_book import transfers_in

TITLE = "Player statement"

_CORRECTION = "wallet.correction_posted.v1"
_CASH = "bank"

Step = tuple[Envelope, Any]


class Line:
    """What is known of a line so far."""

    def __init__(self, what: What, round_id: str) -> None:
        self.what = what
        self.round_id = round_id
        self.at = 0
        self.balance_minor = 0
        self.reference = ""
        self.sums = dict.fromkeys(_SUMS, 0)

    @property
    def change_minor(self) -> int:
        return sum(sign * self.sums[name] for name, sign in _SUMS.items())

    def told(self, results: Mapping[str, str]) -> StatementLine:
        return StatementLine(
            at=self.at,
            what=self.what,
            round_id=self.round_id,
            result=results.get(self.round_id, "") if self.what == "round" else "",
            change_minor=self.change_minor,
            balance_minor=self.balance_minor,
            reference=self.reference,
            **self.sums,
        )


_SUMS = {
    "staked_minor": -1,
    "returned_minor": 1,
    "paid_minor": 1,
    "correction_minor": 1,
    "cash_in_minor": 1,
    "cash_out_minor": -1,
}
"""What a line sums up, and which way it changes the balance."""


class Movements:
    """Follows one wallet through an interval, from the balance before it."""

    def __init__(self, player: str, currency: str, opening_minor: int) -> None:
        self.player, self.currency = player, currency
        self.opening_minor = self.closing_minor = opening_minor
        self._account = player_account(player, currency)
        self._lines: dict[str, Line] = {}

    @property
    def rounds(self) -> list[str]:
        lines = self._lines.values()
        return [line.round_id for line in lines if line.what == "round"]

    def see(self, envelope: Envelope, event: Any) -> None:
        """Take in a record of the wallet, in the order of the log."""
        self.closing_minor = getattr(event, "balance_minor", self.closing_minor)
        for move in transfers_in(event):
            line = self._line(envelope, event, move)
            line.at = envelope.recorded_at
            line.balance_minor = self.closing_minor
            name, sign = _sum_of(envelope.type, move, self._account)
            line.sums[name] += sign * move.amount_minor

    def _line(self, envelope: Envelope, event: Any, move: Transfer) -> Line:
        """Return the line of a round, or one for the record alone."""
        round_id: str = getattr(event, "round_id", "")
        is_cash = _CASH in (_kind(move.debit), _kind(move.credit))
        is_correction = envelope.type == _CORRECTION
        if not is_cash and not is_correction:
            return self._lines.setdefault(round_id, Line("round", round_id))
        what: What = "deposit" if move.credit == self._account else "withdrawal"
        made = Line("correction" if is_correction else what, round_id)
        made.reference = getattr(event, "reference", "") or move.id
        return self._lines.setdefault(envelope.id, made)

    def statement(
        self, span: tuple[int, int], made_at: int, results: Mapping[str, str]
    ) -> Statement:
        """Return the lines in the order in which they began, and their sums."""
        lines = self._lines.values()
        sums = {name: sum(line.sums[name] for line in lines) for name in _SUMS}
        return Statement(
            operator=operator_of(self.player),
            title=TITLE,
            since=span[0],
            until=span[1],
            made_at=made_at,
            player=self.player,
            currency=self.currency,
            opening_minor=self.opening_minor,
            closing_minor=self.closing_minor,
            rows=tuple(line.told(results) for line in lines),
            note="" if self._lines else NO_ACTIVITY,
            **sums,
        )


def adds_up(statement: Statement) -> bool:
    """Tell whether the lines lead from the opening balance to the closing one."""
    change = sum(row.change_minor for row in statement.rows)
    return statement.opening_minor + change == statement.closing_minor


def movements(
    player: str, currency: str, opening_minor: int, steps: Iterable[Step]
) -> Movements:
    """Follow a wallet through the records of an interval."""
    found = Movements(player, currency, opening_minor)
    for envelope, event in steps:
        found.see(envelope, event)
    return found


def _kind(account: str) -> str:
    return account.partition(":")[0]


def _sum_of(tag: str, move: Transfer, account: str) -> tuple[str, int]:
    """Return the sum that a transfer belongs to, and its sign there."""
    is_in = move.credit == account
    is_out = move.debit == account
    if tag == _CORRECTION:
        return "correction_minor", is_in - is_out
    if _CASH in (_kind(move.debit), _kind(move.credit)):
        return ("cash_in_minor", 1) if is_in else ("cash_out_minor", int(is_out))
    if is_out:
        return "staked_minor", 1
    is_returned = tag in ("wallet.funds_reserved.v1", "wallet.reservation_cancelled.v1")
    return "returned_minor" if is_returned else "paid_minor", int(is_in)
