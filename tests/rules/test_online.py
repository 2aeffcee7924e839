"""Online Blackjack Switch, clause by clause."""

import pytest

from blackjack import machine
from blackjack.bets import Bet
from blackjack.rule_sets import Limits, rule_set
from tests.rules.played import bet_reason, cards_of, clauses, nets, pending, play

ON = "online-switch"
ANN = 'player = "ann"\nwager = 1000'
MATCH = ("wager = 1000\nsuper_match = 200",)


def test_on_1_eight_decks_cut_in_the_middle_and_no_card_burned() -> None:
    """416 cards, of which at most 208 are used."""
    rules = rule_set(ON)
    assert (rules.decks, rules.penetration_bp) == (8, 5000)
    assert (rules.burn_per_shuffle, rules.burn_per_dealer) == (0, 0)


def test_on_2_one_player_and_three_boxes() -> None:
    """A second player is refused, a fourth box is not there."""
    assert bet_reason(ON, 1000, 1000, box=3, holders={1: "ann", 2: "ann"}) is None
    assert bet_reason(ON, 1000, 1000, box=4) == "no_such_box"
    assert bet_reason(ON, 1000, 1000, box=2, holders={1: "bob"}) == "table_full"
    assert bet_reason(ON, 1000, 1000, box=3, holders={1: "ann"}) is None


@pytest.mark.parametrize(
    ("wager", "reason"),
    [
        (99, "below_minimum"),
        (100, None),
        (101, None),
        (20000, None),
        (20001, "above_maximum"),
    ],
)
def test_on_3_from_1_to_200_alike_on_both_hands(wager: int, reason: str | None) -> None:
    """Every minor unit between may be staked; a table's limits only narrow them."""
    assert bet_reason(ON, wager, wager) == reason
    assert bet_reason(ON, 500, 501) == "wagers_not_equal"
    wide = Limits(1, 900000, 100)
    assert bet_reason(ON, wager, wager, limits=wide) == reason


def test_on_4_four_cards_a_box_and_one_for_the_dealer() -> None:
    """Order N: nine cards for two boxes, and no hole card."""
    game = machine.open_round(rule_set(ON), (Bet(1, (500, 500)), Bet(3, (500, 500))))
    hands = ("1.1", "1.2", "3.1", "3.2")
    assert machine.starting_places(game) == (*hands, "dealer", *hands)


@pytest.mark.parametrize(
    ("amount", "reason"),
    [
        (249, "side_below_minimum"),
        (250, None),
        (20000, None),
        (20001, "side_above_maximum"),
    ],
)
def test_on_5_super_match_from_the_side_minimum_to_200(
    amount: int, reason: str | None
) -> None:
    """Only beside a main bet."""
    limits = Limits(100, 20000, 250)
    sides = {"super_match": amount}
    assert bet_reason(ON, 1000, 1000, limits=limits, sides=sides) == reason
    assert bet_reason(ON, limits=limits, sides=sides) == "no_main_wager"


@pytest.mark.parametrize(
    ("cards", "net", "cited"),
    [
        ("9h 8c Ad 7h 6c", -200, "ON-6"),
        ("9h 8c Ad 7h 9c", 200, "ON-7"),
        ("9h 8c Ad 9d 9c", 1000, "ON-8"),
        ("9h 8c Ad 8d 9c", 1600, "ON-9"),
        ("9h 9s Ad 9d 9c", 8000, "ON-10"),
    ],
)
def test_on_6_to_10_super_match_is_settled_before_insurance(
    cards: str, net: int, cited: str
) -> None:
    """ON-5: right after the deal, on an ace."""
    bet = Bet(1, (1000, 1000), {"super_match": 200})
    game = machine.open_round(rule_set(ON), (bet,))
    game = machine.deal(game, tuple(cards.split()))
    assert machine.insurance_open(game)
    assert [due.label for due in machine.dues(game)] == ["1.super_match"]
    table = play(cards, rules=ON, boxes=MATCH)
    assert nets(table) == {"1.super_match": net}
    assert clauses(table) == {"1.super_match": (cited,)}


def test_on_11_insurance_per_box_on_an_ace_before_the_first_move() -> None:
    """Both boxes are asked; a ten-value does not call for it."""
    game = machine.open_round(rule_set(ON), (Bet(1, (500, 500)), Bet(2, (500, 500))))
    cards = ("Th", "9c", "8h", "7c", "Ad", "6h", "8c", "9d", "7h")
    game = machine.deal(game, cards)
    assert [offer.target for offer in machine.offers(game)] == ["1", "2"]
    refused = "1 insure !insurance_not_offered"
    play("Th 9c Kd 6h 8c", refused, "1.1 stand", rules=ON)


def test_on_12_it_costs_one_hands_wager() -> None:
    """Half of the two wagers together: 1500, no more and no less."""
    game = machine.open_round(rule_set(ON), (Bet(1, (1500, 1500)),))
    game = machine.deal(game, ("Th", "9c", "Ad", "6h", "8c"))
    insure = machine.offers(game)[0].options[0]
    assert insure == machine.Option("insure", 1500, 1500)
    assert machine.refusal(game, "1", "insure", 1499) == "insurance_amount_fixed"
    assert machine.refusal(game, "1", "insure", 1501) == "insurance_amount_fixed"
    assert machine.refusal(game, "1.1", "insure") == "no_such_hand"


@pytest.mark.parametrize(
    ("second", "net", "cited"), [("Kh", 2000, "ON-13"), ("9h", -1000, "ON-14")]
)
def test_on_13_and_14_insurance_is_settled_on_the_second_card(
    second: str, net: int, cited: str
) -> None:
    """Still open while the box plays; apart from the hands."""
    cards = f"Th 9c Ad 8h 9d {second}"
    steps = ("1 insure", "1.1 stand", "1.2 stand")
    assert nets(play(cards, *steps[:2], rules=ON)) == {}
    table = play(cards, *steps, rules=ON)
    assert nets(table)["1.insurance"] == net
    assert clauses(table)["1.insurance"] == (cited,)


def test_on_15_switches_are_free_until_something_else_is_done() -> None:
    """There and back again and again; box 2 waits for its turn."""
    table = play(
        "Th 9c 8h 7c 6d 6h 8c 9d 7h",
        "2 switch !not_your_turn",
        "1 switch_back !not_switched",
        *("1 switch", "1 switch", "1 switch", "1 switch_back", "1 switch"),
        "1.1 stand",
        "1 switch !switch_closed",
        "1 switch_back !switch_closed",
        rules=ON,
        boxes=(ANN, ANN),
    )
    assert cards_of(table)["1.1"] == "Th 8c"
    assert pending(table) == "1.2"


def test_on_16_a_switch_makes_a_natural_and_breaks_one() -> None:
    """A-6 and 9-K become A-K and 9-6; switched back nobody has a natural."""
    cards = "Ah 9c 7d 6h Kc Td"
    made = play(cards, "1 switch", "1.2 stand", rules=ON)
    assert clauses(made) == {"1.1": ("ON-27",), "1.2": ("ON-33",)}
    steps = ("1 switch", "1 switch", "1.1 stand", "1.2 stand")
    unmade = play(cards, *steps, rules=ON)
    assert clauses(unmade) == {"1.1": ("ON-32",), "1.2": ("ON-31",)}


def test_on_17_a_natural_is_passed_over_and_paid_at_the_end() -> None:
    """Refused while the box may switch, closed afterwards, paid with the others."""
    table = play(
        "Ah 9c 7d Kh 8c Td",
        "1.1 stand !not_on_a_natural",
        "1 keep",
        "1.1 stand !hand_closed",
        rules=ON,
    )
    assert nets(table) == {}
    assert pending(table) == "1.2"
    two = play("Ah Kc 7d Kh Ac Td", rules=ON)
    assert pending(two) == "1"
    done = play("Ah Kc 7d Kh Ac Td", "1 keep", rules=ON)
    assert nets(done) == {"1.1": 1000, "1.2": 1000}


def test_on_18_a_double_is_whole() -> None:
    """On any first two cards, also after a split, not on a split ace or a natural."""
    table = play(
        "8h Kc 7d 8c Ac 3s 9h 2d Td",
        "1.2 double !not_on_a_natural",
        "1.1 split",
        "1.1.1 double 999 !double_for_less_not_allowed",
        "1.1.1 double 1001 !amount_above_maximum",
        "1.1.1 double",
        "1.1.2 stand",
        rules=ON,
    )
    assert nets(table) == {"1.1.1": 2000, "1.1.2": -1000, "1.2": 1000}


def test_on_19_each_starting_hand_is_split_once() -> None:
    """Jack and queen pair; a third ten-value is not split again."""
    table = play(
        "Jh 9c 7d Qh 8c Ks 2d",
        "1.1 split",
        "1.1.1 split !split_limit",
        "1.1.1 stand",
        rules=ON,
    )
    assert machine.hands(table.game)[1].wagers == (1000,)
    assert table.balances["p1"] == 10_000_000 - 3000


def test_on_20_split_aces_get_one_card_each() -> None:
    """Ace and king are then no natural: against a 22 they push."""
    steps = ("1.1 split", "1.2 stand")
    table = play("Ah 9c 7d Ac 8c Ks As 5d Td", *steps, rules=ON)
    assert cards_of(table)["1.1.1"] == "Ah Ks"
    assert cards_of(table)["1.1.2"] == "Ac As"
    assert clauses(table)["1.1.1"] == ("ON-29",)


def test_on_21_a_split_hand_under_21_plays_on() -> None:
    """Jack and ace are passed over, queen and nine are asked."""
    table = play("Jc 9d 6s Qh 8h Ac 9h", "1.1 split", rules=ON)
    refused = play("Jc 9d 6s Qh 8h Ac 9h", "1.1 split", "1.1.1 hit !", rules=ON)
    assert pending(table) == "1.1.2"
    assert refused.refused == [("1.1.1 hit !", "hand_closed")]


def test_on_22_a_card_is_drawn_under_21_only() -> None:
    """A hand may stand on any total, 5 included, and stands by itself on 21."""
    table = play("2h Th 7d 3h 9c", "1.1 stand", rules=ON)
    assert pending(table) == "1.2"
    drawn = play("2h Th 7d 9h 9c Td", "1.1 hit", "1.1 hit !hand_closed", rules=ON)
    assert pending(drawn) == "1.2"


def test_on_23_nobody_surrenders() -> None:
    """Whatever the cards."""
    play("Th 9c 7d 6h 8c", "1.1 surrender !surrender_not_allowed", rules=ON)


ON_24 = {
    "all bust": ("Tc 9d 6h 6c 7d Kd Qd 2h", ("1.1 hit", "1.2 hit"), "6h 2h"),
    "a natural is left": ("Ac 9d 6h Kc 7d Qd 2h 9s", ("1.2 hit",), "6h 2h 9s"),
    "soft 17": ("Tc 9d 6h 8c 9h Ah 4h", ("1.1 stand", "1.2 stand"), "6h Ah 4h"),
}


@pytest.mark.parametrize("situation", ON_24)
def test_on_24_the_dealer_draws_while_a_main_wager_is_left(situation: str) -> None:
    """Naturals included; with none left the second card is taken all the same."""
    cards, steps, dealer = ON_24[situation]
    table = play(cards, *steps, rules=ON)
    assert " ".join(table.game.dealer) == dealer
    assert table.cards == []


def test_on_28_a_dealer_natural_takes_doubled_and_split_stakes() -> None:
    """And the plain hand; the player's natural gets its wager back: ON-26."""
    steps = ("1.1 split", "1.1.1 double", "1.1.2 stand")
    table = play("8h Kc Td 8c Ac 3s 9h 2d Ad", *steps, rules=ON)
    assert nets(table) == {"1.1.1": -2000, "1.1.2": -1000, "1.2": 0}
    assert clauses(table) == {
        "1.1.1": ("ON-28",),
        "1.1.2": ("ON-28",),
        "1.2": ("ON-26",),
    }
