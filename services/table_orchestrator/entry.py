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
    this shoe and then let a round pass, and stays so until the shuffle. `reserved`:
    whose seat the house keeps (MA-5). `minimums_minor`: players whose minimum was
    posted before it was raised (LV-6).
    """

    rounds: int = 0
    hands_max: int = 0
    first: tuple[str, ...] = ()
    steady: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    minimums_minor: dict[str, int] = {}


def shuffled(history: History) -> History:
    """A new shoe forgets who played, but not who sits at an earlier minimum."""
    return History(last=history.last, minimums_minor=history.minimums_minor)


def played(
    history: History, players: tuple[str, ...], hands: int, minimum_minor: int
) -> History:
    """Add a dealt round; `minimum_minor` was posted when it was called."""
    is_first = not history.rounds
    here = set(players)
    reserved = set(history.reserved) - here
    let_pass = set() if is_first else set(history.last) - here
    earlier = history.minimums_minor
    return History(
        rounds=history.rounds + 1,
        hands_max=max(history.hands_max, hands),
        first=players if is_first else history.first,
        steady=players if is_first else tuple(p for p in history.steady if p in here),
        last=players,
        left=tuple(sorted({*history.left, *(let_pass - reserved)})),
        reserved=tuple(sorted(reserved)),
        minimums_minor={
            player: min(earlier.get(player, minimum_minor), minimum_minor)
            for player in players
        },
    )


def passed(history: History) -> History:
    """Everybody sat a round out: nobody keeps an earlier minimum (LV-6)."""
    return replace(history, last=(), minimums_minor={})


def reserve(history: History, player: str) -> History:
    return replace(history, reserved=tuple(sorted({*history.reserved, player})))


def entry_of(
    rules: RuleSet,
    history: History,
    minimum_minor: int,
    maximums_minor: dict[str, int] | None = None,
) -> Entry:
    """Fix who may bet on the next round (NY-4, MA-4, LV-5, LV-6, LV-8)."""
    admitted = None
    if history.rounds and rules.mid_shoe_entry == "barred":
        admitted = tuple(sorted(history.steady))
    elif history.rounds and "no_mid_shoe_entry" in rules.entry:
        admitted = tuple(sorted(history.first))
    unrestricted = None
    if history.rounds and "mid_shoe_minimum_only" in rules.entry:
        unrestricted = tuple(sorted(history.first))
    minimums: dict[str, int] = {}
    if not rules.raised_minimum_binds:
        minimums = {
            player: minimum
            for player, minimum in history.minimums_minor.items()
            if minimum < minimum_minor
        }
    return Entry(
        admitted=admitted,
        unrestricted=unrestricted,
        minimums_minor=minimums,
        maximums_minor=maximums_minor or {},
        barred=history.left if "no_return" in rules.entry else (),
        minimum_only=history.left if "return_minimum_only" in rules.entry else (),
    )


def has_return_rule(rules: RuleSet) -> bool:
    """Tell whether a player who lets a round pass loses anything by it (MA-4)."""
    return not {"no_return", "return_minimum_only"}.isdisjoint(rules.entry)


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
