"""Las Vegas Blackjack Switch, clause by clause."""

import pytest

from blackjack import machine
from blackjack.bets import Bet
from blackjack.rule_sets import Limits, rule_set
from tests.rules.played import bet_reason, cards_of, clauses, nets, pending, play

LS = "lv-switch"
TWO = ("wager = 1000", "wager = 1000")


def test_ls_1_six_decks_or_eight() -> None:
    """Eight bring their own Super Match table (LS-11, LS-12)."""
    assert rule_set(LS).decks == 6
    assert rule_set(LS, {"decks": 8}).decks == 8


def test_ls_2_five_boxes_and_one_for_each_player() -> None:
    """A second box is one too many, box 6 is not there."""
    assert bet_reason(LS, 1000, 1000, box=5) is None
    assert bet_reason(LS, 1000, 1000, box=6) == "no_such_box"
    assert bet_reason(LS, 1000, 1000, box=2, holders={1: "ann"}) == "too_many_boxes"


def test_ls_3_the_two_wagers_are_equal() -> None:
    """Checked before the first card."""
    assert bet_reason(LS, 1000, 1001) == "wagers_not_equal"
    assert bet_reason(LS, 1000) == "wrong_wager_count"


def test_ls_4_at_most_2500_dollars_on_a_hand() -> None:
    """A table may post less, not more; a player's own maximum goes further."""
    assert bet_reason(LS, 250000, 250000) is None
    assert bet_reason(LS, 250001, 250001) == "above_maximum"
    wide = Limits(1000, 900000, 100)
    assert bet_reason(LS, 250001, 250001, limits=wide) == "above_maximum"
    narrow = Limits(1000, 90000, 100)
    assert bet_reason(LS, 90001, 90001, limits=narrow) == "above_maximum"
    assert bet_reason(LS, 400000, 400000, maximum_minor=400000) is None


def test_ls_5_entry_is_open() -> None:
    """In every round of the shoe."""
    assert rule_set(LS).mid_shoe_entry == "open"
    assert rule_set(LS).entry == ("open",)


def test_ls_6_the_dealer_takes_a_card_face_down_and_the_last_one_face_up() -> None:
    """Order H."""
    game = machine.open_round(rule_set(LS), (Bet(1, (1000, 1000)),))
    places = ("1.1", "1.2", "hole", "1.1", "1.2", "dealer")
    assert machine.starting_places(game) == places
    game = machine.deal(game, ("Th", "9c", None, "6h", "8c", "7d"))
    assert machine.up_card(game) == "7d"


@pytest.mark.parametrize(
    ("amount", "reason"),
    [
        (299, "side_below_minimum"),
        (300, None),
        (250000, None),
        (250001, "side_above_maximum"),
    ],
)
def test_ls_7_super_match_from_the_side_minimum_to_a_hands_maximum(
    amount: int, reason: str | None
) -> None:
    """Whatever lies on the hands; a player's own maximum bounds it too (LV-8)."""
    limits = Limits(1000, 500000, 300)
    sides = {"super_match": amount}
    assert bet_reason(LS, 1000, 1000, limits=limits, sides=sides) == reason
    own = {"limits": limits, "sides": sides, "maximum_minor": 200000}
    cut = None if amount == 300 else reason or "side_above_maximum"
    assert bet_reason(LS, 1000, 1000, **own) == cut


def test_ls_7_super_match_looks_at_the_first_four_cards() -> None:
    """Nine and nine lie across the hands; the pair is paid before a switch."""
    boxes = ("wager = 1000\nsuper_match = 200",)
    table = play("9h 8c 5d 7h 9c 6d", rules=LS, boxes=boxes)
    assert nets(table) == {"1.super_match": 200}
    assert clauses(table) == {"1.super_match": ("LS-9",)}


def test_ls_8_without_a_match_it_loses() -> None:
    """Four ten-values of different ranks are no match."""
    boxes = ("wager = 1000\nsuper_match = 200",)
    table = play("Th Jc 5d Qh Kc 6d", rules=LS, boxes=boxes)
    assert nets(table) == {"1.super_match": -200}
    assert clauses(table) == {"1.super_match": ("LS-8",)}


@pytest.mark.parametrize(
    ("decks", "cards", "net", "cited"),
    [
        (6, "9h 9c 5d 9s 7c 6d", 1000, "LS-10"),
        (6, "9h 7c 5d 9s 7d 6d", 1600, "LS-11"),
        (8, "9h 7c 5d 9s 7d 6d", 1400, "LS-11"),
        (6, "9h 9c 5d 9s 9d 6d", 8000, "LS-12"),
        (8, "9h 9c 5d 9s 9d 6d", 10000, "LS-12"),
    ],
)
def test_ls_10_to_12_pay_by_the_number_of_decks(
    decks: int, cards: str, net: int, cited: str
) -> None:
    """Three of a kind alike; two pairs and four of a kind not."""
    boxes = ("wager = 1000\nsuper_match = 200",)
    table = play(cards, options={"decks": decks}, rules=LS, boxes=boxes)
    assert nets(table) == {"1.super_match": net}
    assert clauses(table) == {"1.super_match": (cited,)}


def test_ls_13_and_14_insurance_pays_two_to_one_or_loses() -> None:
    """LS-13 with the natural, LS-14 without; hand by hand."""
    steps = ("1.1 insure 400", "1.2 decline")
    won = play("Th 9c Kd 6h 8c Ad", *steps, rules=LS)
    lost = play("Th 9c 9d 6h 8c Ad", *steps, rules=LS)
    assert nets(won) == {"1.1.insurance": 800, "1.1": -1000, "1.2": -1000}
    assert nets(lost) == {"1.1.insurance": -400}
    assert clauses(won)["1.1.insurance"] == ("LS-13",)
    assert clauses(won)["1.1"] == ("LS-24",)
    assert clauses(lost)["1.1.insurance"] == ("LS-14",)


def test_ls_15_the_switch_comes_with_the_turn() -> None:
    """Box 2 waits for box 1; each once, and not after a play."""
    table = play(
        "Th 9c 5d 4h 7s 6h 8c 2d 3h 9s",
        "2 switch !not_your_turn",
        "2 keep !not_your_turn",
        "1 switch",
        "1 switch !switch_used",
        "1.1 stand",
        "1 switch !switch_closed",
        "1.2 stand",
        "2 switch",
        "2.1 stand",
        rules=LS,
        boxes=TWO,
    )
    assert cards_of(table)["1.1"] == "Th 8c"
    assert cards_of(table)["2.1"] == "5d 3h"
    assert pending(table) == "2.2"


def test_ls_15_no_switch_against_a_dealer_natural() -> None:
    """The round is over before it."""
    table = play("Th 9c Ac 6h 8c Kd", "1 switch !round_over", rules=LS)
    assert clauses(table) == {"1.1": ("LS-24",), "1.2": ("LS-24",)}


def test_ls_16_a_switch_is_returned_once_before_any_play() -> None:
    """No second switch, no second return, and none after a stand."""
    table = play(
        "Th 9c 5d 6h 8c 7d",
        "1 switch_back !not_switched",
        "1 switch",
        "1 switch_back",
        "1 switch_back !not_switched",
        "1 switch !switch_used",
        rules=LS,
    )
    assert cards_of(table) == {"1.1": "Th 6h", "1.2": "9c 8c"}
    steps = ("1 switch", "1.1 stand", "1 switch_back !switch_closed")
    play("Th 9c 5d 6h 8c 7d", *steps, rules=LS)


def test_ls_17_a_hand_switched_into_21_is_no_natural() -> None:
    """A-6 and 9-K become A-K and 9-6: against the dealer's 22 it pushes."""
    steps = ("1 switch", "1.1 stand", "1.2 stand")
    table = play("Ah 9c 6d 6h Kc Td 6s", *steps, rules=LS)
    assert nets(table) == {"1.1": 0, "1.2": 0}
    assert clauses(table) == {"1.1": ("LS-27",), "1.2": ("LS-27",)}


def test_ls_17_a_return_brings_the_natural_back() -> None:
    """A-K is broken by the switch and whole after the return."""
    steps = ("1 switch", "1 switch_back", "1.1 stand")
    table = play("Ah 9c 6d Kh 6c Td", *steps, rules=LS)
    assert clauses(table) == {"1.1": ("LS-26",)}
    broken = play("Ah 9c 6d Kh 6c Td 5s", "1 switch", "1.1 stand", rules=LS)
    assert clauses(broken) == {}


def test_ls_18_play_is_that_of_las_vegas() -> None:
    """A switched 21 is hit, a natural doubled, a hand doubled for less."""
    switched = ("1 switch", "1.1 hit", "1.1 stand", "1.2 double 1")
    table = play("Ah 9c 6d 6h Kc Td 5s 3h 3d", *switched, rules=LS)
    assert cards_of(table) == {"1.1": "Ah Kc 5s", "1.2": "9c 6h 3h"}
    assert nets(table) == {"1.1": -1000, "1.2": -1001}
    doubled = play("Ah 9c 6d Kh 7c Td 9s 2s", "1.1 double", "1.2 stand", rules=LS)
    assert nets(doubled) == {"1.1": 2000, "1.2": -1000}
    assert clauses(doubled) == {"1.1": ("LS-29",), "1.2": ("LS-31",)}


def test_ls_18_a_split_21_may_be_doubled() -> None:
    """Ten and ace after a split: LV-26."""
    steps = ("1.1 split", "1.1.1 double")
    table = play("Th 9c 6d Kh 7c Td Ah 9s 5s", *steps, rules=LS)
    assert cards_of(table)["1.1.1"] == "Th Ah 9s"


def test_ls_19_aces_make_four_hands_of_each_starting_hand() -> None:
    """Three splits of 1.1, one card each; 1.2 has splits of its own."""
    table = play(
        "Ah Ac 6d Ad As Td Ah Ac 2c Ad 3c 4c 5c 6c Kd",
        "1.1 split",
        "1.1.1 hit !split_ace",
        "1.1.1 split",
        "1.1.1.1 split",
        "1.2 split",
        rules=LS,
    )
    assert cards_of(table) == {
        "1.1.1.1.1": "Ah 2c",
        "1.1.1.1.2": "Ac Ad",
        "1.1.1.2": "Ah 3c",
        "1.1.2": "Ad 4c",
        "1.2.1": "Ac 5c",
        "1.2.2": "As 6c",
    }
    assert set(nets(table).values()) == {1000}


def test_ls_20_nobody_surrenders() -> None:
    """Before the switch and after it."""
    steps = ("1.1 surrender !surrender_not_allowed", "1 switch")
    play("Th 9c 5d 6h 8c 7d", *steps, steps[0], rules=LS)


def test_ls_21_the_dealer_hits_soft_17() -> None:
    """A-6-4 is 21 and beats two times 18."""
    steps = ("1.1 stand", "1.2 stand")
    table = play("Th 9c Ac 8h 9d 6d 4s", *steps, rules=LS)
    assert table.game.dealer == ("Ac", "6d", "4s")
    assert nets(table) == {"1.1": -1000, "1.2": -1000}


def test_ls_25_and_26_a_natural_is_paid_at_once() -> None:
    """Even money before the look; a standing natural before the dealer's 22."""
    taken = play("Ah 9c 6d Kh 8c Ad", "1.1 even_money", "1.2 decline", rules=LS)
    assert clauses(taken) == {"1.1": ("LS-25",)}
    steps = ("1.1 stand", "1.2 stand")
    stood = play("Ah 9c 6d Kh 8c Td 6s", *steps, rules=LS)
    assert nets(stood) == {"1.1": 1000, "1.2": 0}
    assert clauses(stood) == {"1.1": ("LS-26",), "1.2": ("LS-27",)}
