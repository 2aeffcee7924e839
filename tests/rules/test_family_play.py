"""What the other families do differently in play, and switches while cards come."""

import pytest

from blackjack import machine
from blackjack.bets import Bet
from blackjack.machine import NeedCards
from blackjack.rule_sets import Limits, default_limits, rule_set
from tests.rules.played import (
    NY,
    cards_of,
    clauses,
    nets,
    pending,
    play,
    reasons,
)

MA = "ny-multiple-action"
ONLINE = "online-switch"
TWO_BOXES = ("wager = 1000", "wager = 1000")


def two_boxes_playing(name: str) -> machine.Round:
    """Box 1 has 12 and 13, box 2 has 14 and 15, the dealer shows a seven."""
    bets = (Bet(1, (1000, 1000)), Bet(2, (1000, 1000)))
    game = machine.open_round(rule_set(name), bets)
    cards = ("Th", "Tc", "Td", "Ts", "7d", "2h", "3c", "4d", "5s", None)
    return machine.deal(game, cards)


def test_a_switch_while_another_box_waits_for_its_card_keeps_the_card_due() -> None:
    """NY-20: box 2 switches between box 1's hit and the card; the card still comes."""
    game = machine.apply(two_boxes_playing(NY), "1.1", "hit")
    assert [offer.target for offer in machine.offers(game)] == ["2"]

    game = machine.apply(game, "2", "switch")

    assert machine.need(game) == NeedCards(("1.1",))
    game = machine.deal(game, ("6s",))
    found = {hand.label: hand.cards for hand in machine.hands(game)}
    assert found["1.1"] == ("Th", "2h", "6s")
    assert found["2.1"] == ("Td", "5s")
    assert machine.pending(game) == "1.1"


def test_a_return_while_another_box_waits_for_its_card_asks_the_box_after_it() -> None:
    """NY-22: box 1 goes back while 2.1's card is on its way, and is due then."""
    game = two_boxes_playing(NY)
    for target, action in (("1", "switch"), ("1.1", "stand"), ("1.2", "stand")):
        game = machine.apply(game, target, action)
    game = machine.apply(machine.apply(game, "2.1", "hit"), "1", "switch_back")
    assert machine.need(game) == NeedCards(("2.1",))
    assert machine.pending(machine.deal(game, ("2s",))) == "1.1"


def test_a_turn_of_a_closed_window_has_not_come_either() -> None:
    """LS-15: even money closes box 2's window, yet its turn is what is missing."""
    table = play(
        "Th 9c Ah 7c 5s 6h 5c Kh 8c Ad",
        "2.1 even_money",
        "1.1 decline",
        "1.2 decline",
        "2.2 decline",
        "2 switch !not_your_turn",
        "1.1 stand",
        "1.2 stand",
        "2 switch !switch_closed",
        rules="lv-switch",
        boxes=TWO_BOXES,
    )
    assert nets(table) == {"2.1": 1000}


def test_even_money_takes_the_place_of_an_offer_only() -> None:
    """LV-22: a wager of 1 is offered no insurance, so there is nothing to answer."""
    table = play(
        "Ah Th 7d Kh 9c Ad",
        "1.1 even_money !insurance_not_offered",
        "2.1 decline",
        "1.1 stand",
        rules="lv-6d",
        boxes=("wager = 1", "wager = 2"),
        more="limits = { min = 1, max = 5 }",
    )
    assert nets(table) == {"1.1": 2}


def test_online_an_answered_box_has_answered_for_its_hands() -> None:
    """C-64: `insurance_answered` comes before `even_money_not_allowed`."""
    table = play(
        "8c Td 8h 9c Ah 7c 9d 7h 6s",
        "1 decline",
        "1.1 even_money !insurance_answered",
        "2.1 even_money !even_money_not_allowed",
        "1.1 insure !no_such_hand",
        rules=ONLINE,
        boxes=('player = "ann"\nwager = 1000',) * 2,
    )
    assert len(reasons(table)) == 3


def test_online_an_amount_that_is_none_comes_before_a_wrong_one() -> None:
    """C-64: `invalid_amount` stands before `insurance_amount_fixed` (ON-12)."""
    steps = ("1 insure 0 !invalid_amount", "1 insure 999 !insurance_amount_fixed")
    table = play("8c Td Ah 9c 9d", *steps, "1 insure 1000", rules=ONLINE)
    assert pending(table) == "1.1"


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        (NY, Limits(1000, 500000, 100)),
        ("lv-switch", Limits(1000, 250000, 100)),
        (ONLINE, Limits(100, 20000, 100)),
    ],
)
def test_published_limits_replace_the_defaults(name: str, limits: Limits) -> None:
    """Section A, Limits; ON-3 and LS-4."""
    assert default_limits(rule_set(name)) == limits


def test_online_takes_its_own_minimum_where_none_is_posted() -> None:
    """ON-3: 100 is enough, 99 is not, and 20001 is too much."""
    wagers = (99, 100, 20001)
    boxes = tuple(f'player = "ann"\nwager = {wager}' for wager in wagers)
    table = play("Th 9c 7d 6h 8c", rules=ONLINE, boxes=boxes)
    assert table.refused_bets == {"1": "below_minimum", "3": "above_maximum"}


def test_multiple_action_splits_circles_that_are_settled_apart() -> None:
    """MA-9 `first_circle`: a split after the natural concerns circles 2 and 3."""
    table = play(
        "8d Ac 8h Kc 3d 2s 9s 7d Th 9d",
        "1.1 decline",
        "1.1 split",
        "1.1.1 double",
        "1.1.2 stand",
        rules=MA,
        options={"natural_in_round_one": "first_circle"},
    )
    assert nets(table) == {
        "1.1.circle_1": -1000,
        "1.1.1.circle_2": -2000,
        "1.1.2.circle_2": -1000,
        "1.1.1.circle_3": -2000,
        "1.1.2.circle_3": -1000,
    }
    assert table.balances["p1"] == 10_000_000 - 7000


def test_multiple_action_takes_a_card_for_naturals_only_where_one_matters() -> None:
    """MA-22: under a king rounds 2 and 3 take one card each; round 3 is a natural."""
    table = play("Ah Kd Qh 5h 9c As", rules=MA)
    assert table.game.dealer == ("Kd", "5h", "9c", "As")
    assert nets(table) == {
        "1.1.circle_1": 1500,
        "1.1.circle_2": 1500,
        "1.1.circle_3": 0,
    }


def test_multiple_action_determinate_first_takes_a_second_card_for_insurance() -> None:
    """MA-22: every hand is surrendered, the insurance still turns on it."""
    steps = ("1.1 insure", "1.1 surrender")
    options = {"delivery": "determinate_first"}
    table = play("Th Ac 6h Kd", *steps, rules=MA, options=options)
    assert nets(table)["1.1.insurance"] == 1000
    assert nets(table)["1.1.circle_1"] == -500
    play("Th Ac 6h", "1.1 decline", "1.1 surrender", rules=MA, options=options)


def test_multiple_action_doubles_every_circle_or_none() -> None:
    """MA-15: an amount can't say on which circles it lies."""
    step = "1.1 double 1000 !double_for_less_not_allowed"
    table = play("6h 7c 5d Td", step, rules=MA)
    offer = machine.offers(table.game)[0]
    doubles = [option for option in offer.options if option.action == "double"]
    assert doubles == [machine.Option("double", 3000, 3000)]


def test_puerto_rico_returns_a_switch_where_the_house_allows_it() -> None:
    """PR-18: once, until the window closes, and no second switch."""
    table = play(
        "Tc 6d 9h 5s Kd 8c",
        "1 switch",
        "1 switch_back",
        "1 switch !switch_used",
        "1.1 stand",
        "1 switch_back !switch_closed",
        rules="pr-switch-6d",
        options={"switch_back": True},
    )
    assert cards_of(table) == {"1.1": "Tc 5s", "1.2": "6d Kd"}


def test_las_vegas_pays_a_natural_in_its_turn_before_the_next_hand() -> None:
    """LV-25 and LS-26: paid when it stands, while the second hand still waits."""
    table = play("Ac Td 6h Kd 6c 9s", "1.1 stand", rules="lv-switch")
    assert clauses(table) == {"1.1": ("LS-26",)}
    assert pending(table) == "1.2"


def test_las_vegas_keep_closes_the_return() -> None:
    """LS-16: after `keep` the switched cards stay."""
    steps = ("1 switch", "1 keep", "1 switch_back !switch_closed")
    table = play("Th 9c 5s 6h 8c 7d", *steps, rules="lv-switch")
    assert cards_of(table) == {"1.1": "Th 8c", "1.2": "9c 6h"}


def test_online_a_split_hand_of_21_is_passed_over() -> None:
    """ON-21: jack and ace after a split, and nobody is asked about them."""
    table = play("Jc 9d 6s Qh 8h Ac Kd", "1.1 split", rules=ONLINE)
    assert cards_of(table)["1.1.1"] == "Jc Ac"
    assert pending(table) == "1.1.2"


def test_online_an_insured_bust_box_takes_the_second_card_only() -> None:
    """ON-24: an open insurance alone does not make the dealer draw."""
    steps = ("1 insure", "1.1 hit", "1.2 hit")
    table = play("Tc 9d Ah 6c 7d Kd Qd 2h 5c", *steps, rules=ONLINE)
    assert table.game.dealer == ("Ah", "2h")
    assert nets(table) == {"1.1": -1000, "1.2": -1000, "1.insurance": -1000}
