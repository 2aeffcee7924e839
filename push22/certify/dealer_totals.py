"""How the dealer ends, exactly: every hand of a full shoe, played out by C-50.

Hands that hold the same cards are followed together, whatever the order was.
"""

from collections import Counter
from fractions import Fraction
from math import perm

from blackjack.hands import dealer_draws, is_natural, total

ENDINGS = ("17", "18", "19", "20", "21", "natural", "22", "23+")
"""21 is without the natural."""

UP_CARDS = "23456789TA"
"""`T` stands for every ten-value."""

_PER_DECK = dict.fromkeys(UP_CARDS, 4) | {"T": 16}
_DECK = sum(_PER_DECK.values())

Endings = dict[str, Fraction]
"""By ending, all of `ENDINGS`; they add up to one."""


def by_up_card(decks: int, *, hits_soft_17: bool) -> dict[str, Endings]:
    """Return the chance of each ending for each up card, no other card seen."""
    return {up: _play_out(up, decks, hits_soft_17=hits_soft_17) for up in UP_CARDS}


def of_any_up_card(by_up: dict[str, Endings]) -> Endings:
    """Return the chance of each ending before the up card is known."""
    return {
        ending: sum(
            (Fraction(_PER_DECK[up], _DECK) * by_up[up][ending] for up in UP_CARDS),
            start=Fraction(0),
        )
        for ending in ENDINGS
    }


def _play_out(up: str, decks: int, *, hits_soft_17: bool) -> Endings:
    found = dict.fromkeys(ENDINGS, Fraction(0))
    left = decks * _DECK - 1
    ways: Counter[str] = Counter({up: 1})
    drawn = 0
    while ways:
        ahead: Counter[str] = Counter()
        for ranks, count in ways.items():
            ending = _ending(ranks, hits_soft_17=hits_soft_17)
            if ending:
                found[ending] += Fraction(count, perm(left, drawn))
                continue
            for rank, per_deck in _PER_DECK.items():
                there = per_deck * decks - ranks.count(rank)
                ahead["".join(sorted(ranks + rank))] += count * there
        ways = +ahead
        drawn += 1
    return found


def _ending(ranks: str, *, hits_soft_17: bool) -> str:
    """Name the ending, or nothing while the dealer draws."""
    cards = tuple(rank + "s" for rank in ranks)
    if len(cards) == 1 or dealer_draws(cards, hits_soft_17=hits_soft_17):
        return ""
    if is_natural(cards):
        return "natural"
    points = total(cards)
    return "23+" if points > 22 else str(points)
