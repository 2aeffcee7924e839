"""What was owed to operators and what they confirmed, added up again by itself.

No decider is asked: this knows what each kind of call moves, and nothing of retries.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from contracts.identities import bank_account, operator_of, player_account
from contracts.operator_wallet import KnownTransaction
from contracts.wallet import FundsReserved
from contracts.wallet_calls import (
    CallEnded,
    CallKind,
    CallOutcome,
    CallOwed,
    OperatorCall,
)

Complaint = tuple[str, str, str]
"""A check, the wallet it concerns, and what is wrong there."""


class Confirmed(NamedTuple):
    """A debit or credit that an operator confirmed, and stands by as far as we know."""

    kind: str
    player: str
    currency: str
    amount_minor: int


class OperatorBook:
    """Follows the calls of all wallets; remembers those that are open.

    With `keeps_all` also what was confirmed, to be compared with a statement.
    """

    def __init__(self, *, keeps_all: bool = False) -> None:
        self.keeps_all = keeps_all
        self.calls_ended = 0
        self.standing: dict[str, Confirmed] = {}
        self._open: dict[str, dict[str, OperatorCall]] = {}
        self._accounts: dict[str, str] = {}
        self._debited: dict[str, OperatorCall] = {}

    @property
    def open_calls(self) -> int:
        return sum(len(calls) for calls in self._open.values())

    def owed(self, stream: str, event: CallOwed) -> Iterator[Complaint]:
        """Take up a call; a rollback takes the place of the debit it takes back."""
        calls = self._open.setdefault(stream, {})
        self._accounts[stream] = player_account(event.player, event.currency)
        if event.call.id in calls:
            yield "operator_calls", stream, f"{event.call.id} is owed twice"
        calls.pop(event.call.reference, None)
        calls[event.call.id] = event.call

    def ended(self, stream: str, event: CallEnded) -> Iterator[Complaint]:
        self.calls_ended += 1
        call = event.call
        owed = self._open.get(stream, {}).pop(call.id, None)
        if owed != call:
            yield "operator_calls", stream, f"{call.id} ended and was not owed so"
        yield from self._moved(stream, event)
        if event.outcome is not CallOutcome.DONE:
            return
        if call.kind is CallKind.DEBIT:
            self._debited[stream] = call
        self._keep(event)

    def _moved(self, stream: str, event: CallEnded) -> Iterator[Complaint]:
        """A confirmed debit comes from the bank; what was booked goes back to it."""
        call, move = event.call, event.transfer
        is_done = event.outcome is CallOutcome.DONE
        if not is_done or not (call.kind is CallKind.DEBIT or call.is_booked):
            if move is not None:
                yield "operator_money", stream, f"{call.id} moved what nobody confirmed"
            return
        bank = bank_account(operator_of(event.player), event.currency)
        player = player_account(event.player, event.currency)
        ways = (bank, player) if call.kind is CallKind.DEBIT else (player, bank)
        found = move and (move.debit, move.credit, move.amount_minor)
        if found != (*ways, call.amount_minor):
            text = f"{call.id} is {call.kind} of {call.amount_minor}, booked {found}"
            yield "operator_money", stream, text

    def staked(self, stream: str, event: FundsReserved) -> Iterator[Complaint]:
        """A stake of an operator's player is what the debit before it brought."""
        if stream not in self._accounts:
            return
        call = self._debited.pop(stream, None)
        due = (event.reservation, event.transfer.amount_minor)
        if call is None or (call.reservation, call.amount_minor) != due:
            yield "operator_money", stream, f"{event.reservation} without its debit"

    def unowed(self, balances: Mapping[str, int]) -> Iterator[Complaint]:
        """Find what we hold of operators' players and owe to nobody."""
        for stream, account in self._accounts.items():
            calls = self._open[stream].values()
            owed = sum(call.amount_minor for call in calls if call.is_booked)
            if owed != balances.get(account, 0):
                text = f"{balances.get(account, 0)} held, {owed} owed to the operator"
                yield "operator_owed", stream, text

    def _keep(self, event: CallEnded) -> None:
        if not self.keeps_all:
            return
        call = event.call
        if call.kind in (CallKind.DEBIT, CallKind.CREDIT):
            self.standing[call.id] = Confirmed(
                call.kind, event.player, event.currency, call.amount_minor
            )
        elif call.kind is CallKind.ROLLBACK:
            self.standing.pop(call.reference, None)

    def unlike(
        self, statement: Iterable[KnownTransaction], operator: str
    ) -> Iterator[str]:
        """Compare with an operator's statement, transaction by transaction.

        Of what is still open nobody can say yet whether it has taken effect.
        """
        open_ = {x for calls in self._open.values() for x in calls}
        open_ |= {c.reference for calls in self._open.values() for c in calls.values()}
        due = {
            name: known
            for name, known in self.standing.items()
            if operator_of(known.player) == operator
        }
        for item in statement:
            name = item.transaction_id
            if item.kind == CallKind.ROLLBACK or item.is_rolled_back or name in open_:
                continue
            his = Confirmed(item.kind, item.player_id, item.currency, item.amount_minor)
            ours = due.pop(name, None)
            if ours != his:
                yield f"{name}: he has {_shown(his)}, we have {_shown(ours)}"
        for name, ours in due.items():
            if name not in open_:
                yield f"{name}: he has nothing, we have {_shown(ours)}"


def _shown(known: Confirmed | None) -> str:
    if known is None:
        return "nothing"
    return f"{known.kind} {known.amount_minor} {known.currency} of {known.player}"
