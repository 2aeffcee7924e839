"""What a round and what corrections did to balances, as rows for people to read.

A column that says nothing of any player is left out.
"""

from collections.abc import Iterable

from contracts.identities import operator_of
from push22.inspect.money import money
from services.archive.put_right import Correction, corrections_of
from services.archive.rebuild import Step
from services.archive.round_money import RoundMoney, money_of

Cells = list[str]

UNTOLD = "not told"
OTHER = (
    "other: what else moved the balance between the round's first and last movement, "
    "such as a deposit, another round or a correction."
)
OWED = "owed: what of the net was not yet booked at the operator who keeps the money."


class Balances:
    """A table of the round's balances. `notes` explain its less common columns."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._found = money_of(steps)
        self._has_other = any(item.other_minor for item in self._found.values())
        self._has_owed = any(item.owed_minor for item in self._found.values())

    @property
    def heads(self) -> tuple[str, ...]:
        other = ("other",) if self._has_other else ()
        owed = ("owed",) if self._has_owed else ()
        return ("player", "before", "net", *other, *owed, "after")

    @property
    def rows(self) -> list[Cells]:
        return [self._row(player, item) for player, item in self._found.items()]

    @property
    def notes(self) -> list[str]:
        return [OTHER] * self._has_other + [OWED] * self._has_owed

    def _row(self, player: str, item: RoundMoney) -> Cells:
        other = [signed(item.other_minor)] if self._has_other else []
        owed = [signed(item.owed_minor)] if self._has_owed else []
        name = f"{player} (at {operator_of(player)})" if item.is_operators else player
        ends = told(item.before_minor), told(item.after_minor)
        return [name, ends[0], signed(item.net_minor), *other, *owed, ends[1]]


CORRECTED = (
    *("case", "player", "amount", "proposed by", "approved by"),
    *("outcome", "before", "after"),
)


def corrected(steps: Iterable[Step]) -> list[Cells]:
    """Return a row for each correction, under the heads of `CORRECTED`."""
    return [_corrected(item) for item in corrections_of(steps)]


def _corrected(item: Correction) -> Cells:
    amount = signed(item.amount_minor)
    people = [item.proposed_by, item.approved_by]
    ends = ["", ""]
    if item.after_minor is not None:
        ends = [told(item.before_minor), told(item.after_minor)]
    return [item.case, item.player, amount, *people, item.outcome, *ends]


def corrections_told(steps: Iterable[Step]) -> list[str]:
    """Return a sentence for each correction: tables of so many columns get too wide."""
    return [_told(*row) for row in corrected(steps)]


def _told(*cells: str) -> str:
    case, player, amount, proposed, approved, outcome, before, after = cells
    people = f"proposed by {proposed}, approved by {approved}"
    balance = f", balance {before}, then {after}" if after else ""
    return f"{player} {amount}, case {case}, {people}: {outcome}{balance}"


def signed(minor: int) -> str:
    return money(minor, signed=True)


def told(minor: int | None) -> str:
    return UNTOLD if minor is None else money(minor)
