"""What a side wager is worth, from its own pay table and all combinations."""

from fractions import Fraction
from math import sqrt

import msgspec

from blackjack.house_rules import RuleSet, SideWager
from push22.certify import counting

LOSES = -1

_COUNTS = {"super_match": counting.super_match, "bet_the_set": counting.bet_the_set}
_ORDER = ("suited", "pair", "three", "two_pairs", "four", "no_match")


class Category(msgspec.Struct, frozen=True):
    """One line of the pay table: winnings per unit, and how often it is drawn."""

    name: str
    pays: int
    combinations: int
    chance: Fraction


class SideWorth(msgspec.Struct, frozen=True):
    """A side wager's value to the player per unit; the house's edge is its negative."""

    name: str
    categories: tuple[Category, ...]
    combinations: int
    value: Fraction
    deviation: float


def side_worth(rules: RuleSet) -> SideWorth | None:
    """Count the rule set's side wager, if it has one."""
    return None if rules.side is None else worth(rules.side, rules.decks)


def worth(side: SideWager, decks: int) -> SideWorth:
    counts = _COUNTS[side.name](decks)
    combinations = sum(counts.values())
    categories = tuple(
        Category(
            name,
            side.pays.get(name, LOSES),
            counts[name],
            Fraction(counts[name], combinations),
        )
        for name in _ORDER
        if name in counts
    )
    value = _mean(categories, 1)
    variance = _mean(categories, 2) - value**2
    return SideWorth(side.name, categories, combinations, value, sqrt(variance))


def _mean(categories: tuple[Category, ...], power: int) -> Fraction:
    return sum((each.chance * each.pays**power for each in categories), Fraction(0))
