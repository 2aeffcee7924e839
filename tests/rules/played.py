"""One round from its cards and steps, for tests of the rules.

Cards of a New York box in order: `1.1`, `1.2`, up card, `1.1`, `1.2`, hole card; with
`LATE` the dealer's second card comes after the last box.
"""

import json
from collections.abc import Mapping
from typing import Any

from blackjack import machine
from blackjack.bets import Bet, BetContext, bet_refusal
from blackjack.reasons import BetReason
from blackjack.rule_sets import default_limits, rule_set
from blackjack.script import read_script
from blackjack.state import Due
from tests.rules.pure_table import PureTable

NY = "ny-switch-6d"
NY_8 = "ny-switch-8d"
LATE = {"hole_card": "late"}


def script_text(
    cards: str,
    *steps: str,
    rules: str = NY,
    options: Mapping[str, Any] | None = None,
    boxes: tuple[str, ...] = ("wager = 1000",),
    more: str = "",
) -> str:
    """Write a script; each of `boxes` is the text of a box but for its number."""
    chosen = ", ".join(
        f"{name} = {json.dumps(value)}" for name, value in (options or {}).items()
    )
    tables = "".join(
        "\n[[box]]\n" + (text if "box =" in text else f"box = {number}\n{text}") + "\n"
        for number, text in enumerate(boxes, 1)
    )
    return (
        f'rules = "{rules}"\noptions = {{ {chosen} }}\ncards = "{cards}"\n'
        f"play = {json.dumps(steps)}\n{more}\n{tables}"
    )


def play(cards: str, *steps: str, **more: Any) -> PureTable:
    """Play a round, or as much of it as the steps decide."""
    table = PureTable(read_script(script_text(cards, *steps, **more)))
    table.play()
    return table


def nets(table: PureTable) -> dict[str, int]:
    return {
        label: line.payout_minor - line.stake_minor
        for label, line in table.lines.items()
    }


def clauses(table: PureTable) -> dict[str, tuple[str, ...]]:
    return {label: line.clauses for label, line in table.lines.items()}


def reasons(table: PureTable) -> list[str]:
    return [reason for _, reason in table.refused]


def pending(table: PureTable) -> str | None:
    return machine.pending(table.game)


def cards_of(table: PureTable) -> dict[str, str]:
    return {hand.label: " ".join(hand.cards) for hand in machine.hands(table.game)}


def due(cards: str = "Th 9h", **more: Any) -> Due:
    """Return a decided main wager of 1000 that nothing was added to."""
    facts: dict[str, Any] = {"stake_minor": 1000, "wagered_minor": 1000, **more}
    facts["dealer"] = tuple(facts.get("dealer", "").split())
    return Due("1.1", 1, "main", cards=tuple(cards.split()), **facts)


def bet_reason(
    name: str,
    *wagers: int,
    box: int = 1,
    options: Mapping[str, Any] | None = None,
    sides: dict[str, int] | None = None,
    **context: Any,
) -> BetReason | None:
    """Return why a bet of Ann's is refused at a table with the usual limits."""
    rules = rule_set(name, options)
    limits = context.pop("limits", default_limits(rules))
    facts = BetContext(player="ann", **context)
    return bet_refusal(rules, limits, Bet(box, wagers, sides or {}), facts)
