"""Ways to draw cards of a full shoe, counted: every combination, no chance involved.

The categories are the rule book's own, so what is counted is what is paid.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from blackjack.cards import FULL_DECK, RANKS, Card
from blackjack.hands import is_natural
from blackjack.settlement import match_category, pair_category

_ONE_OF_EACH_RANK = tuple(rank + "s" for rank in RANKS)
_SUITS_COUNT = 4


def count_draws(
    kinds: Sequence[Card],
    copies: int,
    size: int,
    category: Callable[[tuple[Card, ...]], str],
) -> dict[str, int]:
    """Count the sets of `size` cards of a shoe with `copies` of each kind."""
    found: Counter[str] = Counter()
    for cards in combinations_with_replacement(kinds, size):
        ways = prod(comb(copies, count) for count in Counter(cards).values())
        found[category(cards)] += ways
    return dict(found)


@cache
def super_match(decks: int) -> dict[str, int]:
    """Count the four starting cards of a Switch box by category (C-20)."""
    return count_draws(_ONE_OF_EACH_RANK, _SUITS_COUNT * decks, 4, match_category)


@cache
def bet_the_set(decks: int) -> dict[str, int]:
    """Count the two starting cards of a hand by category (C-21)."""
    return count_draws(FULL_DECK, decks, 2, pair_category)


def natural_chance(decks: int) -> Fraction:
    """Return how often two cards are a natural (C-5)."""
    counts = count_draws(
        _ONE_OF_EACH_RANK,
        _SUITS_COUNT * decks,
        2,
        lambda cards: "natural" if is_natural(cards) else "other",
    )
    return Fraction(counts["natural"], sum(counts.values()))
