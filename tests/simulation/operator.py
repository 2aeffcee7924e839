"""The operator of a simulated casino's guest: his own books, and answers that get lost.

No HTTP and no clock: what is late comes before some later request.
"""

import random
import sqlite3
from pathlib import Path
from typing import Any

from contracts import catalog
from contracts import operator_wallet as ow
from contracts import wallet_calls as c
from push22.operator.client import request_of, told_by
from push22.operator.mock_books import Books
from push22.operator.mock_faults import Faults, Rates
from runtime.effects import Attempt

GUEST = "other.cy"
RATES = Rates(lost=60, unheard=60, overtaken=60, twice=60, refused=40)
OPENING_MINOR = 400_000


class SimulatedOperator:
    """Answers attempts; it lives on when the casino dies."""

    def __init__(self, seed: int) -> None:
        self.books = Books(":memory:", opening_minor=OPENING_MINOR)
        self.faults = Faults(seed, RATES)
        self._random = random.Random(seed)
        self._late: list[tuple[str, ow.WalletRequest]] = []

    async def perform(self, attempt: Attempt) -> c.RecordCall:
        self.arrive(0.5)
        owed = attempt.request
        player, _, currency = attempt.stream.removeprefix("wallet-").rpartition(".")
        record = c.RecordCall(
            player,
            currency,
            owed.call.id,
            owed.attempts + 1,
            c.CallOutcome.UNCERTAIN,
            reason="timeout",
            was_tried=attempt.was_tried,
        )
        request = request_of(owed, record, 0)
        fault = self.faults.draw()
        if fault == "overtaken":
            self._late.append((owed.call.kind, request))
        if fault in ("lost", "overtaken"):
            return record
        refuse = self.faults.refusal() if fault == "refused" else ""
        told = self.books.handle(owed.call.kind, request, refuse)
        if fault == "twice":
            told = self.books.handle(owed.call.kind, request)
        if fault == "unheard":
            return record
        return told_by(owed, record, (ow.code_of(told.status), told.body))

    def arrive(self, chance: float) -> None:
        """Let late requests come, in any order."""
        self._random.shuffle(self._late)
        while self._late and self._random.random() < chance:
            self.books.handle(*self._late.pop())

    def unlike(self, path: Path) -> list[str]:
        """Compare what he has of ours with what we say that we took."""
        self.arrive(1)
        his = self.books.balances().get("provider:EUR", 0)
        ours = -bank_minor(path)
        return [] if his == ours else [f"the operator says {his}, we took {ours}"]


def bank_minor(path: Path) -> int:
    """Add up what was booked between the guest and his bank."""
    sql = sqlite3.connect(path)
    rows = sql.execute(
        "SELECT body FROM records WHERE type = 'wallet.call_ended.v1'"
    ).fetchall()
    sql.close()
    total = 0
    for (body,) in rows:
        event: Any = catalog.decode_event(catalog.decode_envelope(body))
        if event.transfer is not None:
            is_back = event.transfer.credit.startswith("bank:")
            total += event.transfer.amount_minor * (1 if is_back else -1)
    return total
