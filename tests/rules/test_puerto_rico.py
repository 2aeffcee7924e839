"""Puerto Rico Blackjack Switch: what differs from New York, clause by clause."""

import pytest

from blackjack import machine
from blackjack.bets import Bet
from blackjack.rule_sets import Limits, rule_set
from tests.rules.played import bet_reason, cards_of, clauses, nets, pending, play

PR = "pr-switch-6d"
TWO = ("wager = 1000", "wager = 1000")
LESS = {"double_for_less": True}


def test_pr_1_six_or_eight_decks() -> None:
    """The id says which; both pay the same Super Match (PR-11, PR-12)."""
    six, eight = rule_set(PR), rule_set("pr-switch-8d")
    assert (six.decks, eight.decks) == (6, 8)
    assert six.side == eight.side


@pytest.mark.parametrize(
    ("wagers", "reason"),
    [
        ((1000, 1000), None),
        ((500000, 500000), None),
        ((1000, 1001), "wagers_not_equal"),
        ((999, 999), "below_minimum"),
        ((500001, 500001), "above_maximum"),
        ((1000,), "wrong_wager_count"),
    ],
)
def test_pr_2_two_equal_wagers_within_the_posted_limits(
    wagers: tuple[int, ...], reason: str | None
) -> None:
    """And none of them once a card is out."""
    assert bet_reason(PR, *wagers) == reason
    assert bet_reason(PR, *wagers, closed=True) == "betting_closed"


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
def test_pr_3_five_boxes_and_as_many_for_one_player_as_the_house_says(
    most: int,
) -> None:
    """The one after that is too many; box 6 is not there."""
    options = {"boxes_per_player": most}
    own = dict.fromkeys(range(1, most + 1), "ann")
    last = own.pop(most)
    assert bet_reason(PR, 9000, 9000, box=most, options=options, holders=own) is None
    full = {**own, most: last}
    more = bet_reason(PR, 9000, 9000, box=most + 1, options=options, holders=full)
    assert more == ("no_such_box" if most == 5 else "too_many_boxes")


def test_pr_4_entry_is_open_and_the_burned_card_is_not_shown() -> None:
    """One card per shuffle, none for a new dealer."""
    rules = rule_set(PR)
    assert (rules.mid_shoe_entry, rules.entry) == ("open", ("open",))
    assert (rules.burn_per_shuffle, rules.burn_per_dealer) == (1, 0)
    assert not rules.burn_shown


def test_pr_5_starting_cards_come_in_order_u() -> None:
    """The up card between first and second cards, the hole card last."""
    game = machine.open_round(rule_set(PR), (Bet(3, (1000, 1000)),))
    places = ("3.1", "3.2", "dealer", "3.1", "3.2", "hole")
    assert machine.starting_places(game) == places


@pytest.mark.parametrize(
    ("amount", "minimum", "reason"),
    [
        (99, 1000, "side_below_minimum"),
        (100, 1000, None),
        (1000, 1000, None),
        (1001, 1000, "side_above_maximum"),
        (2500, 2500, None),
        (2501, 2500, "side_above_maximum"),
    ],
)
def test_pr_6_super_match_from_one_dollar_to_the_posted_minimum(
    amount: int, minimum: int, reason: str | None
) -> None:
    """Whatever `side_min` says, and the upper limit moves with the minimum."""
    limits = Limits(minimum, 500000, 700)
    sides = {"super_match": amount}
    assert bet_reason(PR, 5000, 5000, limits=limits, sides=sides) == reason


def test_pr_6_super_match_needs_the_main_wagers() -> None:
    """By itself it is refused."""
    assert bet_reason(PR, sides={"super_match": 100}) == "no_main_wager"


def test_pr_7_super_match_is_settled_on_the_dealt_cards() -> None:
    """A pair of nines across the hands pays while nobody has been asked."""
    bet = Bet(1, (1000, 1000), {"super_match": 1000})
    game = machine.open_round(rule_set(PR), (bet,))
    game = machine.deal(game, ("9h", "8c", "Ad", "9c", "7c", None))
    assert [due.label for due in machine.dues(game)] == ["1.super_match"]
    assert machine.insurance_open(game)


@pytest.mark.parametrize(("up", "offered"), [("Ad", True), ("Kd", False)])
def test_pr_13_insurance_on_an_ace_to_each_hand(
    up: str,
    offered: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """After Super Match, up to half; a ten-value does not call for it."""
    game = machine.open_round(rule_set(PR), (Bet(1, (1001, 1001)),))
    game = machine.deal(game, ("Th", "9c", up, "6h", "8c", None))
    assert machine.insurance_open(game) == offered
    if offered:
        insure = machine.Option("insure", 1, 500)
        assert [offer.target for offer in machine.offers(game)] == ["1.1", "1.2"]
        assert machine.offers(game)[0].options[0] == insure


def test_pr_14_and_15_insurance_pays_two_to_one_or_loses() -> None:
    """PR-14 with the dealer's natural, PR-15 without."""
    steps = ("1.1 insure", "1.2 decline")
    won = play("Th 9c Ad 6h 8c Kd", *steps, rules=PR)
    lost = play("Th 9c Ad 6h 8c 9d", *steps, rules=PR)
    assert nets(won) == {"1.1.insurance": 1000, "1.1": -1000, "1.2": -1000}
    assert nets(lost) == {"1.1.insurance": -500}
    assert clauses(won)["1.1.insurance"] == ("PR-14",)
    assert clauses(lost)["1.1.insurance"] == ("PR-15",)


@pytest.mark.parametrize(("up", "hole"), [("Kd", "Ac"), ("Ad", "Jc")])
def test_pr_16_a_natural_found_by_the_look_ends_the_round(up: str, hole: str) -> None:
    """Before the switch: six cards."""
    table = play(f"Ah 9c {up} Kh 8c {hole}", rules=PR)
    if machine.pending(table.game):
        table = play(f"Ah 9c {up} Kh 8c {hole}", "1.1 decline", "1.2 decline", rules=PR)
    assert nets(table) == {"1.1": 0, "1.2": -1000}
    assert clauses(table) == {"1.1": ("PR-27",), "1.2": ("PR-29",)}


def test_pr_17_every_box_is_asked_and_keeps_the_offer_until_it_plays() -> None:
    """Box 2 switches while box 1 plays; a second switch is refused."""
    table = play(
        "Th 9c 5d 4h 7s 6h 8c 2d 3h 9s",
        "1.1 stand",
        "2 switch",
        "2 switch !switch_used",
        "1.2 stand",
        "1 switch !switch_closed",
        "2.1 stand",
        "2 switch !switch_closed",
        rules=PR,
        boxes=TWO,
    )
    assert cards_of(table)["2.1"] == "5d 3h"
    assert cards_of(table)["2.2"] == "4h 2d"
    assert pending(table) == "2.2"


def test_pr_18_there_is_no_way_back() -> None:
    """Before a switch and after it."""
    steps = ("1 switch_back !switch_back_not_allowed", "1 switch")
    table = play("Th 9c 7s 6h 8c 9s", *steps, steps[0], rules=PR)
    assert cards_of(table) == {"1.1": "Th 8c", "1.2": "9c 6h"}


def test_pr_19_a_switch_makes_no_natural_and_breaks_one() -> None:
    """K-9 and A-T become K-T and A-9: against 19 nobody is paid as a natural."""
    steps = ("1 switch", "1.1 stand", "1.2 stand")
    broken = play("Kh Ac 9d 9c Th Td", *steps, rules=PR)
    assert clauses(broken) == {"1.1": ("PR-32",), "1.2": ("PR-32",)}
    made = play("Ah 9c 8d 6h Kc Qd 4s", *steps, rules=PR)
    assert cards_of(made) == {"1.1": "Ah Kc", "1.2": "9c 6h"}
    assert clauses(made) == {"1.1": ("PR-32",), "1.2": ("PR-34",)}


def test_pr_20_nobody_surrenders() -> None:
    """Neither before nor after a switch."""
    refused = "1.1 surrender !surrender_not_allowed"
    table = play("Th 9c 7s 6h 8c 9s", refused, "1 switch", refused, rules=PR)
    assert pending(table) == "1.1"


def test_pr_21_each_starting_hand_is_split_once() -> None:
    """Four hands in a box, whatever pairs come."""
    table = play(
        "8h Kc 6d 8c Th 5s 8d 8s Qc Kd",
        "1.1 split",
        "1.1.1 split !split_limit",
        "1.1.1 stand",
        "1.1.2 split !split_limit",
        "1.1.2 stand",
        "1.2 split",
        "1.2.1 split !split_limit",
        rules=PR,
    )
    assert len(machine.hands(table.game)) == 4


def test_pr_22_split_aces_get_one_card_each() -> None:
    """Another ace changes nothing."""
    table = play("Ah 9c 6d Ac 8h Th As 5d", "1.1 split", rules=PR)
    assert cards_of(table)["1.1.1"] == "Ah As"
    assert cards_of(table)["1.1.2"] == "Ac 5d"
    assert pending(table) == "1.2"


def test_pr_23_a_double_is_for_the_full_wager() -> None:
    """Less only where the house allows it; also after a split; not on three cards."""
    cards = "8h 3c 6d 8c 2h Th 3s 9d 5d 4d"
    table = play(
        cards,
        "1.1 split",
        "1.1.1 double 999 !double_for_less_not_allowed",
        "1.1.1 double 1000",
        "1.1.2 hit",
        "1.1.2 double !not_first_two_cards",
        rules=PR,
    )
    assert table.balances["p1"] == 10_000_000 - 4000
    less = play(cards, "1.1 split", "1.1.1 double 1", options=LESS, rules=PR)
    assert less.balances["p1"] == 10_000_000 - 3001


def test_pr_24_naturals_stand_by_themselves_and_21_draws_no_card() -> None:
    """A switched ace and king are 21 as well."""
    table = play("Ah 9c 8d Kh 8c 9s", "1.1 stand !not_on_a_natural", rules=PR)
    assert pending(table) == "1.2"
    play("Ah 9c 8d 6h Kc Qd", "1 switch", "1.1 hit !total_is_21", rules=PR)


@pytest.mark.parametrize(
    ("options", "dealer", "net"),
    [({}, "6d As 4h", -1000), ({"soft17": "stand"}, "6d As", 1000)],
)
def test_pr_25_the_dealer_hits_soft_17_or_stands_on_it(
    options: dict[str, str], dealer: str, net: int
) -> None:
    """Hits unless the house says otherwise: 21 or 17 against 18."""
    steps = ("1.1 stand", "1.2 stand")
    table = play("Th 9c 6d 8h 9h As 4h", *steps, options=options, rules=PR)
    assert " ".join(table.game.dealer) == dealer
    assert nets(table) == {"1.1": net, "1.2": net}
