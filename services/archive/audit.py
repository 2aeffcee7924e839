"""The money audit: invariants over all logs, judged without any decider.

It reads records of table, settlement and wallet in any order that keeps each log's
own, and forgets a round once it has ended in order: memory is bounded by open rounds.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from contracts import desk as d
from contracts import round_events as e
from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.base import tag_of
from contracts.envelope import Envelope
from contracts.identities import operator_of
from services.archive import round_checks
from services.archive.alone_audit import AloneBook
from services.archive.correction_book import CorrectionBook
from services.archive.operator_book import OperatorBook
from services.archive.round_book import HEEDED, RoundBook, transfers_in
from services.archive.void_book import VoidBook

CHECKS = {
    "transfer": "every transfer moves more than nothing between accounts that may",
    "transfer_once": "no transfer id is booked twice",
    "zero_sum": "all accounts of a currency sum to zero",
    "balance": "a wallet's balance is never negative and is what its transfers make it",
    "cash": "deposits less withdrawals are what the bank gave",
    "reservation_round": "every reservation was asked for by a round, as it is held",
    "reservation_end": "every reservation ends once: staked, returned or refused",
    "in_play": "nothing is in play after a round's end",
    "stakes_settled": "what was staked is what was settled or returned",
    "one_line": "every accepted stake has one line or one refund",
    "payouts_booked": "what settlement owes is what the wallet booked",
    "paid_once": "nothing is paid twice",
    "payouts_received": "the round recorded each payment as it was booked",
    "nets": "the nets a round reports are those of its lines and of the wallet",
    "open_funds": "funds of open rounds are the stakes held for them",
    "correction_approved": "each correction is one approved proposal's, of its amount",
    "correction_second": "nobody approves what he proposed, unless it is small enough",
    "alone_sum": "what is decided alone, by case and by player and day, stays small",
    "alone_counted": "what is decided alone counts for whose money moves, on its day",
    "void_approved": "each void by a case is one approved proposal's, of its round",
    "operator_calls": "each call to an operator ends once, as it was owed",
    "operator_money": "what is booked with an operator is what he confirmed",
    "operator_owed": "what is held of an operator's player is owed to the operator",
}
"""Each check and the rule it enforces."""

_OF_WALLETS: set[type[Any]] = {w.Deposited, w.Withdrawn, c.CallOwed, c.CallEnded}
_OF_CASES: set[type[Any]] = {
    d.CorrectionProposed,
    d.VoidProposed,
    d.ProposalApproved,
    w.CorrectionPosted,
    w.CorrectionRefused,
}

HEEDS = frozenset(tag_of(kind) for kind in HEEDED | _OF_WALLETS | _OF_CASES)
"""The tags of the events that the audit looks at."""

_MAY_DEAL = {
    ("player", "in_play"),
    ("in_play", "player"),
    ("in_play", "house"),
    ("house", "player"),
    ("bank", "player"),
    ("player", "bank"),
}
"""From and to. There is no transfer between players (GLI-19 2.5.6)."""

_CASH_IDS_KEPT = 100_000


class Violation(NamedTuple):
    """A broken rule, the round or wallet it concerns, and what is wrong there."""

    check: str
    subject: str
    text: str


class Audit:
    """Takes in events; `violations` holds what was wrong so far."""

    def __init__(self) -> None:
        self.rounds: dict[str, RoundBook] = {}
        self.balances: Counter[str] = Counter()
        self.violations: list[Violation] = []
        self.rounds_checked = 0
        self.unreadable: list[str] = []
        """The ids of records that matter here and could not be taken in."""
        self.transfers_checked = 0
        self._cash_ids: dict[str, None] = {}
        self._cash: Counter[str] = Counter()
        self.operators = OperatorBook()
        self.corrections = CorrectionBook()
        self.voids = VoidBook()
        self.alone = AloneBook()

    def see(self, envelope: Envelope, event: Any) -> None:
        """Take in the event of one record."""
        round_id: str = getattr(event, "round_id", "")
        if isinstance(event, w.Deposited | w.Withdrawn):
            self._see_wallet(envelope.stream, event, transfers_in(event))
            self._see_cash(envelope.stream, event)
            return
        if isinstance(event, c.CallOwed | c.CallEnded):
            self._see_call(envelope, event)
            return
        if type(event) in _OF_CASES:
            self._see_case(envelope, event)
            return
        if isinstance(event, e.RoundVoided):
            self._note(self.voids.voided(event))
            self.alone.voided(event)
        if isinstance(event, w.FundsReserved):
            self._note(self.operators.staked(envelope.stream, event))
        if round_id and type(event) in HEEDED:
            self._see_round(envelope, event, round_id)

    def _see_call(self, envelope: Envelope, event: c.CallOwed | c.CallEnded) -> None:
        if isinstance(event, c.CallOwed):
            self._note(self.operators.owed(envelope.stream, event))
            return
        self._note(self.operators.ended(envelope.stream, event))
        self._see_wallet(envelope.stream, event, transfers_in(event))
        bank = f"bank:{operator_of(event.player)}:{event.currency}"
        for move in transfers_in(event):
            self._cash[bank] += move.amount_minor * (move.debit == bank)
            self._cash[bank] -= move.amount_minor * (move.credit == bank)

    def _see_case(self, envelope: Envelope, event: Any) -> None:
        match event:
            case d.CorrectionProposed():
                self.corrections.proposed(event)
                self.alone.proposed(event)
            case d.VoidProposed():
                self.voids.proposed(event)
                self.alone.proposed(event)
            case d.ProposalApproved():
                self._note(self.alone.approved(event, envelope.recorded_at))
                self._note(self.corrections.approved(event))
                self._note(self.voids.approved(event))
            case w.CorrectionPosted():
                self._note(self.corrections.booked(event))
                self._see_wallet(envelope.stream, event, transfers_in(event))
            case w.CorrectionRefused():
                self.corrections.refused(event)

    def _note(self, found: Iterator[tuple[str, str, str]]) -> None:
        for check, subject, text in found:
            self._complain(check, subject, text)

    def _see_round(self, envelope: Envelope, event: Any, round_id: str) -> None:
        book = self.rounds.get(round_id)
        if book is None:
            book = self.rounds[round_id] = RoundBook(round_id)
        book.add(event)
        if envelope.service == "wallet":
            self._see_wallet(envelope.stream, event, book.transfers_of(event))
            self._see_repeats(book, event)
        if book.status and book.is_opened and not any(round_checks.complaints(book)):
            self.rounds_checked += 1
            del self.rounds[round_id]

    def _see_repeats(self, book: RoundBook, event: Any) -> None:
        for move in transfers_in(event):
            if book.transfers[move.id] > 1:
                self._complain("transfer_once", book.round_id, f"{move.id} again")

    def _see_wallet(
        self, stream: str, event: Any, moves: tuple[w.Transfer, ...]
    ) -> None:
        account = f"player:{event.player}:{event.currency}"
        for move in moves:
            self.transfers_checked += 1
            if wrong := _wrong_transfer(move, event):
                self._complain("transfer", stream, f"{move.id}: {wrong}")
            self._book(move)
        folded = self.balances[account]
        if event.balance_minor != folded or folded < 0:
            text = f"balance {event.balance_minor} stated, transfers make it {folded}"
            self._complain("balance", stream, text)
            self.balances[account] = event.balance_minor

    def _book(self, move: w.Transfer) -> None:
        """Move between accounts; money in play is kept per currency, not per round."""
        self.balances[_kept(move.debit)] -= move.amount_minor
        self.balances[_kept(move.credit)] += move.amount_minor

    def _see_cash(self, stream: str, event: w.Deposited | w.Withdrawn) -> None:
        name = event.transfer.id
        if name in self._cash_ids:
            self._complain("transfer_once", stream, f"{name} again")
        self._cash_ids[name] = None
        if len(self._cash_ids) > _CASH_IDS_KEPT:
            del self._cash_ids[next(iter(self._cash_ids))]
        sign = 1 if isinstance(event, w.Deposited) else -1
        bank = f"bank:{operator_of(event.player)}:{event.currency}"
        self._cash[bank] += sign * event.transfer.amount_minor

    def finish(self) -> tuple[Violation, ...]:
        """Judge what is left: rounds that never came right, open rounds, totals."""
        for round_id, book in self.rounds.items():
            if not book.is_opened:
                self._complain("reservation_round", round_id, "never opened")
            if book.status:
                for check, text in round_checks.complaints(book):
                    self._complain(check, round_id, text)
        self._finish_open()
        self._finish_totals()
        self._note(self.operators.unowed(self.balances))
        self._note(self.corrections.unapproved())
        self._note(self.voids.unapproved())
        self._note(self.alone.uncounted())
        return tuple(self.violations)

    def _finish_open(self) -> None:
        for round_id, book in self.rounds.items():
            if book.status:
                continue
            held = _held_minor(book)
            in_play = sum(book.in_play.values())
            if held != in_play:
                text = f"{in_play} in play, the stakes held for it are {held}"
                self._complain("open_funds", round_id, text)

    def _finish_totals(self) -> None:
        sums: Counter[str] = Counter()
        for account, amount in self.balances.items():
            sums[account.rpartition(":")[2]] += amount
        for currency, amount in sums.items():
            if amount:
                self._complain("zero_sum", currency, f"all accounts sum to {amount}")
        for account, amount in self.balances.items():
            if account.startswith("bank:") and -amount != self._cash[account]:
                text = (
                    f"gave {-amount}, deposits less withdrawals {self._cash[account]}"
                )
                self._complain("cash", account, text)

    def open_funds_minor(self) -> dict[str, int]:
        """Return the funds in open rounds, per currency."""
        prefix = "in_play:"
        return {
            account.removeprefix(prefix): amount
            for account, amount in self.balances.items()
            if account.startswith(prefix) and amount
        }

    def _complain(self, check: str, subject: str, text: str) -> None:
        assert check in CHECKS, f"unlisted check {check}"
        self.violations.append(Violation(check, subject, text))


def _kept(account: str) -> str:
    if not account.startswith("in_play:"):
        return account
    return f"in_play:{account.rpartition(':')[2]}"


def _wrong_transfer(move: w.Transfer, event: Any) -> str:
    """Return what is wrong with a transfer, empty if nothing is."""
    if move.amount_minor <= 0:
        return f"moves {move.amount_minor}"
    kinds = (move.debit.partition(":")[0], move.credit.partition(":")[0])
    is_taken_back = kinds == ("player", "house") and isinstance(
        event, w.CorrectionPosted
    )
    if kinds not in _MAY_DEAL and not is_taken_back:
        return f"moves from {move.debit} to {move.credit}"
    for account in (move.debit, move.credit):
        if account not in _accounts_of(event):
            return f"{account} is no account of this wallet and round"
    return ""


def _accounts_of(event: Any) -> Iterator[str]:
    operator, currency = operator_of(event.player), event.currency
    yield f"player:{event.player}:{currency}"
    yield f"house:{operator}:{currency}"
    yield f"bank:{operator}:{currency}"
    yield f"in_play:{getattr(event, 'round_id', '')}:{operator}:{currency}"


def _held_minor(book: RoundBook) -> int:
    """Return what should be in play in an open round."""
    book.resolve_replacements()
    reserved = sum(
        item.held.amount_minor - sum(item.releases)
        for item in book.reservations.values()
        if item.held is not None
    )
    settled = sum(
        booked.from_in_play for items in book.posted.values() for booked in items
    )
    return reserved - settled
