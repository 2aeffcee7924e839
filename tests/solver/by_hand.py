"""Blackjack odds by plain recursion over single cards, for one shoe and no tricks.

Written apart from the solver to judge it: it knows neither falling factorials nor
conditional next cards, but deals the hole card like any other.
"""

from collections.abc import Iterator
from functools import cache

Shoe = tuple[int, ...]
"""Counts by rank, ace first."""

DECK: Shoe = (4,) * 9 + (16,)


def without(shoe: Shoe, *ranks: int) -> Shoe:
    counts = list(shoe)
    for rank in ranks:
        counts[rank - 1] -= 1
    assert min(counts) >= 0, "a card that there was not"
    return tuple(counts)


def draws(shoe: Shoe) -> Iterator[tuple[int, float]]:
    size = sum(shoe)
    yield from ((i + 1, n / size) for i, n in enumerate(shoe) if n)


def total(hard: int, *, ace: bool) -> int:
    return hard + 10 if ace and hard <= 11 else hard


@cache
def dealer(shoe: Shoe, hard: int, ace: bool) -> dict[int, float]:  # noqa: FBT001
    """Return the chances of the dealer's totals; soft 17 is hit, 23 is more too."""
    points = total(hard, ace=ace)
    if points > 17 or (points == 17 and points == hard):
        return {min(points, 23): 1.0}
    found: dict[int, float] = {}
    for rank, chance in draws(shoe):
        rest = dealer(without(shoe, rank), hard + rank, ace or rank == 1)
        for end, part in rest.items():
            found[end] = found.get(end, 0) + chance * part
    return found


def stand(shoe: Shoe, points: int, dealt: tuple[int, int]) -> float:
    """Return what a total is worth against two dealer cards; 22 pushes."""
    ends = dealer(shoe, sum(dealt), 1 in dealt)
    value = 0.0
    for end, chance in ends.items():
        if end != 22:
            value += chance * (1 if end > 22 else (points > end) - (points < end))
    return value


def hole_cards(shoe: Shoe, up: int) -> Iterator[tuple[int, float]]:
    """Yield the hole cards that a look leaves, with their chances."""
    fits = [(rank, p) for rank, p in draws(shoe) if {rank, up} != {1, 10}]
    every = sum(p for _, p in fits)
    yield from ((rank, p / every) for rank, p in fits)


def worths(up: int, *cards: int) -> tuple[float, float, float]:
    """Return stand, hit and double of a hand from one deck, after the look.

    The player doesn't see the hole card: each play is valued over all of them.
    """
    seen = without(DECK, up, *cards)
    holes = [(without(seen, hole), hole, p) for hole, p in hole_cards(seen, up)]
    hard, ace = sum(cards), 1 in cards
    stands = sum(p * stand(shoe, total(hard, ace=ace), (up, h)) for shoe, h, p in holes)
    hit = double = 0.0
    for rank in range(1, 11):
        chance = sum(p * shoe[rank - 1] / sum(shoe) for shoe, _, p in holes)
        if not chance:
            continue
        if total(hard + rank, ace=ace or rank == 1) > 21:
            hit -= chance
            double -= 2 * chance
            continue
        values = worths(up, *cards, rank)
        hit += chance * max(values[:2])
        double += chance * 2 * values[0]
    return stands, hit, double
