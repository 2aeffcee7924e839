"""New York multiple action: the up to three dealer rounds on one up card."""

import pytest

from blackjack.rule_sets import rule_set
from tests.rules.played import clauses, nets, play

MA = "ny-multiple-action"
FIRST = {"delivery": "determinate_first"}
TWO = ("wager = [1000, 1000]",)


def test_ma_19_dealer_round_1_settles_circle_1_only() -> None:
    """The hole card makes 20 and beats 19; round 2 ends with 18, round 3 with 17."""
    table = play("Th Kc 9d Qd 8h 7s", "1.1 stand", rules=MA)
    assert nets(table) == {
        "1.1.circle_1": -1000,
        "1.1.circle_2": 1000,
        "1.1.circle_3": 1000,
    }
    assert clauses(table)["1.1.circle_1"] == ("MA-35",)


def test_ma_19_determinate_first_deals_the_second_card_then() -> None:
    """After the last box has drawn, not before."""
    steps = ("1.1 hit", "1.1 stand")
    table = play("Th 9c 2d 8s Kd 8h", *steps, options=FIRST, rules=MA, boxes=TWO)
    assert table.game.dealer == ("9c", "Kd", "8h")
    assert nets(table) == {"1.1.circle_1": 1000, "1.1.circle_2": 1000}


def test_ma_20_the_up_card_stays_and_the_hand_too() -> None:
    """Six, then a new second card each time; the third round is played out as well."""
    cards = "Th 6c 9d Td Kh 5h Tc 6s 2s 5s"
    table = play(cards, "1.1 stand", rules=MA)
    assert " ".join(table.game.dealer) == "6c Td Kh 5h Tc 6s 2s 5s"
    assert nets(table) == {
        "1.1.circle_1": 1000,
        "1.1.circle_2": -1000,
        "1.1.circle_3": 0,
    }


def test_ma_20_a_later_round_may_bring_a_natural() -> None:
    """Under the ace round 1 has none; round 2 has one, round 3 ends with 19."""
    cards = "Th Ac 9d 9h Kh 8s"
    table = play(cards, "1.1 decline", "1.1 stand", rules=MA)
    assert nets(table) == {
        "1.1.circle_1": -1000,
        "1.1.circle_2": -1000,
        "1.1.circle_3": 0,
    }
    assert clauses(table)["1.1.circle_2"] == ("MA-29",)


@pytest.mark.parametrize(
    ("options", "dealer", "net"),
    [
        ({}, "6c As Kd", 1000),
        ({"soft17": "hit"}, "6c As 4s Kd", -1000),
    ],
)
def test_ma_21_the_dealer_stands_on_soft_17_or_hits_it(
    options: dict[str, str], dealer: str, net: int
) -> None:
    """Stands unless the house says otherwise."""
    cards = "Th 6c 8d As 4s Kd 5d" if options else "Th 6c 8d As Kd 5d"
    table = play(cards, "1.1 stand", options=options, rules=MA, boxes=TWO)
    assert " ".join(table.game.dealer).startswith(dealer)
    assert nets(table)["1.1.circle_1"] == net
    assert rule_set(MA).hits_soft_17 is False


NO_LIVE_HAND: dict[str, tuple[str, tuple[str, ...], dict[str, str], str]] = {
    "naturals only, ten up": ("Ah Kc Kd 5h 9s 2s", (), {}, "Kc 5h 9s 2s"),
    "naturals only, six up": ("Ah 6c Kd 5h", (), {}, "6c 5h"),
    "all bust": ("Th 6c 6d 5h Ks", ("1.1 hit",), {}, "6c 5h"),
    "all surrendered": ("Th 6c 6d 5h", ("1.1 surrender",), {}, "6c 5h"),
    "all bust, no hole card": ("Th 6c 6d Ks", ("1.1 hit",), FIRST, "6c"),
    "naturals only, no hole card": ("Ah 6c Kd", (), FIRST, "6c"),
    "naturals, ten, no hole card": ("Ah Tc Kd 5h 6h 7h", (), FIRST, "Tc 5h 6h 7h"),
}


@pytest.mark.parametrize("situation", NO_LIVE_HAND)
def test_ma_22_a_dealer_round_takes_what_it_needs(situation: str) -> None:
    """Each without a hand in play that is no natural."""
    cards, steps, options, dealer = NO_LIVE_HAND[situation]
    table = play(cards, *steps, options=options, rules=MA)
    assert " ".join(table.game.dealer) == dealer
    assert table.cards == []


def test_ma_22_a_circle_that_nobody_bet_on_takes_no_card() -> None:
    """Two circles, two dealer rounds: 6-K-5 and 6-A."""
    table = play("Th 6c 9d Kh 5s As", "1.1 stand", rules=MA, boxes=TWO)
    assert " ".join(table.game.dealer) == "6c Kh 5s As"
    assert nets(table) == {"1.1.circle_1": -1000, "1.1.circle_2": 1000}


def test_ma_22_one_box_with_a_third_circle_is_enough_for_round_3() -> None:
    """Box 1 has two circles, box 2 three."""
    boxes = ("wager = [1000, 1000]", "wager = [1000, 1000, 1000]")
    cards = "Th 9h 9c Td 9d 9s Ks Js"
    table = play(cards, "1.1 stand", "2.1 stand", rules=MA, boxes=boxes)
    assert nets(table) == {
        "1.1.circle_1": 1000,
        "1.1.circle_2": 1000,
        "2.1.circle_1": 0,
        "2.1.circle_2": -1000,
        "2.1.circle_3": -1000,
    }


def test_ma_23_scripts_list_the_cards_of_all_dealer_rounds() -> None:
    """In the order received: up card, hole card, and what each round drew."""
    table = play("Th 5c 9d 6h 7h Kh 3h 2h Td", "1.1 stand", rules=MA)
    assert " ".join(table.game.dealer) == "5c 6h 7h Kh 3h 2h Td"


def test_ma_24_a_bust_split_hand_loses_its_own_circles_only() -> None:
    """1.1.1 busts at once; 1.1.2 still plays."""
    steps = ("1.1 split", "1.1.1 hit")
    table = play("8h 7c 8d Td 5s Ks 9s", *steps, rules=MA, boxes=TWO)
    assert nets(table) == {"1.1.1.circle_1": -1000, "1.1.1.circle_2": -1000}
    assert clauses(table)["1.1.1.circle_2"] == ("MA-24",)


def test_ma_26_a_natural_of_a_later_round_cites_that_rounds_clause() -> None:
    """Found after play, not by the look: MA-26 on circle 3, not MA-31."""
    table = play("Ah Kd Qh 5h 9c As", rules=MA)
    assert clauses(table) == {
        "1.1.circle_1": ("MA-27",),
        "1.1.circle_2": ("MA-27",),
        "1.1.circle_3": ("MA-26",),
    }
