"""The dealer, settlement, amounts and bad input: C-50 to C-62."""

import msgspec
import pytest

from blackjack import machine
from blackjack.hands import dealer_draws
from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.settlement import settle
from tests.rules.played import (
    LATE,
    NY,
    cards_of,
    clauses,
    due,
    nets,
    pending,
    play,
    reasons,
)


@pytest.mark.parametrize(
    ("cards", "hit", "stand"),
    [
        ("Th 6c", True, True),
        ("Th 7c", False, False),
        ("As 5c", True, True),
        ("As 6c", True, False),
        ("As 2c 4d", True, False),
        ("As As 5c", True, False),
        ("As 7c", False, False),
        ("Th 6c As", False, False),
        ("As 6c Th", False, False),
        ("Th 6c 6d", False, False),
    ],
)
def test_c_50_the_dealer_draws_to_16_and_perhaps_soft_17(
    cards: str,
    hit: bool,  # noqa: FBT001 - a column of the table
    stand: bool,  # noqa: FBT001 - likewise
) -> None:
    """With soft 17 hit, and with soft 17 stood on."""
    hand = tuple(cards.split())
    assert dealer_draws(hand, hits_soft_17=True) == hit
    assert dealer_draws(hand, hits_soft_17=False) == stand


@pytest.mark.parametrize(
    ("cards", "steps", "dealer"),
    [
        ("Th 9c 7d 6h 7c 5d Kh 8h", ("1.1 hit", "1.2 stand"), "7d 5d 8h"),
        ("Th 9c 7d 6h 7c 5d Kh Ts", ("1.1 hit", "1.2 hit"), "7d 5d"),
        ("Th Ah 7d 6h Kc 5d", ("1.1 surrender",), "7d 5d"),
        ("Ah Kh 7d Kc Ac 5d", ("1 keep",), "7d 5d"),
    ],
)
def test_c_51_to_53_the_dealer_draws_only_for_a_live_hand(
    cards: str, steps: tuple[str, ...], dealer: str
) -> None:
    """A bust, surrendered or natural hand is not live (C-51 to C-53)."""
    assert " ".join(play(cards, *steps).game.dealer) == dealer


@pytest.mark.parametrize("up", ["9d", "Ad"])
def test_c_52_with_a_live_hand_a_dealer_without_hole_card_draws_too(up: str) -> None:
    """The second card is dealt and cards are drawn to 17."""
    steps = ("1.1 stand", "1.2 stand")
    table = play(f"Th 9c {up} 8h 9h 2s 6s", *steps, options=LATE)
    assert table.game.dealer[:3] == (up, "2s", "6s")


@pytest.mark.parametrize(
    ("cards", "steps", "taken"),
    [
        ("Ah Kh 9d Kc Ac", ("1 keep",), 0),
        ("Ah Kh Td Kc Ac 5d", ("1 keep",), 1),
        ("Th 9c 9d 6h 7c", ("1.1 surrender", "1.2 surrender"), 0),
        ("Th 9c Td 6h 7c 5d", ("1.1 surrender", "1.2 surrender"), 1),
        ("Th 9c Td 6h 7c Kc Ks", ("1.1 hit", "1.2 hit"), 0),
        ("Th 9c Td 6h 7c Kc Ks 5d", ("1.1 insure", "1.1 hit", "1.2 hit"), 1),
    ],
)
def test_c_54_a_second_card_is_taken_only_if_a_natural_matters(
    cards: str, steps: tuple[str, ...], taken: int
) -> None:
    """A natural or a surrender against 9 and against ten; busts, one insured."""
    table = play(cards, *steps, options=LATE)
    assert len(table.game.dealer) == 1 + taken
    assert table.cards == []
    assert table.game.stage == "over"


@pytest.mark.parametrize(
    ("facts", "result", "payout"),
    [
        ({"state": "bust", "dealer": "Th 6c Kd"}, "bust", 0),
        ({"state": "surrendered", "dealer": "Th 6c Kd"}, "surrender", 500),
        ({"natural": True, "dealer": "Th 5c 6d"}, "blackjack", 2000),
        ({"natural": True, "dealer": "Th 6c 6d"}, "blackjack", 2000),
        (
            {"natural": True, "dealer": "Th Ac", "dealer_natural": True},
            "push",
            1000,
        ),
        ({"dealer": "Th Ac", "dealer_natural": True}, "lose", 0),
        ({"dealer": "Th 6c 6d"}, "push", 1000),
        ({"dealer": "Th 6c 7d"}, "win", 2000),
        ({"dealer": "Th 8c"}, "win", 2000),
        ({"dealer": "Th 9c"}, "push", 1000),
        ({"dealer": "Th Tc"}, "lose", 0),
    ],
)
def test_c_55_the_first_line_that_applies_decides(
    facts: dict[str, object], result: str, payout: int
) -> None:
    """Line by line; even money, line 3, is the next test's matter."""
    cards = "Ah Kh" if "natural" in facts else "Th 9h"
    line = settle(rule_set(NY), due(cards, **facts))
    assert (line.result, line.payout_minor) == (result, payout)


def test_c_55_even_money_comes_before_the_naturals() -> None:
    """Paid 1:1 although the dealer has a natural as well."""
    steps = ("1.1 even_money",)
    table = play("Ah Kd Kh As", *steps, rules="lv-6d", boxes=("wager = 1000",))
    assert nets(table) == {"1.1": 1000}


@pytest.mark.parametrize(
    ("dealer", "net"), [("Th 6c 7d", 2000), ("Th 9c", 0), ("Th Tc", -2000)]
)
def test_c_56_a_result_concerns_the_whole_stake(dealer: str, net: int) -> None:
    """A doubled 19 wins, pushes and loses wager and added stake."""
    doubled = due("5h 6h 8h", stake_minor=2000, added_minor=1000, dealer=dealer)
    line = settle(rule_set(NY), doubled)
    assert line.payout_minor - 2000 == net


def test_c_57_the_last_group_is_written_in_label_order() -> None:
    """What is decided earlier comes first: the bust of 2.1, then the rest."""
    cards = "8h 9c Th Ah 7d 8s 9h 6s Kh Td 3c 2c Kd"
    steps = ("1.1 split", "1.1.1 stand", "1.1.2 stand", "1.2 stand", "2.1 hit")
    table = play(cards, *steps, boxes=("wager = 1000", "wager = 1000"))
    assert list(table.lines) == ["2.1", "1.1.1", "1.1.2", "1.2", "2.2"]


@pytest.mark.parametrize(
    ("name", "facts", "payout"),
    [
        (NY, {"state": "surrendered"}, 501),
        ("lv-6d", {"state": "surrendered"}, 501),
        ("lv-6d", {"natural": True, "state": "paid"}, 1001 + 1502),
        ("lv-1d", {"natural": True, "state": "paid"}, 1001 + 1202),
        (NY, {"natural": True, "dealer": "Th 9c"}, 2002),
    ],
)
def test_c_58_halves_and_odds_are_rounded_once(
    name: str, facts: dict[str, object], payout: int
) -> None:
    """Of 1001: 501 come back, 3:2 wins 1502, 6:5 wins 1202."""
    odd = due("Ah Kh", stake_minor=1001, wagered_minor=1001, **facts)
    assert settle(rule_set(name), odd).payout_minor == payout


def test_c_59_stakes_leave_at_once_and_come_back_with_the_winnings() -> None:
    """Two wagers, a side wager and a double are out while 1.2 is asked."""
    box = "wager = 1000\nbalance = 5000\nsuper_match = 100"
    cards = "6h 9c 7d 5h 8c Td 9s"
    table = play(cards, "1.1 double", boxes=(box,))
    assert table.balances == {"p1": 5000 - 2000 - 100 - 1000}
    table = play(cards, "1.1 double", "1.2 stand", boxes=(box,))
    assert table.balances == {"p1": 5000 - 100 + 2000}


def test_c_60_boxes_of_a_player_draw_on_one_balance_in_order() -> None:
    """4999 cover two boxes; the third is refused whole and a double is too."""
    box = 'player = "ann"\nbalance = 4999\nwager = 1000'
    cards = "6h 9c 6c 9h 7d 5h 8c 5c 8h Td"
    step = "1.1 double !insufficient_funds"
    table = play(cards, step, boxes=(box, box, box))
    assert table.refused_bets == {"3": "insufficient_funds"}
    assert table.balances == {"ann": 999}


def test_c_60_what_the_balance_still_covers_is_accepted() -> None:
    """999 left: the double for 999 passes, one for 1000 does not."""
    box = 'player = "ann"\nbalance = 2999\nwager = 1000'
    steps = ("1.1 double !insufficient_funds", "1.1 double 999")
    table = play("6h 9c 7d 5h 8c Td 9s", *steps, boxes=(box,))
    assert table.balances == {"ann": 0}


def test_c_61_the_published_odds_are_paid_exactly() -> None:
    """No less than 1:1, 5:1, 8:1 and 40:1 in New York means exactly these."""
    side = RULE_SETS[NY].side
    assert side is not None
    assert side.pays == {"pair": 1, "three": 5, "two_pairs": 8, "four": 40}
    assert RULE_SETS[NY].natural_pays == (1, 1)


def test_c_62_bad_input_changes_nothing() -> None:
    """Cards, money and the round itself are the same after nine refusals."""
    cards = "Th 9c 7d 6h 8c Td"
    bad = (
        "1.1 jump !unknown_action",
        "1.3 hit !no_such_hand",
        "1 hit !no_such_hand",
        "1.1 insure !insurance_not_offered",
        "1 switch_back !not_switched",
        "1.2 hit !not_your_turn",
        "1.1 split !not_a_pair",
        "1.1 double 0 !invalid_amount",
        "1.1 double 1001 !amount_above_maximum",
    )
    before, after = play(cards), play(cards, *bad)
    assert len(reasons(after)) == len(bad)
    assert msgspec.json.encode(before.game) == msgspec.json.encode(after.game)
    assert before.balances == after.balances
    assert before.cards == after.cards


def test_c_62_a_refused_step_leaves_an_open_insurance_open() -> None:
    """It was judged as if the offer were closed, and closed nothing."""
    steps = ("1.1 split !not_a_pair", "1.1 insure 200", "1.2 insure")
    table = play("Th 9c Ad 6h 8c 5d", *steps)
    assert nets(table) == {"1.1.insurance": -200, "1.2.insurance": -500}
    assert pending(table) == "1.1"
    assert cards_of(table)["1.1"] == "Th 6h"
    assert machine.up_card(table.game) == "Ad"
    assert clauses(table)["1.1.insurance"] == ("NY-18",)
