"""Side wagers, counted from full shoes, are worth what is published (G.1, G.2)."""

from fractions import Fraction

import pytest

from blackjack.cards import FULL_DECK
from blackjack.house_rules import SideWager
from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.settlement import settle
from blackjack.state import Due
from push22.certify import counting
from push22.certify.side_wagers import side_worth, worth

ORDER = ("pair", "three", "two_pairs", "four", "no_match")


@pytest.mark.parametrize(
    ("decks", "counts", "chances"),
    [
        (
            6,
            (136_401_408, 7_577_856, 5_941_728, 138_138, 237_219_840),
            "1748736/4965115 97152/4965115 76176/4965115 1771/4965115 608256/993023",
        ),
        (
            8,
            (435_781_632, 24_760_320, 19_189_248, 467_480, 749_731_840),
            "1396736/3942085 15872/788417 61504/3942085 899/2365251 1441792/2365251",
        ),
    ],
)
def test_super_match_categories_are_as_frequent_as_published(
    decks: int, counts: tuple[int, ...], chances: str
) -> None:
    """G.1: all combinations of four cards, counted; C-20."""
    found = counting.super_match(decks)
    whole = sum(found.values())

    assert tuple(found[name] for name in ORDER) == counts
    assert [str(Fraction(found[name], whole)) for name in ORDER] == chances.split()


@pytest.mark.parametrize(
    ("decks", "printed"),
    [
        (6, "0.3522045310 0.0195669184 0.0153422428 0.0003566886 0.6125296192"),
        (8, "0.3543140242 0.0201314786 0.0156018960 0.0003800865 0.6095725147"),
    ],
)
def test_super_match_chances_agree_to_the_last_digit(decks: int, printed: str) -> None:
    """G.1: ten decimals each."""
    found = counting.super_match(decks)
    whole = sum(found.values())

    assert [f"{found[name] / whole:.10f}" for name in ORDER] == printed.split()


@pytest.mark.parametrize(("decks", "whole"), [(6, 387_278_970), (8, 1_229_930_520)])
def test_super_match_leaves_no_combination_out(decks: int, whole: int) -> None:
    """G.1: the last line of the table."""
    assert sum(counting.super_match(decks).values()) == whole


@pytest.mark.parametrize("name", ["ny-switch-6d", "pr-switch-6d", "lv-switch"])
def test_super_match_is_worth_what_is_published(name: str) -> None:
    """G.1: an edge of 2.548501 % with six decks; NY-12 to NY-15."""
    found = side_worth(rule_set(name))

    assert found is not None
    assert found.value == Fraction(-126536, 4965115)
    assert f"{-100 * float(found.value):.6f}" == "2.548501"
    assert f"{found.deviation:.6f}" == "1.733742"


def test_the_other_pay_table_is_worth_what_is_published() -> None:
    """G.1: six decks at 1 / 5 / 7 / 50, the eight decks' table of New York; NY-15."""
    side = rule_set("ny-switch-8d").side
    assert side is not None

    found = worth(side, 6)

    assert found.value == Fraction(-185002, 4965115)
    assert f"{-100 * float(found.value):.6f}" == "3.726037"
    assert f"{found.deviation:.6f}" == "1.759548"


@pytest.mark.parametrize(
    ("name", "chances", "value", "edge"),
    [
        ("lv-2d", "1/103 6/103", "-11/103", "10.679612"),
        ("lv-2d-pitch", "1/103 6/103", "-11/103", "10.679612"),
        ("lv-6d", "5/311 18/311", "-33/311", "10.610932"),
        ("lv-6d-high-limit", "5/311 18/311", "-33/311", "10.610932"),
    ],
)
def test_bet_the_set_is_worth_what_is_published(
    name: str, chances: str, value: str, edge: str
) -> None:
    """G.2: all pairs of cards; C-21."""
    found = side_worth(rule_set(name))

    assert found is not None
    suited, pair, _ = (str(each.chance) for each in found.categories)
    assert f"{suited} {pair}" == chances
    assert str(found.value) == value
    assert f"{-100 * float(found.value):.6f}" == edge


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_counted_is_what_is_paid(name: str) -> None:
    """Every category's winnings are those the settlement pays for such cards."""
    rules = rule_set(name)
    found = side_worth(rules)
    if found is None:
        assert rules.side is None
        return
    for each in found.categories:
        cards = tuple(EXAMPLES[found.name][each.name].split())
        due = Due("1.side", 1, "side", 1, cards=cards, side=found.name)
        assert settle(rules, due).payout_minor - 1 == each.pays


EXAMPLES = {
    "super_match": {
        "pair": "5c 5d 9h Ts",
        "three": "5c 5d 5h Ts",
        "two_pairs": "5c 9d 5h 9s",
        "four": "5c 5d 5h 5s",
        "no_match": "5c 6d Th Js",
    },
    "bet_the_set": {"suited": "Tc Tc", "pair": "Tc Td", "no_match": "Tc Jc"},
}


def test_a_set_counted_card_by_card_comes_to_the_same() -> None:
    """Bet the Set once more, as all second cards after each first one of four decks."""
    shoe = FULL_DECK * 4
    first, rest = shoe[0], shoe[1:]
    pays = {"pair": 10, "suited": 15}
    side = SideWager("bet_the_set", pays)

    won = sum(
        pays["suited" if card == first else "pair"] if card[0] == first[0] else -1
        for card in rest
    )

    assert worth(side, 4).value == Fraction(won, len(rest))
