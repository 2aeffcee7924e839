"""When a new shoe comes, and what is burned before a round."""

import pytest

from blackjack.rule_sets import RULE_SETS
from contracts import table as t
from contracts import table_events as te
from tests.decisions.table_orchestrator.felt import ALICE, BOB
from tests.decisions.table_orchestrator.house import TABLE, House

CY = "local.cy"


@pytest.mark.parametrize(
    ("hands", "rounds"), [(1, 5), (2, 4), (3, 3), (4, 2), (5, 2), (6, 2)]
)
def test_lv_11_rounds_per_shuffle_by_the_number_of_hands(
    hands: int, rounds: int
) -> None:
    """LV-11: five rounds for one hand, four, three, then two."""
    house = House("lv-1d").open()

    for _ in range(rounds):
        assert house.terms.shoe == "shoe-t1-1"
        house.deal(ALICE, hands=hands)

    assert house.terms.shoe == "shoe-t1-2"


def test_lv_11_the_largest_round_since_the_shuffle_counts() -> None:
    """LV-11: one, then three hands: three rounds; fewer hands later change nothing."""
    house = House("lv-1d").open()

    house.deal(ALICE, hands=1).deal(ALICE, hands=3)
    assert house.terms.shoe == "shoe-t1-1"
    house.deal(ALICE, hands=1)

    assert house.terms.shoe == "shoe-t1-2"


def test_lv_11_the_deck_is_shuffled_when_a_large_round_ends_its_rounds_at_once() -> (
    None
):
    """LV-11: four hands in the third round: its two rounds are more than dealt."""
    house = House("lv-1d").open()

    house.deal(ALICE, hands=1).deal(ALICE, hands=1).deal(ALICE, hands=4)

    assert house.terms.shoe == "shoe-t1-2"


def test_lv_11_the_count_begins_anew_with_the_shuffle() -> None:
    """LV-11: after four hands in one deck, one hand has five rounds in the next."""
    house = House("lv-1d").open().deal(ALICE, hands=4).deal(ALICE, hands=4)

    for _ in range(5):
        assert house.terms.shoe == "shoe-t1-2"
        house.deal(ALICE, hands=1)

    assert house.terms.shoe == "shoe-t1-3"


def test_lv_11_there_is_no_cut_card() -> None:
    """LV-11: the shoe is asked for without one, and no number of cards ends it."""
    house = House("lv-1d").open()
    assert house.last(te.ShoeRequested).cut_card_at == 0

    house.deal(ALICE, hands=1, cards_out=51)

    assert house.terms.shoe == "shoe-t1-1"


def test_lv_11_a_round_that_was_not_dealt_does_not_count() -> None:
    """LV-11: only dealt rounds use the deck up."""
    house = House("lv-1d").open()
    for _ in range(6):
        house.close("abandoned")

    assert house.terms.shoe == "shoe-t1-1"


@pytest.mark.parametrize("rule_set", [x for x in RULE_SETS if x != "lv-1d"])
def test_c_16_the_round_that_reaches_the_cut_card_is_the_shoes_last(
    rule_set: str,
) -> None:
    """C-16, ON-1: three quarters of the shoe, online half of it."""
    decks = RULE_SETS[rule_set].decks
    share = 50 if rule_set == "online-switch" else 75
    cut_card_at = decks * 52 * share // 100
    house = House(rule_set).open()
    assert house.last(te.ShoeRequested).cut_card_at == cut_card_at

    house.deal(ALICE, cards_out=cut_card_at - 1)
    assert house.terms.shoe == "shoe-t1-1"
    house.deal(ALICE, cards_out=cut_card_at)

    assert house.terms.shoe == "shoe-t1-2"


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_ny_5_one_card_is_burned_per_shoe(rule_set: str) -> None:
    """NY-5, MA-6, PR-4, LV-9: with the first round only; ON-1: none at all."""
    house = House(rule_set).open()
    burned = 0 if rule_set == "online-switch" else 1
    assert house.terms.burn == burned

    house.close("abandoned")
    assert house.terms.burn == burned
    house.deal(ALICE)

    assert house.terms.burn == 0


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_ny_5_a_new_dealer_burns_a_card(rule_set: str) -> None:
    """NY-5, MA-6: before dealing; not in PR-4 and LV-9."""
    house = House(rule_set).open().deal(ALICE)
    house.tell(t.ChangeDealer(TABLE, "dora"))

    house.close("abandoned")
    assert house.terms.burn == (1 if rule_set.startswith("ny-") else 0)
    house.deal(ALICE)

    assert house.terms.burn == 0


def test_ny_5_a_dealer_who_comes_in_mid_round_burns_for_the_next() -> None:
    """NY-5: the round in play burned nothing for the new dealer."""
    house = House("ny-switch-6d").open().deal(ALICE)
    house.tell(t.ChangeDealer(TABLE, "dora"))

    house.deal(ALICE)
    assert house.terms.burn == 1
    house.deal(ALICE)

    assert house.terms.burn == 0


def test_ny_5_a_new_shoe_and_a_new_dealer_burn_two() -> None:
    """NY-5: one for each reason."""
    house = House("ny-switch-6d").open()
    house.tell(t.ChangeDealer(TABLE, "dora"))

    house.close("abandoned")

    assert house.terms.burn == 2


def test_several_players_of_one_shoe_count_as_one_table() -> None:
    """LV-11: the hands of all players count together."""
    house = House("lv-1d").open()

    house.deal(ALICE, BOB, CY).deal(ALICE, BOB, CY).deal(ALICE, BOB, CY)

    assert house.terms.shoe == "shoe-t1-2"
