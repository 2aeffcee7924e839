"""New York switch, play and dealer: NY-20 to NY-31."""

import pytest

from blackjack import machine
from tests.rules.played import LATE, cards_of, clauses, nets, pending, play, reasons

TWO = ("wager = 1000", "wager = 1000")


def test_ny_20_a_later_box_may_switch_first_and_keeps_the_offer() -> None:
    """Box 2 switches while box 1 waits; box 1 still may until its first play."""
    cards = "Th 9c 8h 7c 7d 6h 5c 5h 6c 9d"
    table = play(cards, "2 switch", "1 switch", boxes=TWO)
    assert cards_of(table) == {
        "1.1": "Th 5c",
        "1.2": "9c 6h",
        "2.1": "8h 6c",
        "2.2": "7c 5h",
    }


def test_ny_20_no_switch_before_the_look() -> None:
    """While insurance is open a switch closes the offer first."""
    steps = ("1 switch", "1.1 insure !insurance_closed")
    assert reasons(play("Th 9c Ad 6h 5c 9d", *steps)) == ["insurance_closed"]


def test_ny_21_one_switch_also_after_a_return() -> None:
    """The other box has its own."""
    cards = "Th 9c 8h 7c 7d 6h 5c 5h 6c 9d"
    steps = ("1 switch", "1 switch_back", "1 switch !switch_used", "2 switch")
    assert reasons(play(cards, *steps, boxes=TWO)) == ["switch_used"]


def test_ny_22_a_return_outlives_keep() -> None:
    """Keep closes the window, not the way back."""
    table = play("Th 9c 7d 6h 5c Td", "1 switch", "1 keep", "1 switch_back")
    assert cards_of(table) == {"1.1": "Th 6h", "1.2": "9c 5c"}
    assert pending(table) == "1.1"


def test_ny_22_a_return_while_a_later_box_plays_asks_the_box_again() -> None:
    """Both stands are void; box 2 goes on where it was, with its own card."""
    cards = "Th 9c 8h 7c 7d 6h 5c 2h 6c 9d 2c"
    steps = ("1 switch", "1.1 stand", "1.2 stand", "2.1 hit", "1 switch_back")
    table = play(cards, *steps, boxes=TWO)
    assert pending(table) == "1.1"
    table = play(cards, *steps, "1.1 stand", "1.2 stand", boxes=TWO)
    assert pending(table) == "2.1"
    assert cards_of(table)["2.1"] == "8h 2h 2c"


def test_ny_22_a_box_that_waited_for_keep_goes_on_after_the_return() -> None:
    """Box 2 holds two naturals and waits; box 1 takes its switch back meanwhile."""
    cards = "Th 9c Ah Kc 7d 6h 5c Kh Ac 9d"
    steps = ("1 switch", "1.1 stand", "1.2 stand")
    assert pending(play(cards, *steps, boxes=TWO)) == "2"
    again = ("1 switch_back", "1.1 stand", "1.2 stand")
    assert pending(play(cards, *steps, *again, boxes=TWO)) == "2"


@pytest.mark.parametrize(
    "action", ["1.1 hit", "1.1 double", "1.1 double 1", "1.1 surrender"]
)
def test_ny_22_a_card_or_a_surrender_ends_the_return(action: str) -> None:
    """Also for the second hand, which has got none."""
    steps = ("1 switch", action, "1 switch_back !switch_closed")
    table = play("6h 9c 7d 6s 5c Td 2c", *steps)
    assert reasons(table) == ["switch_closed"]


def test_ny_22_a_split_ends_the_return() -> None:
    """Its card is dealt at once."""
    steps = ("1 switch", "1.1 split", "1 switch_back !switch_closed")
    assert len(reasons(play("6h 9c 7d 5c 6s Td 2c", *steps))) == 1


def test_ny_22_a_card_of_another_box_ends_nothing() -> None:
    """Only cards to this box's hands or to the dealer count."""
    cards = "Th 9c 8h 7c 7d 6h 5c 2h 6c 9d 2c"
    steps = ("2 switch", "1.1 hit", "2 switch_back")
    assert cards_of(play(cards, *steps, boxes=TWO))["2.1"] == "8h 2h"


def test_ny_22_nothing_is_returned_twice() -> None:
    """The cards lie as dealt."""
    steps = ("1 switch", "1 switch_back", "1 switch_back !not_switched")
    assert reasons(play("Th 9c 7d 6h 5c Td", *steps)) == ["not_switched"]


@pytest.mark.parametrize("first", ["stand", "hit", "double", "surrender"])
def test_ny_23_the_first_play_declines_a_switch_not_yet_made(first: str) -> None:
    """Any play of either hand."""
    steps = (f"1.1 {first}", "1 switch !switch_closed")
    assert len(reasons(play("6h 9c 7d 5s 8c Td 2c", *steps))) == 1


def test_ny_24_a_switched_ace_and_ten_are_21() -> None:
    """Played out against 22 the 21 pushes."""
    steps = ("1 switch", "1.1 stand", "1.2 stand")
    table = play("As 9c 6d 8h Kc Th 6h", *steps)
    assert clauses(table)["1.1"] == ("NY-41",)


def test_ny_24_a_natural_exchanged_for_a_like_card_is_gone() -> None:
    """A-T and 9-K become A-K and 9-T: the ten did not lie with the ace."""
    steps = ("1 switch", "1.1 stand", "1.2 stand")
    table = play("As 9c 6d Th Kc Td 6h", *steps)
    assert clauses(table)["1.1"] == ("NY-41",)


def test_ny_24_a_return_brings_the_natural_back() -> None:
    """Even after keep and a stand: it wins against the dealer's 22."""
    steps = ("1 switch", "1.1 stand", "1 switch_back", "1.2 stand")
    table = play("As 9c 6d Th Kc Td 6h", *steps)
    assert nets(table) == {"1.1": 1000, "1.2": 0}
    assert clauses(table)["1.1"] == ("NY-36",)


def test_ny_24_two_naturals_come_back_and_nobody_is_asked() -> None:
    """A-K, K-A become A-A, K-K and back: the window is closed, the round ends."""
    steps = ("1 switch", "1 keep", "1 switch_back")
    table = play("As Kc 6d Ks Ac Td", *steps)
    assert nets(table) == {"1.1": 1000, "1.2": 1000}


def test_ny_25_naturals_stand_and_21_draws_no_card() -> None:
    """The first hand is completed first."""
    steps = ("1.1 stand !not_on_a_natural", "1.2 hit", "1.2 hit !round_over")
    table = play("As 9c 7d Th 2c Td Ts", *steps)
    assert cards_of(table) == {"1.1": "As Th", "1.2": "9c 2c Ts"}


def test_ny_26_double_after_a_split_for_less() -> None:
    """Up to the new hand's wager; never more."""
    steps = ("1.1 split", "1.1.1 double 1001 !amount_above_maximum")
    table = play("8h 9c 7d 8s 8c Td 3c 9d 2c", *steps, "1.1.1 double 400")
    assert cards_of(table)["1.1.1"] == "8h 3c 9d"
    assert machine.hands(table.game)[0].added == (400,)


def test_ny_27_four_hands_from_each_starting_hand() -> None:
    """The second starting hand counts for itself."""
    first = ("1.1 split", "1.1.1 split", "1.1.1.1 split", "1.1.1.1.1 stand")
    rest = ("1.1.1.1.2 stand", "1.1.1.2 stand", "1.1.2 stand", "1.2 split")
    cards = "8h 9c 7d 8s 9d Td 8c 8d 2h 2c 2d 2s 3h"
    table = play(cards, *first, *rest)
    assert pending(table) == "1.2.1"
    assert len(machine.hands(table.game)) == 6


def test_ny_27_ten_values_are_split_and_a_fifth_hand_is_refused() -> None:
    """K-Q is a pair; K-9 is none."""
    steps = ("1.1 split", "1.1.1 split !not_a_pair", "1.2 split !not_your_turn")
    assert len(reasons(play("Kh 9c 7d Qs 9d Td 9h", *steps))) == 2


def test_ny_28_aces_are_split_once() -> None:
    """An ace on an ace stands."""
    table = play("Ah 9c 7d As 9d Td Ac Ad", "1.1 split")
    assert cards_of(table)["1.1.1"] == "Ah Ac"
    assert cards_of(table)["1.1.2"] == "As Ad"
    assert pending(table) == "1.2"


def test_ny_29_each_hand_is_surrendered_for_itself() -> None:
    """After the switch too; the first surrender closes the window."""
    steps = ("1 switch", "1.1 surrender", "1 keep !switch_closed", "1.2 surrender")
    table = play("Th 9c 7d 6h 7c Td", *steps)
    assert nets(table) == {"1.1": -500, "1.2": -500}
    assert clauses(table) == {"1.1": ("NY-33",), "1.2": ("NY-33",)}
    assert table.game.dealer == ("7d", "Td")


@pytest.mark.parametrize(("value", "dealer"), [("hit", "6d As 4c"), ("stand", "6d As")])
def test_ny_30_soft_17_by_the_option(value: str, dealer: str) -> None:
    """Hit is the default."""
    steps = ("1.1 stand", "1.2 stand")
    cards = "Th 9c 6d 9h 9d As" + (" 4c" if value == "hit" else "")
    table = play(cards, *steps, options={"soft17": value})
    assert " ".join(table.game.dealer) == dealer


@pytest.mark.parametrize(("second", "clause"), [("Ad", ("NY-34",)), ("9d", ("NY-33",))])
def test_ny_31_a_surrender_against_a_ten_waits_for_the_second_card(
    second: str, clause: tuple[str, ...]
) -> None:
    """Nothing is paid until the second card is out."""
    steps = ("1.1 surrender", "1.2 stand")
    table = play("Th 9c Kd 6h 8c", *steps[:1], options=LATE)
    assert nets(table) == {}
    table = play(f"Th 9c Kd 6h 8c {second}", *steps, options=LATE)
    assert clauses(table)["1.1"] == clause


def test_ny_31_a_surrender_against_a_nine_is_settled_at_once() -> None:
    """The dealer can have no natural."""
    table = play("Th 9c 9d 6h 8c", "1.1 surrender", options=LATE)
    assert nets(table) == {"1.1": -500}
    assert clauses(table) == {"1.1": ("NY-33",)}


def test_ny_31_a_return_after_a_waiting_surrender_is_refused() -> None:
    """The wager is decided although it is not settled yet (NY-22)."""
    steps = ("1 switch", "1.1 surrender", "1 switch_back !switch_closed")
    table = play("Th 9c Kd 6h 8c", *steps, options=LATE)
    assert reasons(table) == ["switch_closed"]
    assert pending(table) == "1.2"


def test_ny_31_insurance_is_settled_on_the_late_second_card() -> None:
    """No line before it; the switched 21 pushes (NY-39)."""
    steps = ("1.1 insure", "1.2 decline", "1 switch", "1.1 stand", "1.2 stand")
    assert nets(play("As 9c Kd 8h Kc", *steps[:3], options=LATE)) == {}
    table = play("As 9c Kd 8h Kc Ad", *steps, options=LATE)
    assert nets(table) == {"1.1.insurance": 1000, "1.1": 0, "1.2": -1000}
    assert clauses(table)["1.1"] == ("NY-39",)


def test_ny_20_a_box_may_switch_while_another_waits_for_its_card() -> None:
    """The card of 1.1 comes all the same, and box 1 plays on."""
    cards = "Th 9c 8h 7c 7d 2h 5c 5h 6c 9d"
    game = machine.apply(play(cards, boxes=TWO).game, "1.1", "hit")
    assert machine.refusal(game, "2", "switch") is None
    game = machine.apply(game, "2", "switch")
    assert machine.need(game) == machine.NeedCards(("1.1",))
    game = machine.deal(game, ("3c",))
    assert machine.pending(game) == "1.1"
    assert [hand.cards[1] for hand in machine.hands(game)] == ["2h", "5c", "6c", "5h"]


def test_ny_22_a_return_while_another_box_waits_for_its_card() -> None:
    """After the card the returned box is asked first."""
    cards = "Th 9c 8h 7c 7d 2h 5c 5h 6c 9d"
    steps = ("1 switch", "1.1 stand", "1.2 stand")
    game = machine.apply(play(cards, *steps, boxes=TWO).game, "2.1", "hit")
    game = machine.apply(game, "1", "switch_back")
    assert machine.need(game) == machine.NeedCards(("2.1",))
    assert machine.pending(machine.deal(game, ("3c",))) == "1.1"
