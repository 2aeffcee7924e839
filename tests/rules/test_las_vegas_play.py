"""Las Vegas insurance, naturals and play."""

import pytest

from blackjack import machine
from blackjack.bets import Bet
from blackjack.rule_sets import rule_set
from tests.rules.played import cards_of, clauses, nets, pending, play

SHOES = ("lv-8d", "lv-6d", "lv-6d-high-limit")
DECKS = ("lv-2d-pitch", "lv-2d", "lv-1d")
ALL = (*SHOES, *DECKS)
LV = "lv-6d"


def dealt(name: str, *cards: str | None) -> machine.Round:
    """Deal a bet of 1001: first card, hole card, second card, up card."""
    game = machine.open_round(rule_set(name), (Bet(1, (1001,)),))
    return machine.deal(game, cards)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("up", "offered"), [("Ad", True), ("Kd", False)])
def test_lv_19_insurance_on_an_ace_up_to_half(
    name: str,
    up: str,
    offered: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """In every set; of 1001 at most 500."""
    game = dealt(name, "Th", None, "9c", up)
    assert machine.insurance_open(game) == offered
    if offered:
        insure = machine.offers(game)[0].options[0]
        assert insure == machine.Option("insure", 1, 500)


def test_lv_19_two_boxes_of_one_player_are_insured_apart() -> None:
    """One is insured for 200, the other not at all; the dealer has a natural."""
    box = 'player = "ann"\nwager = 1000'
    steps = ("1.1 insure 200", "2.1 decline")
    table = play("Th 9c Kd 8h 7c Ad", *steps, rules=LV, boxes=(box, box))
    assert nets(table) == {"1.1.insurance": 400, "1.1": -1000, "2.1": -1000}


@pytest.mark.parametrize("name", ALL)
def test_lv_20_and_21_insurance_pays_two_to_one_or_loses(name: str) -> None:
    """LV-20 with the natural, LV-21 at the look without one."""
    won = play("Th Kc 9d Ad", "1.1 insure", rules=name)
    lost = play("Th 9c 8d Ad", "1.1 insure", rules=name)
    assert nets(won) == {"1.1.insurance": 1000, "1.1": -1000}
    assert clauses(won) == {"1.1.insurance": ("LV-20",), "1.1": ("LV-38",)}
    assert nets(lost) == {"1.1.insurance": -500}
    assert clauses(lost) == {"1.1.insurance": ("LV-21",)}


@pytest.mark.parametrize("name", [name for name in ALL if name != "lv-1d"])
@pytest.mark.parametrize("hole", ["Kc", "5c"])
def test_lv_22_even_money_closes_the_natural_at_once(name: str, hole: str) -> None:
    """1:1 whatever the hole card, in place of an answer; another hand has no claim."""
    table = play(
        f"Ah Th {hole} Kd 9d Ad",
        "2.1 even_money !not_a_natural",
        "1.1 even_money",
        "1.1 insure !insurance_answered",
        "2.1 decline",
        rules=name,
        boxes=("wager = 1000", "wager = 1000"),
    )
    assert nets(table)["1.1"] == 1000
    assert clauses(table)["1.1"] == ("LV-39",)


def test_lv_22_one_deck_knows_no_even_money() -> None:
    """An insurance wager up to half is what there is."""
    steps = ("1.1 even_money !even_money_not_allowed", "1.1 insure")
    table = play("Ah Kc Kd Ad", *steps, rules="lv-1d")
    assert nets(table) == {"1.1.insurance": 1000, "1.1": 0}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("up", ["Kd", "Qd", "Jd", "Td"])
def test_lv_23_a_natural_found_in_the_reader_ends_the_round(name: str, up: str) -> None:
    """No surrender, no card: the plain hand loses."""
    table = play(f"Th Ac 9d {up}", "1.1 stand !round_over", rules=name)
    assert nets(table) == {"1.1": -1000}
    assert table.game.cards_used == 4


def test_lv_23_a_nine_is_not_checked() -> None:
    """It can make no natural; an ace is checked after insurance."""
    game = dealt(LV, "Th", None, "9c", "9d")
    assert isinstance(machine.need(game), machine.NeedDecisions)
    ace = machine.close_insurance(dealt(LV, "Th", None, "9c", "Ad"))
    assert isinstance(machine.need(ace), machine.NeedLook)


@pytest.mark.parametrize("ten", ["Td", "Jd", "Qd", "Kd"])
def test_lv_24_an_ace_and_any_ten_value_as_dealt(ten: str) -> None:
    """In either order; paid when it stands."""
    for first, second in (("Ah", ten), (ten, "Ah")):
        table = play(f"{first} 9c {second} 8d", "1.1 stand", rules=LV)
        assert clauses(table) == {"1.1": ("LV-40",)}


def test_lv_25_a_natural_may_be_hit_and_is_then_an_ordinary_hand() -> None:
    """A-K-5 is 16, hits again to 20 and is paid 1:1 against 19."""
    steps = ("1.1 hit", "1.1 hit", "1.1 stand")
    table = play("Ah 9c Kd Td 5s 4s", *steps, rules=LV)
    assert nets(table) == {"1.1": 1000}
    assert clauses(table) == {"1.1": ("LV-43",)}


@pytest.mark.parametrize(
    ("amount", "card", "net", "cited"),
    [
        ("", "9s", 2000, "LV-43"),
        ("", "5s", -2000, "LV-45"),
        (" 300", "8s", 0, "LV-44"),
    ],
)
def test_lv_25_a_natural_may_be_doubled(
    amount: str, card: str, net: int, cited: str
) -> None:
    """A-K-9 is 20, A-K-5 is 16, A-K-8 is 19; the dealer has 19."""
    table = play(f"Ah 9c Kd Td {card}", f"1.1 double{amount}", rules=LV)
    assert nets(table) == {"1.1": net}
    assert clauses(table) == {"1.1": (cited,)}


def test_lv_25_a_natural_is_not_surrendered_nor_split() -> None:
    """It is asked to stand, hit or double."""
    table = play(
        "Ah 9c Kd 8d",
        "1.1 surrender !not_on_a_natural",
        "1.1 split !not_a_pair",
        rules=LV,
    )
    offered = [option.action for option in machine.offers(table.game)[0].options]
    assert offered == ["hit", "stand", "double"]


@pytest.mark.parametrize("name", ALL)
def test_lv_26_a_two_card_21_after_a_split_is_asked(name: str) -> None:
    """Hit or doubled: K-A becomes K-A-9, and standing it is no natural."""
    cards = "Kh 9c Qd 7d Ah 9s 8s Ts"
    hit = play(cards, "1.1 split", "1.1.1 hit", "1.1.1 stand", rules=name)
    assert cards_of(hit)["1.1.1"] == "Kh Ah 9s"
    doubled = play(cards, "1.1 split", "1.1.1 double", rules=name)
    assert cards_of(doubled)["1.1.1"] == "Kh Ah 9s"
    stood = play(
        "Kh 7c Qd 7d Ah 8s 7s", "1.1 split", "1.1.1 stand", "1.1.2 stand", rules=name
    )
    assert nets(stood) == {"1.1.1": 0, "1.1.2": -1000}
    assert clauses(stood)["1.1.1"] == ("LV-44",)


@pytest.mark.parametrize("name", ALL)
def test_lv_27_any_two_cards_are_doubled_for_any_amount_up_to_the_wager(
    name: str,
) -> None:
    """Also after a split; one card, and the hand stands."""
    table = play(
        "8h 9c 8d 7d 3s 9s 2h 6h Jh Tc",
        "1.1 split",
        "1.1.1 double 1001 !amount_above_maximum",
        "1.1.1 double 1",
        "1.1.2 hit",
        "1.1.2 double !not_first_two_cards",
        "1.1.2 stand",
        rules=name,
    )
    assert nets(table) == {"1.1.1": 1001, "1.1.2": 1000}


@pytest.mark.parametrize("name", ALL)
def test_lv_28_equal_values_make_up_to_four_hands(name: str) -> None:
    """Each with an equal wager; the fourth pair stays together."""
    table = play(
        "Th 6c Jh 5d Qh Kh Ts Js",
        "1.1 split",
        "1.1.1 split",
        "1.1.1.1 split",
        "1.1.1.1.1 split !split_limit",
        rules=name,
    )
    assert [hand.wagers for hand in machine.hands(table.game)] == [(1000,)] * 4
    assert cards_of(table)["1.1.1.1.1"] == "Th Ts"
    play("Th 6c 9h 5d", "1.1 split !not_a_pair", rules=name)


def test_lv_28_split_hands_are_paid_and_taken_by_themselves() -> None:
    """Ten and nine win against 18, ten and seven lose."""
    steps = ("1.1 split", "1.1.1 stand", "1.1.2 stand")
    table = play("Th 9c Jh 9d 9s 7s", *steps, rules=LV)
    assert nets(table) == {"1.1.1": 1000, "1.1.2": -1000}


@pytest.mark.parametrize("name", SHOES)
def test_lv_29_shoe_games_split_aces_into_four_hands(name: str) -> None:
    """Between splits only `split` and `stand`; the fourth pair of aces stands."""
    table = play(
        "Ah 9c Ad 9d As Ac Ah Ad 5c 6c",
        "1.1 split",
        "1.1.1 hit !split_ace",
        "1.1.1 double !split_ace",
        "1.1.1 surrender !surrender_after_split",
        "1.1.1 split",
        "1.1.1.1 split",
        rules=name,
    )
    assert cards_of(table) == {
        "1.1.1.1.1": "Ah Ah",
        "1.1.1.1.2": "Ac Ad",
        "1.1.1.2": "As 5c",
        "1.1.2": "Ad 6c",
    }


@pytest.mark.parametrize("name", DECKS)
def test_lv_30_two_decks_and_one_split_aces_once(name: str) -> None:
    """The third ace stands where it falls."""
    table = play("Ah 9c Ad 9d As 6c", "1.1 split", rules=name)
    assert cards_of(table) == {"1.1.1": "Ah As", "1.1.2": "Ad 6c"}
    assert nets(table) == {"1.1.1": -1000, "1.1.2": -1000}


@pytest.mark.parametrize("name", SHOES)
def test_lv_31_shoe_games_surrender_after_the_look(name: str) -> None:
    """Half of 1001 comes back rounded up; not on a third card or after a split."""
    boxes = ("wager = 1001",)
    table = play("Th 9c 6d Kd", "1.1 surrender", rules=name, boxes=boxes)
    assert nets(table) == {"1.1": -500}
    hit = ("1.1 hit", "1.1 surrender !not_first_two_cards")
    play("Th 9c 2d Kd 2s", *hit, rules=name)
    split = ("1.1 split", "1.1.1 surrender !surrender_after_split")
    play("8h 9c 8d Kd 2s", *split, rules=name)


@pytest.mark.parametrize("name", DECKS)
def test_lv_31_two_decks_and_one_know_no_surrender(name: str) -> None:
    """Not even on a natural."""
    play("Th 9c 6d Kd", "1.1 surrender !surrender_not_allowed", rules=name)
    play("Ah 9c Td Kd", "1.1 surrender !surrender_not_allowed", rules=name)


@pytest.mark.parametrize(
    ("name", "hits"),
    [
        ("lv-8d", True),
        ("lv-6d", True),
        ("lv-2d", True),
        ("lv-1d", True),
        ("lv-6d-high-limit", False),
        ("lv-2d-pitch", False),
    ],
)
def test_lv_32_soft_17_is_hit_in_the_regular_areas(
    name: str,
    hits: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """A-6 becomes 21 or stays 17, against 18."""
    table = play("Th Ac 8d 6d 4s", "1.1 stand", rules=name)
    assert nets(table) == {"1.1": -1000 if hits else 1000}


@pytest.mark.parametrize("name", SHOES)
def test_lv_33_management_may_set_the_other_rule(name: str) -> None:
    """Of a shoe game."""
    usual = rule_set(name).hits_soft_17
    other = {"soft17": "stand" if usual else "hit"}
    table = play("Th Ac 8d 6d 4s", "1.1 stand", options=other, rules=name)
    assert nets(table) == {"1.1": 1000 if usual else -1000}


def test_lv_35_a_bust_is_lost_while_others_play() -> None:
    """A bust split hand too."""
    steps = ("1.1 split", "1.1.1 hit")
    table = play("8h 9c 8d 7d 5s Kd 2s", *steps, rules=LV)
    assert clauses(table) == {"1.1.1": ("LV-35",)}
    assert pending(table) == "1.1.2"


@pytest.mark.parametrize(
    ("name", "net", "cited"),
    [*((n, 1502, "LV-40") for n in ALL[:-1]), ("lv-1d", 1202, "LV-41")],
)
def test_lv_40_and_41_naturals_pay_three_to_two_or_six_to_five(
    name: str, net: int, cited: str
) -> None:
    """Of 1001, rounded up: LV-40, and LV-41 with one deck."""
    boxes = ("wager = 1001",)
    table = play("Ah 9c Kd 7d", "1.1 stand", rules=name, boxes=boxes)
    assert nets(table) == {"1.1": net}
    assert clauses(table) == {"1.1": (cited,)}
