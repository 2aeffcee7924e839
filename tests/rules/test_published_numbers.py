"""Numbers that an honest engine reproduces, from full shoes and without chance (G)."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import pytest

from blackjack.cards import RANKS
from blackjack.hands import dealer_draws, is_natural, total
from blackjack.rule_sets import rule_set
from blackjack.settlement import match_category, pair_category

TENS_PER_DECK = 16
VALUE_RANKS = "A23456789T"


@cache
def matches(decks: int) -> Counter[str]:
    """Count the ways to draw four cards of a shoe, by category of Super Match."""
    found: Counter[str] = Counter()
    for ranks in combinations_with_replacement(RANKS, 4):
        ways = prod(comb(4 * decks, count) for count in Counter(ranks).values())
        found[match_category(tuple(rank + "s" for rank in ranks))] += ways
    return found


@pytest.mark.parametrize(
    ("decks", "counts"),
    [
        (6, (237_219_840, 136_401_408, 7_577_856, 5_941_728, 138_138)),
        (8, (749_731_840, 435_781_632, 24_760_320, 19_189_248, 467_480)),
    ],
)
def test_super_match_categories_are_as_frequent_as_published(
    decks: int, counts: tuple[int, ...]
) -> None:
    """G.1: all combinations of four cards, counted; C-20."""
    names = ("no_match", "pair", "three", "two_pairs", "four")
    assert tuple(matches(decks)[name] for name in names) == counts


@pytest.mark.parametrize("name", ["ny-switch-6d", "pr-switch-6d", "lv-switch"])
def test_super_match_is_worth_what_is_published(name: str) -> None:
    """G.1: an edge of 2.548501 % with six decks; NY-12 to NY-15."""
    side = rule_set(name).side
    assert side is not None
    counts = matches(6)
    won = sum(side.pays.get(each, -1) * count for each, count in counts.items())
    assert Fraction(won, counts.total()) == Fraction(-126536, 4965115)


@pytest.mark.parametrize(
    ("name", "decks", "worth"),
    [
        ("lv-2d", 2, Fraction(-11, 103)),
        ("lv-2d-pitch", 2, Fraction(-11, 103)),
        ("lv-6d", 6, Fraction(-33, 311)),
    ],
)
def test_bet_the_set_is_worth_what_is_published(
    name: str, decks: int, worth: Fraction
) -> None:
    """G.2: all second cards after any first one; C-21."""
    side = rule_set(name).side
    assert side is not None
    first = "7h"
    won = 0
    for rank in RANKS:
        for suit in "cdhs":
            second = rank + suit
            left = decks - (second == first)
            won += left * side.pays.get(pair_category((first, second)), -1)
    assert Fraction(won, 52 * decks - 1) == worth


def dealer_totals(decks: int, *, hits_soft_17: bool) -> dict[str, float]:
    """Play out every dealer hand of a full shoe; G.5's columns by their names."""
    shoe = dict.fromkeys(VALUE_RANKS, 4 * decks) | {"T": TENS_PER_DECK * decks}
    found: dict[str, float] = dict.fromkeys(("natural", "22", "23+"), 0.0)

    def draw(cards: tuple[str, ...], chance: float, left: int) -> None:
        if len(cards) > 1 and not dealer_draws(cards, hits_soft_17=hits_soft_17):
            points = total(cards)
            name = "23+" if points > 22 else str(points)
            name = "natural" if points == 21 and len(cards) == 2 else name
            found[name] = found.get(name, 0.0) + chance
            return
        for rank, count in shoe.items():
            if count:
                shoe[rank] -= 1
                draw((*cards, rank + "s"), chance * count / left, left - 1)
                shoe[rank] += 1

    draw((), 1.0, 52 * decks)
    return found


@pytest.mark.parametrize(
    ("decks", "hits", "published"),
    [
        (6, True, ".133459 .141205 .135682 .181531 .074874 .047489 .073536 .212224"),
        (8, False, ".145215 .139318 .133629 .179709 .072838 .047451 .072599 .209240"),
        (2, False, ".145482 .138780 .134132 .178058 .073168 .047797 .072519 .210064"),
    ],
)
def test_the_dealer_ends_as_often_as_published(
    decks: int,
    hits: bool,  # noqa: FBT001 - a column of the table
    published: str,
) -> None:
    """G.5: every dealer hand of a full shoe, played out by C-50."""
    found = dealer_totals(decks, hits_soft_17=hits)
    names = ("17", "18", "19", "20", "21", "natural", "22", "23+")
    wanted = [float(chance) for chance in published.split()]
    assert [found[name] for name in names] == pytest.approx(wanted, abs=6e-7)


@pytest.mark.parametrize(
    ("decks", "chance"),
    [
        (1, Fraction(32, 663)),
        (2, Fraction(64, 1339)),
        (6, Fraction(192, 4043)),
        (8, Fraction(256, 5395)),
    ],
)
def test_naturals_are_as_frequent_as_published(decks: int, chance: Fraction) -> None:
    """G.4: all pairs of cards of a shoe that are a natural; C-5."""
    ways = 0
    for ranks in combinations_with_replacement(RANKS, 2):
        if is_natural(tuple(rank + "s" for rank in ranks)):
            ways += prod(comb(4 * decks, count) for count in Counter(ranks).values())
    assert Fraction(ways, comb(52 * decks, 2)) == chance
