"""New York multiple action from the bet to the last play."""

import pytest

from blackjack import machine
from blackjack.bets import Bet
from blackjack.rule_sets import RuleSetError, rule_set
from tests.rules.played import bet_reason, cards_of, clauses, nets, pending, play

MA = "ny-multiple-action"
FIRST = {"delivery": "determinate_first"}
ONE_CIRCLE = {"natural_in_round_one": "first_circle"}
TWO = ("wager = [1000, 1000]",)


def test_ma_1_six_boxes_and_one_for_each_player() -> None:
    """Box 7 is not there, a second box is one too many."""
    three = (1000, 1000, 1000)
    assert bet_reason(MA, *three, box=6) is None
    assert bet_reason(MA, *three, box=7) == "no_such_box"
    assert bet_reason(MA, *three, box=2, holders={1: "ann"}) == "too_many_boxes"
    assert bet_reason(MA, *three, box=2, holders={1: "bob"}) is None


@pytest.mark.parametrize(
    ("wagers", "reason"),
    [
        ((1000,), "wrong_wager_count"),
        ((1000, 1000, 1000, 1000), "wrong_wager_count"),
        ((1000, 2000), None),
        ((1000, 2000, 500000), None),
        ((1000, 999, 1000), "below_minimum"),
        ((1000, 1000, 500001), "above_maximum"),
        ((1000, 0, 1000), "invalid_amount"),
    ],
)
def test_ma_2_two_or_three_circles_each_within_the_limits(
    wagers: tuple[int, ...], reason: str | None
) -> None:
    """They may differ; the third is a choice."""
    assert bet_reason(MA, *wagers) == reason


def test_ma_2_one_number_stands_for_all_three_circles() -> None:
    """A single 1500 takes 4500 from the balance."""
    table = play("Th 6c 8d 9d", boxes=("wager = 1500",), rules=MA)
    assert table.balances["p1"] == 10_000_000 - 4500
    assert machine.hands(table.game)[0].wagers == (1500, 1500, 1500)


def test_ma_3_eight_decks_or_six() -> None:
    """No other number is an option."""
    assert rule_set(MA).decks == 8
    assert rule_set(MA, {"decks": 6}).decks == 6


@pytest.mark.parametrize(
    ("entry", "fine"),
    [
        ("open", True),
        ("mid_shoe_minimum_only", True),
        (["no_mid_shoe_entry", "return_minimum_only"], True),
        (["no_return", "mid_shoe_minimum_only"], True),
        (["no_return", "return_minimum_only"], False),
        (["no_mid_shoe_entry", "mid_shoe_minimum_only"], False),
        (["open", "no_return"], False),
        (["no_return"], False),
        ([], False),
        ("barred", False),
    ],
)
def test_ma_4_one_entry_rule_or_one_of_each_pair(
    entry: str | list[str],
    fine: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """Anything else is no option."""
    if fine:
        chosen = (entry,) if isinstance(entry, str) else tuple(entry)
        assert rule_set(MA, {"entry": entry}).entry == chosen
        return
    with pytest.raises(RuleSetError, match="entry"):
        rule_set(MA, {"entry": entry})


def test_ma_4_who_may_enter_at_the_minimum_bets_it_on_every_circle() -> None:
    """One minor unit more on one circle is refused; who is barred may not bet."""
    assert bet_reason(MA, 1000, 1000, 1000, minimum_only=True) is None
    assert bet_reason(MA, 1000, 1000, 1001, minimum_only=True) == "minimum_only"
    assert bet_reason(MA, 1000, 1000, barred=True) == "entry_barred"


def test_ma_6_one_card_is_burned_per_shoe_and_per_new_dealer() -> None:
    """And it may be seen."""
    rules = rule_set(MA)
    assert (rules.burn_per_shuffle, rules.burn_per_dealer) == (1, 1)
    assert rules.burn_shown


def test_ma_7_the_second_card_comes_first_or_after_the_boxes() -> None:
    """Order U takes four cards for one box, order N three."""
    bets = (Bet(2, (1000, 1000)), Bet(5, (1000, 1000)))
    game = machine.open_round(rule_set(MA), bets)
    places = ("2.1", "5.1", "dealer", "2.1", "5.1")
    assert machine.starting_places(game) == (*places, "hole")
    late = machine.open_round(rule_set(MA, FIRST), bets)
    assert machine.starting_places(late) == places
    hit = ("1.1 hit", "1.1 stand")
    table = play("Th 6c 5d 3h 9h 5s Kd Th", *hit, options=FIRST, rules=MA, boxes=TWO)
    assert table.game.dealer == ("6c", "9h", "5s", "Kd", "Th")


@pytest.mark.parametrize("up", ["Ac", "Kc", "Qc", "Jc", "Tc"])
def test_ma_8_the_dealer_looks_under_an_ace_or_a_ten_value(up: str) -> None:
    """With a hole card only; under a nine there is no look."""
    game = opened(MA, {}, "Th", up, "8d", None)
    if machine.insurance_open(game):
        game = machine.close_insurance(game)
    assert isinstance(machine.need(game), machine.NeedLook)
    nine = opened(MA, {}, "Th", "9c", "8d", None)
    assert isinstance(machine.need(nine), machine.NeedDecisions)
    late = opened(MA, FIRST, "Th", "Tc", "8d")
    assert isinstance(machine.need(late), machine.NeedDecisions)


def opened(name: str, options: dict[str, str], *cards: str | None) -> machine.Round:
    game = machine.open_round(rule_set(name, options), (Bet(1, (1000, 1000)),))
    return machine.deal(game, cards)


def test_ma_8_there_is_no_look_in_later_dealer_rounds() -> None:
    """Round 2 finds its natural after play: a double loses all of its stake."""
    cards = "6h Kc 5d 9h 9s Ah 7s"
    table = play(cards, "1.1 double", rules=MA, boxes=TWO)
    assert nets(table) == {"1.1.circle_1": 2000, "1.1.circle_2": -2000}
    assert table.game.dealer == ("Kc", "9h", "Ah")


def test_ma_9_first_circle_alone_meets_the_natural_and_play_goes_on() -> None:
    """A double then adds to circle 2 only: MA-15."""
    cards = "6h Kc 5d Ah 9s 7s"
    table = play(cards, "1.1 double", options=ONE_CIRCLE, rules=MA, boxes=TWO)
    assert nets(table) == {"1.1.circle_1": -1000, "1.1.circle_2": 2000}
    assert clauses(table)["1.1.circle_1"] == ("MA-29",)
    assert table.game.dealer == ("Kc", "Ah", "7s")


def test_ma_9_settle_all_ends_the_round_with_the_look() -> None:
    """Four cards and no step."""
    table = play("6h Kc 5d Ah", rules=MA)
    assert nets(table) == {f"1.1.circle_{circle}": -1000 for circle in (1, 2, 3)}
    assert table.game.cards_used == 4


@pytest.mark.parametrize("options", [{}, FIRST])
@pytest.mark.parametrize(("up", "offered"), [("Ac", True), ("Kc", False)])
def test_ma_10_insurance_is_offered_on_an_ace_only(
    up: str,
    offered: bool,  # noqa: FBT001 - a column of the table
    options: dict[str, str],
) -> None:
    """After the starting cards, in both deliveries."""
    cards = ("Th", up, "8d") if options else ("Th", up, "8d", None)
    assert machine.insurance_open(opened(MA, options, *cards)) == offered


def test_ma_10_insurance_meets_dealer_round_1_only() -> None:
    """No natural in round 1: it is lost, though round 2 has one."""
    cards = "Th Ac 9d 6h Kd 7s"
    table = play(cards, "1.1 insure 100", "1.1 stand", rules=MA, boxes=TWO)
    assert nets(table) == {
        "1.1.insurance": -100,
        "1.1.circle_1": 1000,
        "1.1.circle_2": -1000,
    }
    assert table.game.dealer == ("Ac", "6h", "Kd")


def test_ma_11_insurance_goes_up_to_half_of_circle_1() -> None:
    """Circle 1 bears 1001: 501 is too much, 500 is not; the label is the hand's."""
    table = play(
        "Th Ac 9d Kh",
        "1 insure !no_such_hand",
        "1.1 insure 501 !amount_above_maximum",
        "1.1 insure 500",
        rules=MA,
        boxes=("wager = [1001, 9000]",),
    )
    assert nets(table)["1.1.insurance"] == 1000


@pytest.mark.parametrize("options", [{}, FIRST])
def test_ma_12_insurance_wins_two_to_one(options: dict[str, str]) -> None:
    """By the look, or when the second card of round 1 is dealt."""
    cards = "Th Ac 9d Kh 6s 7s" if options else "Th Ac 9d Kh"
    steps = ("1.1 insure", "1.1 stand") if options else ("1.1 insure",)
    table = play(cards, *steps, options=options, rules=MA, boxes=TWO)
    assert nets(table)["1.1.insurance"] == 1000
    assert clauses(table)["1.1.insurance"] == ("MA-12",)


def test_ma_13_insurance_loses_without_a_natural() -> None:
    """At the look, before the first play."""
    table = play("Th Ac 9d 6h", "1.1 insure", rules=MA)
    assert nets(table) == {"1.1.insurance": -500}
    assert clauses(table)["1.1.insurance"] == ("MA-13",)


def test_ma_14_boxes_play_once_and_naturals_stand_by_themselves() -> None:
    """Box 1 has a natural and is passed; a split 21 draws no card."""
    table = play(
        "Ah Th 6c Kd Td 9c As",
        "1.1 hit !hand_closed",
        "2.1 split",
        "2.1.1 hit !total_is_21",
        rules=MA,
        boxes=("wager = 1000",) * 2,
    )
    assert pending(table) == "2.1.1"


def test_ma_15_a_double_is_whole_and_on_any_first_two_cards() -> None:
    """After a split as well, not for less, not on a third card, not on a natural."""
    table = play(
        "8h Ah 6c 8d Kd 9c 3s 2s 4c 5s",
        "1.1 split",
        "1.1.1 double 500 !double_for_less_not_allowed",
        "1.1.1 double",
        "1.1.2 hit",
        "1.1.2 double !not_first_two_cards",
        "2.1 double !hand_closed",
        rules=MA,
        boxes=("wager = [1000, 2000]",) * 2,
    )
    assert table.balances["p1"] == 10_000_000 - 3000 - 3000 - 3000
    assert cards_of(table)["1.1.1"] == "8h 3s 2s"


def test_ma_16_a_box_splits_once() -> None:
    """Queen and king pair; every circle gets an equal second wager."""
    table = play(
        "Qh 6c Kd 9c Js",
        "1.1 split",
        "1.1.1 split !split_limit",
        rules=MA,
        boxes=("wager = [1000, 2000, 3000]",),
    )
    assert table.balances["p1"] == 10_000_000 - 12000
    assert [hand.wagers for hand in machine.hands(table.game)] == [
        (1000, 2000, 3000),
        (1000, 2000, 3000),
    ]
    play("Qh 6c 9d 9c", "1.1 split !not_a_pair", rules=MA)


def test_ma_17_split_aces_get_one_card_each() -> None:
    """A second pair of aces included: nothing is asked any more."""
    table = play("Ah 7c Ad Tc As 6d Kc", "1.1 split", rules=MA, boxes=TWO)
    assert cards_of(table) == {"1.1.1": "Ah As", "1.1.2": "Ad 6d"}
    assert nets(table)["1.1.1.circle_1"] == -1000


def test_ma_18_a_surrender_gives_back_half_of_each_circle() -> None:
    """1001, 2001 and 3001 give back 501, 1001 and 1501, whatever the dealer gets."""
    table = play(
        "Th Ac 6d 9c",
        "1.1 decline",
        "1.1 surrender",
        rules=MA,
        boxes=("wager = [1001, 2001, 3001]",),
    )
    assert nets(table) == {
        "1.1.circle_1": -500,
        "1.1.circle_2": -1000,
        "1.1.circle_3": -1500,
    }
    hit = ("1.1 hit", "1.1 surrender !not_first_two_cards")
    play("Th 9c 2d 9c 2s", *hit, rules=MA)
