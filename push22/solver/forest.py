"""Every hand that a player can hold, and what it grows into with each further card.

One forest holds the hands from the deal, and for each pair rank the hands from one of
its cards, once for every number of such cards that splitting has taken.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from push22.solver.dealer_hands import NONE, Counts, total_of, with_card
from push22.solver.dealer_odds import Ints

BUST = -1

PAIR_CARDS = range(2, 7)
"""How many cards of the pair's rank may be known to be gone (see `splits`)."""


class Forest(NamedTuple):
    """Hands in rows: their cards, all cards known to be gone, and what follows.

    `grown` has the row that a card of each rank leads to, or `BUST`. `dealt` finds
    rows of hands from the deal; `begun` the row of a split card by its rank and the
    number of such cards gone.
    """

    cards: Ints
    gone: Ints
    grown: Ints
    hard: Ints
    total: Ints
    size: Ints
    dealt: dict[Counts, int]
    begun: dict[tuple[int, int], int]


@cache
def forest() -> Forest:
    cards: list[Counts] = []
    gone: list[Counts] = []
    grown: list[list[int]] = []
    begun = {}

    def plant(root: Counts, also_gone: Counts, size_max: int) -> dict[Counts, int]:
        rows = _tree(root, size_max, len(cards))
        for hand in rows:
            cards.append(hand)
            gone.append(_sum(hand, also_gone))
            longer = (with_card(hand, rank) for rank in range(1, 11))
            grown.append([rows.get(found, BUST) for found in longer])
        return rows

    dealt = plant(NONE, NONE, 21)
    for rank in range(1, 11):
        card = with_card(NONE, rank)
        for count in PAIR_CARDS:
            others = tuple((count - 1) * one for one in card)
            # A split ace takes one card: a further one is as good as a bust.
            rows = plant(card, others, 2 if rank == 1 else 21)
            begun[rank, count] = rows[card]
    totals = np.array([total_of(hand)[0] for hand in cards])
    counts = np.array(cards)
    hard = counts @ np.arange(1, 11)
    size = counts.sum(axis=1)
    return Forest(
        counts, np.array(gone), np.array(grown), hard, totals, size, dealt, begun
    )


def _tree(root: Counts, size_max: int, row: int) -> dict[Counts, int]:
    """Return the rows of all hands that grow from a root, the root first."""
    rows = {root: row}
    ahead = [root]
    while ahead:
        hand = ahead.pop()
        for rank in range(1, 11):
            longer = with_card(hand, rank)
            fits = sum(longer) <= size_max and total_of(longer)[0] <= 21
            if fits and longer not in rows:
                rows[longer] = row + len(rows)
                ahead.append(longer)
    return rows


def _sum(some: Counts, others: Counts) -> Counts:
    return tuple(a + b for a, b in zip(some, others, strict=True))
