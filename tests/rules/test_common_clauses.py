"""The common game up to the look at the hole card: C-1 to C-28."""

import msgspec
import pytest

from blackjack import machine
from blackjack.bets import Bet, BetContext, bet_refusal
from blackjack.cards import FULL_DECK, VALUES
from blackjack.hands import is_natural, is_soft, total
from blackjack.rule_sets import RULE_SETS, Limits, rule_set
from blackjack.settlement import match_category, pair_category
from services.table_orchestrator.entry import cut_card_at
from tests.rules.played import (
    LATE,
    NY,
    cards_of,
    clauses,
    nets,
    pending,
    play,
    reasons,
)

DECKS = {1: 1, 2: 2, 6: 5, 8: 5}
"""How many rule sets are played with each number of decks."""


def test_c_1_shoes_hold_whole_decks() -> None:
    """52 cards, each once, and one, two, six or eight times that in a shoe."""
    counted = [rules.decks for rules in RULE_SETS.values()]
    assert len(set(FULL_DECK)) == 52
    assert {count: counted.count(count) for count in DECKS} == DECKS


def test_c_2_cards_count_as_printed_and_pictures_ten() -> None:
    """An ace is 1 here, and 11 where C-3 says so."""
    values = {rank: VALUES[rank + "s"] for rank in "A23456789TJQK"}
    assert list(values.values()) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


@pytest.mark.parametrize(
    ("cards", "points", "soft"),
    [
        ("As Ah", 12, True),
        ("Th As Ah", 12, False),
        ("As Ah Ad 6c", 19, True),
        ("As Th", 21, True),
        ("As 5h Th", 16, False),
        ("As Tc Th", 21, False),
        ("Kh Qd", 20, False),
    ],
)
def test_c_3_one_ace_counts_eleven_where_that_is_no_bust(
    cards: str,
    points: int,
    soft: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """The reference's own examples and the borders."""
    hand = tuple(cards.split())
    assert (total(hand), is_soft(hand)) == (points, soft)


def test_c_4_22_is_a_bust_and_21_is_not() -> None:
    """1.1 draws to 21 and stands by itself, 1.2 draws to 22 and is lost."""
    table = play("Th Tc 7d 6h 6c Td 5h 6s", "1.1 hit", "1.2 hit")
    assert table.lines["1.1"].result == "win"
    assert table.lines["1.2"].result == "bust"


def test_c_5_an_ace_and_a_ten_value_are_a_natural_in_two_cards_only() -> None:
    """Not 21 in three cards, nor an ace and a nine."""
    assert is_natural(("As", "Jd"))
    assert is_natural(("Th", "Ac"))
    assert not is_natural(("As", "5d", "5h"))
    assert not is_natural(("As", "9d"))


def test_c_5_naturals_are_judged_after_the_switch() -> None:
    """A-T and 9-8 become A-8 and 9-T: no natural is left to be paid."""
    table = play("As 9c 7d Th 8c Td", "1 switch", "1.1 stand", "1.2 stand")
    assert clauses(table) == {"1.1": ("NY-43",), "1.2": ("NY-43",)}


def test_c_6_an_ace_and_a_ten_after_a_split_are_no_natural() -> None:
    """Against a dealer's 21 in three cards a natural would win; these push."""
    table = play("Ah 9c 6d As 8c Th Kd Qc 5h", "1.1 split", "1.2 stand")
    assert nets(table) == {"1.1.1": 0, "1.1.2": 0, "1.2": -1000}
    assert clauses(table)["1.1.1"] == ("NY-44",)


def test_c_7_a_two_card_21_is_no_natural() -> None:
    """The switch brings A and K together: against the dealer's 22 they push."""
    table = play("As 9c 6d 8h Kc Th 6h", "1 switch", "1.1 stand", "1.2 stand")
    assert clauses(table)["1.1"] == ("NY-41",)
    assert not machine.hands(table.game)[0].natural


def test_c_8_ten_values_pair_for_a_split_but_not_for_a_side_wager() -> None:
    """K-Q may be split; K-Q-9-8 is no match."""
    box = "wager = 1000\nsuper_match = 100"
    table = play("Kh 9c 7d Qs 8c Th 9h 9s", "1.1 split", boxes=(box,))
    assert clauses(table) == {"1.super_match": ("NY-11",)}
    assert cards_of(table)["1.1.1"] == "Kh 9h"


def test_c_9_the_parts_of_a_round_follow_each_other() -> None:
    """Side wager, insurance, look, play, dealer: so the lines come."""
    box = "wager = 1000\nsuper_match = 100"
    table = play(
        "Kh 9c Ad 7s 8c 9d 7h",
        "1.1 insure",
        "1.2 decline",
        "1.1 surrender",
        "1.2 stand",
        boxes=(box,),
    )
    assert list(table.lines) == ["1.super_match", "1.1.insurance", "1.1", "1.2"]


def test_c_10_no_bet_is_taken_once_a_card_is_out() -> None:
    """The same bet is accepted before and refused after."""
    bet = Bet(1, (1000, 1000))
    rules = rule_set(NY)
    assert bet_refusal(rules, Limits(), bet, BetContext(player="p")) is None
    closed = BetContext(player="p", closed=True)
    assert bet_refusal(rules, Limits(), bet, closed) == "betting_closed"


def test_c_11_a_bet_is_one_whole() -> None:
    """Good main wagers with a bad side wager get no cards; the other box plays."""
    boxes = ("wager = 1000\nsuper_match = 99", "wager = 1000")
    table = play("Th Tc 7d Kh Kc Td", "2.1 stand", "2.2 stand", boxes=boxes)
    assert table.refused_bets == {"1": "side_below_minimum"}
    assert table.balances["p1"] == 10_000_000
    assert nets(table) == {"2.1": 1000, "2.2": 1000}


def test_c_11_without_an_accepted_box_no_round_is_dealt() -> None:
    """The round is over before its first card."""
    table = play("Th", boxes=("wager = 1",))
    assert machine.need(table.game) == machine.NeedNothing()
    assert table.game.cards_used == 0


def test_c_12_boxes_and_hands_are_served_in_order() -> None:
    """Boxes 2 and 4 bet in the other order; cards and turns ascend."""
    boxes = ("box = 4\nwager = 1000", "box = 2\nwager = 1000")
    cards = "2h 3h 4h 5h 7d 9c 9d 9h 9s Td"
    table = play(cards, "2.1 stand", "2.2 stand", boxes=boxes)
    assert [*cards_of(table)] == ["2.1", "2.2", "4.1", "4.2"]
    assert cards_of(table)["4.1"] == "4h 9h"
    assert pending(table) == "4.1"


@pytest.mark.parametrize(
    ("name", "options", "places"),
    [
        (NY, {}, "1.1 1.2 dealer 1.1 1.2 hole"),
        (NY, LATE, "1.1 1.2 dealer 1.1 1.2"),
        ("lv-switch", {}, "1.1 1.2 hole 1.1 1.2 dealer"),
    ],
)
def test_c_13_the_three_orders_of_starting_cards(
    name: str, options: dict[str, str], places: str
) -> None:
    """Orders U, N and H."""
    bets = (Bet(1, (1000, 1000)),)
    game = machine.open_round(rule_set(name, options), bets)
    assert machine.need(game) == machine.NeedCards(tuple(places.split()))


@pytest.mark.parametrize("up", ["Ad", "Kd", "9d"])
def test_c_14_nobody_holds_the_hole_card_before_it_is_turned(up: str) -> None:
    """Neither the round, its dues nor its offers hold it, at any stage."""
    game = machine.open_round(rule_set(NY), (Bet(1, (1000, 1000)),))
    game = machine.deal(game, ("Th", "9c", up, "7h", "7c", None))
    stages = [game]
    if machine.insurance_open(game):
        game = machine.looked(machine.close_insurance(game), natural=False)
        stages.append(game)
    stages.append(machine.apply(game, "1.1", "stand"))
    for stage in stages:
        seen = msgspec.json.encode(stage).decode()
        assert stage.dealer == (up,)
        assert all(f'"{rank}s"' not in seen for rank in "A23456789TJQK")
    game = machine.apply(stages[-1], "1.2", "stand")
    assert machine.need(game) == machine.NeedHole()
    assert machine.turn_hole(game, "8s").dealer[:2] == (up, "8s")


def test_c_15_burning_and_showing_differ_by_rule_set() -> None:
    """New York burns for a new dealer too; Puerto Rico shows no burned card."""
    burned = {
        name: (rules.burn_per_shuffle, rules.burn_per_dealer, rules.burn_shown)
        for name, rules in RULE_SETS.items()
    }
    assert burned[NY] == (1, 1, True)
    assert burned["pr-switch-6d"] == (1, 0, False)
    assert burned["lv-6d"] == (1, 0, True)
    assert burned["online-switch"][0] == 0


@pytest.mark.parametrize(
    ("name", "options", "number"),
    [
        (NY, {}, 234),
        ("ny-switch-8d", {}, 312),
        (NY, {"penetration": 0.5}, 156),
        (NY, {"penetration": 0.9}, 280),
        ("ny-switch-8d", {"penetration": 0.85}, 353),
        ("lv-2d", {}, 78),
        ("online-switch", {}, 208),
        ("lv-1d", {}, 0),
    ],
)
def test_c_16_the_cut_card_lies_at_the_penetration_rounded_down(
    name: str, options: dict[str, float], number: int
) -> None:
    """Of 312 cards 0.9 are 280.8, of 416 cards 0.85 are 353.6; one deck has none."""
    assert cut_card_at(rule_set(name, options)) == number


def test_c_18_side_wagers_are_settled_on_the_dealt_cards() -> None:
    """The two nines lie in one hand after the switch; the pair was paid before it."""
    box = "wager = 1000\nsuper_match = 300"
    table = play("9h 8c 7d 2h 9c Td", "1 switch", boxes=(box,))
    assert nets(table) == {"1.super_match": 300}
    assert cards_of(table)["1.1"] == "9h 9c"


def test_c_19_the_highest_payoff_is_paid_once_and_touches_nothing_else() -> None:
    """Four nines pay 40:1, not a pair besides; the hands lose as they would."""
    box = "wager = 1000\nsuper_match = 100"
    steps = ("1.1 stand", "1.2 stand")
    table = play("9h 9c Td 9s 9d 9h", *steps, boxes=(box,))
    assert nets(table) == {"1.super_match": 4000, "1.1": -1000, "1.2": -1000}


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("9h 9c 9s 9s", "four"),
        ("9h 9c 9s 8s", "three"),
        ("9h 8c 9s 8s", "two_pairs"),
        ("9h 8c 9s 7s", "pair"),
        ("9h 8c 7s 6s", "no_match"),
        ("Th Jc Qs Ks", "no_match"),
    ],
)
def test_c_20_exactly_one_match_holds(cards: str, category: str) -> None:
    """By rank: four pictures of value ten match nothing."""
    assert match_category(tuple(cards.split())) == category


def test_c_20_three_of_a_kind_pays_less_than_two_pairs() -> None:
    """In every table of payoffs."""
    sides = [rules.side for rules in RULE_SETS.values() if rules.side]
    matches = [side.pays for side in sides if side.name == "super_match"]
    assert len(matches) == 6
    assert all(pays["three"] < pays["two_pairs"] for pays in matches)


def test_c_21_a_suited_pair_is_a_suited_pair_only() -> None:
    """Same rank and suit, same rank, and neither."""
    assert pair_category(("9h", "9h")) == "suited"
    assert pair_category(("9h", "9c")) == "pair"
    assert pair_category(("Th", "Qh")) == "no_match"


@pytest.mark.parametrize(
    ("name", "targets"), [(NY, ["1.1", "1.2"]), ("online-switch", ["1"])]
)
def test_c_22_every_starting_hand_is_offered_insurance(
    name: str, targets: list[str]
) -> None:
    """The natural of 1.1 too; online the box is insured as a whole."""
    game = machine.open_round(rule_set(name), (Bet(1, (1000, 1000)),))
    cards = ("As", "9c", "Ad", "Th", "8c", None)
    game = machine.deal(game, cards[: len(machine.need(game).places)])
    assert [offer.target for offer in machine.offers(game)] == targets


@pytest.mark.parametrize("name", RULE_SETS)
def test_c_22_the_up_card_calls_for_insurance(name: str) -> None:
    """Ten-values do in New York Switch only; an ace does everywhere."""
    tens = "TJQK" if name.startswith("ny-switch") else ""
    assert rule_set(name).insurance_up == "A" + tens


def test_c_23_insurance_goes_up_to_half_rounded_down() -> None:
    """Of 1001 at most 500; 1 will do."""
    box = ("wager = 1001",)
    steps = ("1.1 insure 501 !amount_above_maximum", "1.1 insure 500", "1.2 insure 1")
    table = play("Th 9c Ad 7h 8c 7d", *steps, boxes=box)
    assert nets(table) == {"1.1.insurance": -500, "1.2.insurance": -1}


def test_c_23_a_hand_whose_half_is_nothing_is_not_asked() -> None:
    """A wager of one minor unit: the round goes to the look at once."""
    more = "limits = { min = 1, max = 5 }"
    step = "1.1 insure !insurance_not_offered"
    table = play("Th 9c Ad 7h 8c 7d", step, boxes=("wager = 1",), more=more)
    assert pending(table) == "1.1"


def test_c_24_each_hand_answers_once_and_before_the_look() -> None:
    """The second answer is refused; after the switch the offer is closed."""
    table = play(
        "Th 9c Ad 7h 8c 7d",
        "1.1 insure 100",
        "1.1 decline !insurance_answered",
        "1 switch",
        "1.2 insure !insurance_closed",
    )
    assert nets(table) == {"1.1.insurance": -100}


def test_c_25_insurance_is_settled_apart_from_its_hand() -> None:
    """The insured hand busts; the late natural still pays its insurance 2:1."""
    table = play(
        "Th 9c Ad 6h 9s Kh Kd",
        "1.1 insure",
        "1.1 hit",
        "1.2 stand",
        options=LATE,
    )
    assert nets(table) == {"1.1": -1000, "1.1.insurance": 1000, "1.2": -1000}


def test_c_26_a_natural_found_by_the_look_ends_the_round() -> None:
    """Six cards, nobody plays, and the hole card lies open."""
    table = play("Th 9c Kd 7h 8c Ad", "1.1 stand !round_over")
    assert table.game.dealer == ("Kd", "Ad")
    assert nets(table) == {"1.1": -1000, "1.2": -1000}
    assert table.game.cards_used == 6


def test_c_26_without_a_natural_insurance_loses_and_the_round_goes_on() -> None:
    """The insurance is lost before the first play."""
    table = play("Th 9c Kd 7h 8c 7s", "1.1 insure", "1.2 decline")
    assert nets(table) == {"1.1.insurance": -500}
    assert pending(table) == "1.1"


def test_c_27_there_is_no_look_at_a_low_up_card() -> None:
    """Decisions are due as soon as the cards are out."""
    game = machine.open_round(rule_set(NY), (Bet(1, (1000, 1000)),))
    game = machine.deal(game, ("Th", "9c", "9d", "7h", "8c", None))
    assert machine.need(game) == machine.NeedDecisions()
    assert game.stage == "play"


def test_c_28_without_a_hole_card_a_natural_shows_late() -> None:
    """Both hands play before the second card makes the natural."""
    table = play("Th 9c Ad 7h 8c Kd", "1.1 stand", "1.2 stand", options=LATE)
    assert table.game.dealer == ("Ad", "Kd")
    assert reasons(table) == []
    assert clauses(table)["1.1"] == ("NY-37",)
