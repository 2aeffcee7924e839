"""Every hand that a dealer can end with, as sets of drawn cards.

Cards drawn in another order are the same chance, so one line stands for all orders
in which the dealer draws these cards without stopping earlier.
"""

from collections import defaultdict
from functools import cache
from itertools import product
from typing import NamedTuple

Counts = tuple[int, ...]
"""How many cards of each rank, ace first, ten-values last."""

NONE: Counts = (0,) * 10

OUTCOMES = (17, 18, 19, 20, 21, 22, 23, 0)
"""What a dealer's hand comes to: 23 stands for all above it, 0 for a natural."""

NATURAL = OUTCOMES.index(0)


class Line(NamedTuple):
    """The cards drawn to an up card, what they come to, and in how many orders."""

    cards: Counts
    outcome: int
    orders: int


def with_card(cards: Counts, rank: int) -> Counts:
    return (*cards[: rank - 1], cards[rank - 1] + 1, *cards[rank:])


def total_of(cards: Counts) -> tuple[int, bool]:
    """Return the total and whether it is soft (C-3)."""
    hard = sum(rank * count for rank, count in enumerate(cards, 1))
    is_soft = cards[0] > 0 and hard <= 11
    return (hard + 10 if is_soft else hard), is_soft


@cache
def dealer_lines(up: int, *, hits_soft_17: bool) -> tuple[Line, ...]:
    """Return the lines of an up card, sorted by their cards."""
    ended: dict[tuple[Counts, int], int] = defaultdict(int)
    drawing = {NONE: 1}
    while drawing:
        longer: dict[Counts, int] = defaultdict(int)
        for cards, rank in product(drawing, range(1, 11)):
            drawn = with_card(cards, rank)
            points, is_soft = total_of(with_card(drawn, up))
            if points < 17 or (points == 17 and is_soft and hits_soft_17):
                longer[drawn] += drawing[cards]
            else:
                ended[drawn, _outcome(drawn, points)] += drawing[cards]
        drawing = longer
    return tuple(Line(*key, orders) for key, orders in sorted(ended.items()))


def _outcome(drawn: Counts, points: int) -> int:
    if points == 21 and sum(drawn) == 1:
        return NATURAL
    return OUTCOMES.index(min(points, 23))
