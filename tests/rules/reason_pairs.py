"""Pairs of reasons: which can apply together, and which cannot and why."""

from collections.abc import Iterable
from itertools import combinations

Pair = tuple[str, str]


def pair(text: str) -> Pair:
    first, second = text.split()
    return first, second


def pairs_of(reasons: Iterable[str]) -> set[Pair]:
    """Return every pair, the earlier reason first."""
    return set(combinations(reasons, 2))


def excluded(causes: dict[str, str]) -> dict[Pair, str]:
    """Read `why -> "first: second second; first: second"` into one pair each."""
    return {
        (group.split(":")[0].strip(), second): cause
        for cause, text in causes.items()
        for group in text.split(";")
        for second in group.split(":")[1].split()
    }


def unaccounted(reasons: Iterable[str], *known: Iterable[Pair]) -> list[Pair]:
    """Return the pairs that nobody tests or excludes, and those counted twice."""
    seen = [item for part in known for item in part]
    twice = {item for item in seen if seen.count(item) > 1}
    return sorted(pairs_of(reasons) ^ set(seen) | twice)
