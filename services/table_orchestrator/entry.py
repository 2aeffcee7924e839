"""Who may bet on the next round of a shoe, and how long a shoe lasts.

Kept by the table from round to round and copied into each round's terms.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from blackjack.rule_sets import RuleSet
from contracts.table_events import Entry


class History(msgspec.Struct, frozen=True):
    """What the rounds of the current shoe mean for the next one.

    `first`: who wagered on the shoe's first round. `steady`: who has wagered on
    every round of it. `last`: who wagered on the last round. `left`: who wagered in
    this shoe and then let a round pass. `minimums_minor`: players whose minimum was
    posted before it was raised (LV-6).
    """

    rounds: int = 0
    hands_max: int = 0
    first: tuple[str, ...] = ()
    steady: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    minimums_minor: dict[str, int] = {}


def shuffled(history: History) -> History:
    """A new shoe forgets who played, but not who sits at an earlier minimum."""
    return History(last=history.last, minimums_minor=history.minimums_minor)


def played(history: History, players: tuple[str, ...], hands: int) -> History:
    first = history.first if history.rounds else players
    steady = tuple(p for p in history.steady if p in players)
    seen = {*history.left, *history.last} if history.rounds else set()
    return History(
        rounds=history.rounds + 1,
        hands_max=max(history.hands_max, hands),
        first=first,
        steady=steady if history.rounds else players,
        last=players,
        left=tuple(sorted(seen - set(players))),
        minimums_minor={
            player: minimum
            for player, minimum in history.minimums_minor.items()
            if player in players
        },
    )


def keep_minimum(history: History, minimum_minor: int) -> History:
    """Players of the last round keep the minimum they sat down to (LV-6)."""
    kept = dict.fromkeys(history.last, minimum_minor)
    return replace(history, minimums_minor={**kept, **history.minimums_minor})


def entry_of(rules: RuleSet, history: History, minimum_minor: int) -> Entry:
    """Fix who may bet on the next round (NY-4, LV-5, LV-6)."""
    admitted = None
    if rules.mid_shoe_entry == "barred" and history.rounds:
        admitted = tuple(sorted(history.steady))
    minimums: dict[str, int] = {}
    if not rules.raised_minimum_binds:
        minimums = {
            player: minimum
            for player, minimum in history.minimums_minor.items()
            if minimum < minimum_minor
        }
    return Entry(admitted=admitted, minimums_minor=minimums)


def rounds_per_shuffle(rules: RuleSet, history: History) -> int | None:
    """Return after how many rounds a shuffle is due; `None`: by the cut card."""
    table: Any = rules.rounds_per_shuffle
    if not table:
        return None
    hands = max(history.hands_max, 1)
    return int(table[min(hands, len(table)) - 1])


def cut_card_at(rules: RuleSet) -> int:
    """Return the number of the card at the cut card; 0 where there is none (C-16)."""
    return rules.penetration_bp * 52 * rules.decks // 10000
