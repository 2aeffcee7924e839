"""Las Vegas tables, wagers and entry."""

import pytest

from blackjack import machine
from blackjack.bets import Bet, accepted_bet
from blackjack.rule_sets import RULE_SETS, Limits, rule_set
from tests.rules.played import bet_reason, nets, play

SHOES = ("lv-8d", "lv-6d", "lv-6d-high-limit")
DECKS = ("lv-2d-pitch", "lv-2d", "lv-1d")
EXCESS = {"overbet": "return_excess"}


def test_lv_1_the_six_sets() -> None:
    """Eight decks, six twice, two twice, one."""
    decks = [rule_set(name).decks for name in (*SHOES, *DECKS)]
    assert decks == [8, 6, 6, 2, 2, 1]


@pytest.mark.parametrize(
    ("name", "most"), [*((n, 3) for n in SHOES), *((n, 2) for n in DECKS)]
)
def test_lv_2_three_boxes_in_shoe_games_two_otherwise(name: str, most: int) -> None:
    """Each at the table minimum: more boxes do not raise it."""
    own = dict.fromkeys(range(1, most), "ann")
    assert bet_reason(name, 1000, box=most, holders=own) is None
    full = {**own, most: "ann"}
    assert bet_reason(name, 1000, box=most + 1, holders=full) == "too_many_boxes"


@pytest.mark.parametrize("name", [*SHOES, *DECKS])
@pytest.mark.parametrize(
    ("box", "reason"),
    [(2, None), (4, None), (1, "boxes_not_adjacent"), (5, "boxes_not_adjacent")],
)
def test_lv_3_own_boxes_lie_next_to_each_other(
    name: str, box: int, reason: str | None
) -> None:
    """Ann holds box 3; Bob's boxes count for nothing."""
    holders = {3: "ann", 6: "bob"}
    assert bet_reason(name, 1000, box=box, holders=holders) == reason


@pytest.mark.parametrize(
    ("name", "boxes"), [*((n, 7) for n in SHOES), *((n, 6) for n in DECKS)]
)
def test_lv_4_seven_boxes_or_six(name: str, boxes: int) -> None:
    """The last one is there, the next is not."""
    assert bet_reason(name, 1000, box=boxes) is None
    assert bet_reason(name, 1000, box=boxes + 1) == "no_such_box"


@pytest.mark.parametrize("name", DECKS)
def test_lv_5_who_is_barred_may_not_bet(name: str) -> None:
    """Two decks and one bar who enters late or comes back; shoe games nobody."""
    assert rule_set(name).mid_shoe_entry == "barred"
    assert bet_reason(name, 1000, barred=True) == "entry_barred"
    assert all(rule_set(shoe).mid_shoe_entry == "open" for shoe in SHOES)


@pytest.mark.parametrize("name", [*SHOES, *DECKS, "lv-switch"])
def test_lv_6_an_earlier_minimum_may_be_kept(name: str) -> None:
    """Posted are 2500, Ann sat down to 1000; elsewhere nobody keeps a minimum."""
    wagers = (1000,) * rule_set(name).wagers_min
    limits = Limits(2500, 500000, 100)
    assert bet_reason(name, *wagers, limits=limits) == "below_minimum"
    assert bet_reason(name, *wagers, limits=limits, minimum_minor=1000) is None
    less = tuple(wager - 1 for wager in wagers)
    kept = bet_reason(name, *less, limits=limits, minimum_minor=1000)
    assert kept == "below_minimum"
    keeping = {n for n, rules in RULE_SETS.items() if not rules.raised_minimum_binds}
    assert keeping == {*SHOES, *DECKS, "lv-switch"}


def test_lv_7_more_than_the_maximum_is_refused() -> None:
    """Unless the house returns the excess."""
    assert bet_reason("lv-6d", 500001) == "above_maximum"
    assert bet_reason("lv-6d", 500001, options=EXCESS) is None


def test_lv_7_only_the_maximum_is_in_action() -> None:
    """Of 7000 only 5000 play: insurance, double and split are measured by that."""
    boxes = ("wager = 7000\nbalance = 12500",)
    limits = "limits = { min = 1000, max = 5000 }"
    table = play(
        "6h 7c 5d Ad 9s",
        "1.1 insure 2501 !amount_above_maximum",
        "1.1 insure 2500",
        "1.1 double",
        rules="lv-6d",
        options=EXCESS,
        boxes=boxes,
        more=limits,
    )
    assert nets(table) == {"1.1.insurance": -2500, "1.1": 10000}
    assert table.balances["p1"] == 12500 - 2500 + 10000


def test_lv_7_the_balance_need_only_cover_the_part_in_action() -> None:
    """5000 are enough for a wager of 7000, 4999 are not."""
    limits = "limits = { min = 1000, max = 5000 }"
    boxes = ("wager = 7000\nbalance = 5000", "wager = 7000\nbalance = 4999")
    table = play(
        "Th 7c 9d 9s",
        rules="lv-6d",
        options=EXCESS,
        boxes=boxes,
        more=limits,
    )
    assert table.refused_bets == {"2": "insufficient_funds"}


def test_lv_7_side_wagers_over_their_maximum_are_refused() -> None:
    """Whatever the option says."""
    sides = {"bet_the_set": 10001}
    reason = bet_reason("lv-6d", 1000, options=EXCESS, sides=sides)
    assert reason == "side_above_maximum"


def test_lv_7_wagers_are_compared_as_they_were_placed() -> None:
    """300000 and 400000 both play as 250000, and are refused as unequal."""
    uneven = bet_reason("lv-switch", 300000, 400000, options=EXCESS)
    assert uneven == "wagers_not_equal"
    rules = rule_set("lv-switch", EXCESS)
    bet = accepted_bet(rules, Limits(), Bet(1, (300000, 300000), {}))
    assert bet.wagers_minor == (250000, 250000)


def test_lv_8_a_player_may_have_another_maximum() -> None:
    """It replaces the table's, upwards and downwards, for the excess as well."""
    assert bet_reason("lv-6d", 500001, maximum_minor=600000) is None
    assert bet_reason("lv-6d", 600001, maximum_minor=600000) == "above_maximum"
    assert bet_reason("lv-6d", 2001, maximum_minor=2000) == "above_maximum"
    rules = rule_set("lv-6d", EXCESS)
    assert accepted_bet(rules, Limits(), Bet(1, (9000,)), 2000).wagers_minor == (2000,)


@pytest.mark.parametrize("name", [*SHOES, *DECKS, "lv-switch"])
def test_lv_9_one_card_is_burned_per_shuffle(name: str) -> None:
    """None for a new dealer; it is shown on request."""
    rules = rule_set(name)
    assert (rules.burn_per_shuffle, rules.burn_per_dealer) == (1, 0)
    assert rules.burn_shown


@pytest.mark.parametrize("name", [n for n in RULE_SETS if n.startswith("lv-")])
def test_lv_12_starting_cards_come_in_order_h(name: str) -> None:
    """The hole card between first and second cards, the up card last."""
    rules = rule_set(name)
    bet = Bet(2, (1000,) * rules.wagers_min)
    game = machine.open_round(rules, (bet,))
    hands = ("2.1", "2.2")[: rules.hands_per_box]
    assert machine.starting_places(game) == (*hands, "hole", *hands, "dealer")


def test_lv_12_the_dealers_cards_begin_with_the_hole_card() -> None:
    """In the order received."""
    table = play("Th 7c 9d Kd", "1.1 stand", rules="lv-6d")
    assert table.game.dealer == ("7c", "Kd")


@pytest.mark.parametrize("name", [*SHOES, "lv-2d-pitch", "lv-2d"])
@pytest.mark.parametrize(
    ("amount", "reason"),
    [
        (99, "side_below_minimum"),
        (100, None),
        (10000, None),
        (10001, "side_above_maximum"),
    ],
)
def test_lv_14_bet_the_set_from_one_dollar_to_one_hundred(
    name: str, amount: int, reason: str | None
) -> None:
    """A posted minimum below that does not widen it."""
    limits = Limits(1000, 500000, 50)
    sides = {"bet_the_set": amount}
    assert bet_reason(name, 1000, limits=limits, sides=sides) == reason


def test_lv_14_not_with_one_deck_and_no_super_match() -> None:
    """One deck knows no side wager; a house's higher side minimum narrows."""
    sides = {"bet_the_set": 100}
    assert bet_reason("lv-1d", 1000, sides=sides) == "unknown_wager"
    assert bet_reason("lv-6d", 1000, sides={"super_match": 100}) == "unknown_wager"
    posted = Limits(1000, 500000, 500)
    reason = bet_reason("lv-6d", 1000, limits=posted, sides={"bet_the_set": 499})
    assert reason == "side_below_minimum"
