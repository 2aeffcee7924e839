"""The common game from the switch to surrender: C-29 to C-49."""

import pytest

from blackjack import machine
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

TWO_BOXES = ("wager = 1000", "wager = 1000")


def test_c_29_a_switch_exchanges_the_second_cards_only() -> None:
    """First cards and wagers stay where they are."""
    table = play("Th 9c 7d 6h 5c Td", "1 switch")
    assert cards_of(table) == {"1.1": "Th 5c", "1.2": "9c 6h"}
    assert [hand.wagers for hand in machine.hands(table.game)] == [(1000,), (1000,)]


@pytest.mark.parametrize(
    ("name", "said"), [(NY, []), ("pr-switch-6d", []), ("lv-switch", ["not_your_turn"])]
)
def test_c_30_the_window_opens_for_all_or_with_the_turn(
    name: str, said: list[str]
) -> None:
    """Box 2 may switch while box 1 plays, except where the window waits for it."""
    step = "2 switch !not_your_turn" if said else "2 switch"
    cards = "Th 9c 8h 7c 7d 6h 5c 5h 6c 9d"
    assert reasons(play(cards, step, rules=name, boxes=TWO_BOXES)) == said


@pytest.mark.parametrize("first", ["1 keep", "1.1 stand", "1.1 hit", "1.1 surrender"])
def test_c_31_keep_or_a_play_closes_the_window(first: str) -> None:
    """The other box's window stays open."""
    cards = "Th 9c 8h 7c 7d 4h 5c 5h 6c 9d 2c"
    steps = (first, "1 switch !switch_closed", "1 keep !switch_closed", "2 switch")
    assert len(reasons(play(cards, *steps, boxes=TWO_BOXES))) == 2


def test_c_31_a_hand_of_the_box_that_is_settled_closes_the_window() -> None:
    """Even money on 1.1: the box switches no more."""
    steps = ("1.1 even_money", "1.2 decline", "1 switch !switch_closed")
    table = play("Ah 9c 5s Kh 8c Ad", *steps, rules="lv-switch")
    assert nets(table) == {"1.1": 1000}
    assert pending(table) == "1.2"


def test_c_32_a_box_switches_once_and_a_return_does_not_give_it_back() -> None:
    """A second switch is refused, before the return and after it."""
    table = play(
        "Th 9c 7d 6h 5c Td",
        "1 switch",
        "1 switch !switch_used",
        "1 switch_back",
        "1 switch !switch_used",
    )
    assert cards_of(table) == {"1.1": "Th 6h", "1.2": "9c 5c"}


def test_c_33_hands_wait_while_the_window_is_open() -> None:
    """A hand with a decision waits; with two naturals the box itself."""
    assert pending(play("Th 9c 7d 6h 5c Td")) == "1.1"
    assert pending(play("Ah 9c 7d Kh 5c Td")) == "1.2"
    assert pending(play("Ah Kc 7d Kh Ac Td")) == "1"
    table = play("Ah Kc 7d Kh Ac Td", "1 keep")
    assert nets(table) == {"1.1": 1000, "1.2": 1000}


def test_c_34_a_hand_is_asked_whatever_the_balance() -> None:
    """Double is offered with nothing left, and refused when tried."""
    box = ("wager = 1000\nbalance = 2000",)
    table = play("6h 9c 7d 5h 8c Td", "1.1 double !insufficient_funds", boxes=box)
    hand = machine.offers(table.game)[0]
    assert "double" in {option.action for option in hand.options}


def test_c_35_hands_stand_by_themselves() -> None:
    """At 21 in three cards, after a double, and as split aces."""
    steps = ("1.1 hit", "1.2 double", "2.1 split")
    cards = "Th 6c Ah Tc 7d 6h 5c As 9c Th 5s 2c Kd 9d"
    table = play(cards, *steps, boxes=TWO_BOXES)
    assert cards_of(table)["1.1"] == "Th 6h 5s"
    assert cards_of(table)["1.2"] == "6c 5c 2c"
    assert cards_of(table)["2.1.2"] == "As 9d"
    assert pending(table) == "2.2"


def test_c_36_a_natural_is_refused_every_step() -> None:
    """While its box can switch as a natural, afterwards as a finished hand."""
    plays = ("hit", "stand", "double", "split", "surrender")
    table = play(
        "Ah 9c 7d Kh 8c Td",
        *(f"1.1 {action} !not_on_a_natural" for action in plays),
        "1 keep",
        *(f"1.1 {action} !hand_closed" for action in plays),
    )
    assert pending(table) == "1.2"


def test_c_36_a_natural_is_asked_where_it_may_be_played() -> None:
    """Las Vegas: LV-25."""
    assert pending(play("Ah 9c Kh 7d", rules="lv-6d")) == "1.1"


def test_c_37_21_is_not_hit_but_in_las_vegas() -> None:
    """A switched ace and king in New York; a split ten and ace in Las Vegas."""
    steps = ("1 switch", "1.1 hit !total_is_21")
    assert pending(play("As 9c 6d 8h Kc Th", *steps)) == "1.1"
    table = play("Th 9c Kh 7d Ac 2c", "1.1 split", "1.1.1 hit", rules="lv-6d")
    assert cards_of(table)["1.1.1"] == "Th Ac 2c"


def test_c_38_a_bust_is_lost_at_once() -> None:
    """While 1.2 still waits."""
    table = play("Th 9c 7d 6h 8c Td Kc", "1.1 hit")
    assert nets(table) == {"1.1": -1000}
    assert pending(table) == "1.2"


def test_c_39_a_hand_is_finished_before_the_next() -> None:
    """1.2 waits for 1.1, and box 2 for both."""
    cards = "Th 9c 8h 7c 7d 2h 5c 5h 6c 9d 3d"
    steps = ("1.2 hit !not_your_turn", "1.1 hit", "2.1 stand !not_your_turn")
    assert pending(play(cards, *steps, boxes=TWO_BOXES)) == "1.1"


def test_c_40_any_first_two_cards_are_doubled() -> None:
    """A switched 21 and a split hand, but no natural."""
    steps = ("1 switch", "1.1 double", "1.2 split", "1.2.1 double")
    table = play("As 8c 6d 8h Kc Th 2c 3c Td 9d", *steps)
    assert cards_of(table)["1.1"] == "As Kc 2c"
    assert cards_of(table)["1.2.1"] == "8c 3c Td"


def test_c_40_las_vegas_doubles_a_natural() -> None:
    """It is an ordinary hand from then on: 20 against 18 wins 1:1."""
    table = play("Ah 9c Kh 9d 9s", "1.1 double", rules="lv-6d")
    assert cards_of(table)["1.1"] == "Ah Kh 9s"
    assert nets(table) == {"1.1": 2000}


def test_c_41_a_double_adds_a_stake_and_one_card() -> None:
    """No amount means the whole wager."""
    table = play("6h 9c 7d 5h 8c Td 9s", "1.1 double", "1.1 hit !hand_closed")
    assert table.balances["p1"] == 10_000_000 - 3000
    assert cards_of(table)["1.1"] == "6h 5h 9s"


@pytest.mark.parametrize("amount", [1, 999, 1000])
def test_c_42_a_double_for_less_goes_from_one_to_the_wager(amount: int) -> None:
    """21 against 17 wins the whole stake."""
    table = play("6h 9c 7d 5h 8c Td Ts", f"1.1 double {amount}", "1.2 stand")
    assert nets(table)["1.1"] == 1000 + amount


def test_c_43_equal_values_are_split_up_to_the_limit() -> None:
    """Four hands from one starting hand, each with an equal wager; no fifth."""
    steps = ("1.1 split", "1.1.1 split", "1.1.1.1 split")
    last = "1.1.1.1.1 split !split_limit"
    table = play("8h 9c 7d 8s 7c Td 8c 8d 8h 2c", *steps, last)
    wagers = {hand.label: hand.wagers for hand in machine.hands(table.game)}
    assert set(wagers) == {"1.1.1.1.1", "1.1.1.1.2", "1.1.1.2", "1.1.2", "1.2"}
    assert set(wagers.values()) == {(1000,)}
    assert table.balances["p1"] == 10_000_000 - 5000


def test_c_44_the_second_new_hand_waits_for_its_card() -> None:
    """1.1.2 has one card until 1.1.1 is finished."""
    cards = "8h 9c 7d 8s 7c Td 3c 5d 2d"
    steps = ("1.1 split", "1.1.1 hit")
    assert cards_of(play(cards, *steps))["1.1.2"] == "8s"
    table = play(cards, *steps, "1.1.1 stand")
    assert cards_of(table)["1.1.1"] == "8h 3c 5d"
    assert cards_of(table)["1.1.2"] == "8s 2d"


def test_c_45_split_aces_get_one_card_each_and_stand() -> None:
    """First x.1, then x.2; the next hand is due."""
    table = play("Ah 9c 7d As 7c Td 3c 5d", "1.1 split")
    assert cards_of(table) == {"1.1.1": "Ah 3c", "1.1.2": "As 5d", "1.2": "9c 7c"}
    assert pending(table) == "1.2"


def test_c_46_a_split_ace_with_an_ace_is_asked_where_it_may_be_split() -> None:
    """Las Vegas: split or stand and nothing else; New York does not ask."""
    steps = ("1.1.1 hit !split_ace", "1.1.1 double !split_ace", "1.1.1 stand")
    table = play("Ah 9c As 7d Ac 5d 8d", "1.1 split", *steps, rules="lv-6d")
    assert cards_of(table)["1.1.1"] == "Ah Ac"
    assert pending(play("Ah 9c 7d As 7c Td Ac 5d", "1.1 split")) == "1.2"


def test_c_46_no_fifth_hand_of_aces_is_asked() -> None:
    """The fourth hand's second ace leaves only stand: it stands by itself."""
    steps = ("1.1 split", "1.1.1 split", "1.1.1.1 split")
    table = play("Ah 9c As 7d Ac Ad Ah 5c 5d 5h 8d", *steps, rules="lv-6d")
    assert cards_of(table)["1.1.1.1.1"] == "Ah Ah"
    assert table.lines.keys() == {"1.1.1.1.1", "1.1.1.1.2", "1.1.1.2", "1.1.2"}


def test_c_47_a_split_hand_is_not_surrendered() -> None:
    """Neither new hand."""
    step = "surrender !surrender_after_split"
    steps = ("1.1 split", f"1.1.1 {step}", "1.1.1 stand", f"1.1.2 {step}")
    assert len(reasons(play("8h 9c 7d 8s 7c Td 3c 5d", *steps))) == 2


def test_c_48_half_of_the_wager_goes_back_rounded_up() -> None:
    """501 of 1001, at once; on two cards only and on no natural."""
    table = play("Th 9c 7d 6h 8c Td", "1.1 surrender", boxes=("wager = 1001",))
    assert table.lines["1.1"].payout_minor == 501
    assert pending(table) == "1.2"
    play("Th 9c 7d 2h 8c Td 2c", "1.1 hit", "1.1 surrender !not_first_two_cards")
    play("Ah 9c 7d Th 8c Td", "1.1 surrender !not_on_a_natural")


@pytest.mark.parametrize(("second", "insured"), [("Kd", 1000), ("9d", -500)])
def test_c_49_insurance_of_a_surrendered_hand_is_its_own(
    second: str, insured: int
) -> None:
    """The late second card decides it."""
    steps = ("1.1 insure", "1.1 surrender", "1.2 stand")
    table = play(f"Th 9c Ad 6h 8c {second}", *steps, options=LATE)
    assert nets(table)["1.1.insurance"] == insured
    assert clauses(table)["1.1"] == (("NY-34",) if second == "Kd" else ("NY-33",))
