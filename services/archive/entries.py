"""What operators confirmed to us, entry by entry, to be compared with their books."""

from collections.abc import Iterator
from typing import Any

import msgspec

from contracts.base import tag_of
from contracts.envelope import Envelope, Micros
from contracts.identities import operator_of
from contracts.operator_wallet import KnownTransaction
from contracts.wallet_calls import CallEnded, CallKind, CallOutcome

HEEDS = frozenset({tag_of(CallEnded)})


class Entry(msgspec.Struct, frozen=True):
    """A debit or credit that was confirmed; `is_rolled_back` if a rollback was too."""

    transaction_id: str
    kind: str
    player_id: str
    currency: str
    amount_minor: int
    round_id: str
    confirmed_at: Micros
    is_rolled_back: bool = False

    def differs_from(self, his: KnownTransaction | None) -> str:
        """Say in what an operator's entry is another one; empty if it is the same."""
        if his is None:
            return "" if self.is_rolled_back else "he has nothing of it"
        fields = (*_SAME, "is_rolled_back")
        wrong = [
            f"{name}: he has {getattr(his, name)}, we have {getattr(self, name)}"
            for name in fields
            if getattr(his, name) != getattr(self, name)
        ]
        return "; ".join(wrong)


_SAME = ("kind", "player_id", "currency", "amount_minor", "round_id")


class Entries:
    """Follows what ended well in the wallets of one operator's players."""

    def __init__(self, operator: str) -> None:
        self._operator = operator
        self._entries: dict[str, Entry] = {}

    def see(self, envelope: Envelope, event: Any) -> None:
        is_done = isinstance(event, CallEnded) and event.outcome is CallOutcome.DONE
        if not is_done or operator_of(event.player) != self._operator:
            return
        call = event.call
        if call.kind is CallKind.ROLLBACK and call.reference in self._entries:
            debit = self._entries[call.reference]
            rolled_back = msgspec.structs.replace(debit, is_rolled_back=True)
            self._entries[call.reference] = rolled_back
        elif call.kind in (CallKind.DEBIT, CallKind.CREDIT):
            self._entries[call.id] = Entry(
                call.id,
                str(call.kind),
                event.player,
                event.currency,
                call.amount_minor,
                event.round_id,
                envelope.recorded_at,
            )

    def of(
        self, *, round_id: str = "", since: Micros = 0, until: Micros = 0
    ) -> Iterator[Entry]:
        """Return those of a round, or confirmed in an interval, in our order."""
        for entry in self._entries.values():
            is_late = until and entry.confirmed_at >= until
            is_other = round_id and entry.round_id != round_id
            if entry.confirmed_at >= since and not is_late and not is_other:
                yield entry
