"""Who may enter: what the table writes into the terms of its next round."""

from contracts import table as t
from contracts import table_events as te
from contracts.table_events import Entry
from runtime.service import Rejected
from tests.decisions.table_orchestrator.felt import ALICE, BOB
from tests.decisions.table_orchestrator.house import TABLE, House
from tests.spec import player

CY = "local.cy"
MULTIPLE = "ny-multiple-action"


def test_ny_4_whoever_lets_a_round_pass_waits_for_the_shuffle() -> None:
    """NY-4: first anybody, then whoever was in every round; a new shoe frees all."""
    house = House("ny-switch-6d").open(mid_shoe_entry="barred")
    assert house.terms.entry == Entry()

    house.deal(ALICE, BOB)
    assert house.terms.entry == Entry(admitted=(ALICE, BOB))
    house.deal(BOB)
    assert house.terms.entry == Entry(admitted=(BOB,))
    house.deal(BOB, cards_out=234)

    assert house.terms.first_of_shoe
    assert house.terms.entry == Entry()


def test_ny_4_open_bars_nobody() -> None:
    """NY-4: the default lets anyone enter any round; so do PR-4 and LS-5."""
    for rule_set in ("ny-switch-6d", "pr-switch-6d", "lv-switch", "lv-6d"):
        house = House(rule_set).open().deal(ALICE, BOB).deal(BOB)
        assert house.terms.entry.admitted is None, rule_set
        assert house.terms.entry.barred == (), rule_set


def test_ny_4_a_round_that_all_let_pass_brings_a_new_shoe() -> None:
    """NY-4: nobody may bet any more, so the shuffle that frees them comes now."""
    house = House("ny-switch-6d").open(mid_shoe_entry="barred").deal(ALICE)
    first = house.terms.shoe

    house.close("abandoned", all_passed=True)

    assert house.last(te.RoundRecorded).all_passed
    assert house.last(te.ShoeDiscarded).shoe == first
    assert house.terms.shoe != first
    assert (house.terms.first_of_shoe, house.terms.burn) == (True, 1)
    assert house.terms.entry == Entry()


def test_ny_4_an_abandoned_round_is_no_pass() -> None:
    """NY-4: limits changed before anybody could bet; the shoe and the bars stay."""
    house = House("ny-switch-6d").open(mid_shoe_entry="barred").deal(ALICE)

    house.close("abandoned")

    assert house.count(te.ShoeDiscarded) == 0
    assert house.terms.entry == Entry(admitted=(ALICE,))


def test_a_table_closed_over_a_round_that_all_let_pass_retires_its_shoe_once() -> None:
    """No new shoe is asked for where no round follows."""
    house = House("lv-2d").open().deal(ALICE)
    house.tell(t.CloseTable(TABLE, "end of shift"))

    house.close("abandoned", all_passed=True)

    assert house.count(te.ShoeDiscarded) == 1
    assert house.count(te.ShoeRequested) == 1


def test_ma_4_no_mid_shoe_entry() -> None:
    """MA-4 (i): only who wagered on the first round, also after a round let pass."""
    house = House(MULTIPLE).open(entry="no_mid_shoe_entry")
    assert house.terms.entry == Entry()

    house.deal(ALICE, BOB).deal(BOB).deal(ALICE)

    assert house.terms.entry == Entry(admitted=(ALICE, BOB))


def test_ma_4_mid_shoe_minimum_only() -> None:
    """MA-4 (ii): whoever comes later may enter, at the minimum, until the shuffle."""
    house = House(MULTIPLE).open(entry="mid_shoe_minimum_only")
    assert house.terms.entry == Entry()

    house.deal(ALICE).deal(ALICE, CY)
    assert house.terms.entry == Entry(unrestricted=(ALICE,))
    house.deal(ALICE, CY, cards_out=312)

    assert house.terms.entry == Entry()


def test_ma_4_no_return() -> None:
    """MA-4 (iii): who wagered and then let a round pass stays out; others may come."""
    house = House(MULTIPLE).open(entry="no_return").deal(ALICE, BOB)
    assert house.terms.entry == Entry()

    house.deal(BOB, CY)
    assert house.terms.entry == Entry(barred=(ALICE,))
    house.deal(CY)

    assert house.terms.entry == Entry(barred=(ALICE, BOB))


def test_ma_4_return_minimum_only() -> None:
    """MA-4 (iv): who let a round pass returns at the minimum, until the shuffle."""
    house = House(MULTIPLE).open(entry="return_minimum_only").deal(ALICE, BOB)

    house.deal(BOB)
    assert house.terms.entry == Entry(minimum_only=(ALICE,))
    house.deal(ALICE, BOB)
    assert house.terms.entry == Entry(minimum_only=(ALICE,))
    house.deal(ALICE, cards_out=312)

    assert house.terms.entry == Entry()


def test_ma_4_one_of_each_pair_together() -> None:
    """MA-4: a list of two options applies both."""
    both = ["mid_shoe_minimum_only", "no_return"]
    house = House(MULTIPLE).open(entry=both).deal(ALICE, BOB).deal(BOB, CY)

    assert house.terms.entry == Entry(unrestricted=(ALICE, BOB), barred=(ALICE,))

    both = ["no_mid_shoe_entry", "return_minimum_only"]
    house = House(MULTIPLE).open(entry=both).deal(ALICE, BOB).deal(BOB)

    assert house.terms.entry == Entry(admitted=(ALICE, BOB), minimum_only=(ALICE,))


def test_ma_4_open_restricts_nobody() -> None:
    """MA-4: the default; there is no seat to keep either."""
    house = House(MULTIPLE).open().deal(ALICE, BOB).deal(BOB)

    assert house.terms.entry == Entry()
    reserved = house.tell(t.ReserveSeat(TABLE, ALICE))
    assert reserved == Rejected("no_return_rule", ALICE)


def test_ma_5_a_reserved_seat_survives_the_rounds_that_pass() -> None:
    """MA-5: however many; on returning the agreement is used up."""
    house = House(MULTIPLE).open(entry="no_return").deal(ALICE, BOB)
    house.tell(t.ReserveSeat(TABLE, ALICE))

    house.deal(BOB).deal(BOB)
    assert house.terms.entry == Entry()
    house.deal(ALICE, BOB)
    assert house.terms.entry == Entry()
    house.deal(BOB)

    assert house.terms.entry == Entry(barred=(ALICE,))


def test_ma_5_the_house_agrees_when_the_player_leaves() -> None:
    """MA-5: not after the round has passed, and only house staff agree."""
    house = House(MULTIPLE).open(entry="return_minimum_only").deal(ALICE, BOB)
    reserve = t.ReserveSeat(TABLE, ALICE)
    assert house.tell(reserve, player(ALICE)) == Rejected("not_authorized", TABLE)

    house.deal(BOB)

    assert house.tell(reserve) == Rejected("seat_given_up", ALICE)
    nobody = t.ReserveSeat(TABLE, "../x")
    assert house.tell(nobody) == Rejected("invalid_name", "../x")


def test_lv_5_two_decks_and_one_admit_who_played_every_round() -> None:
    """LV-5: the number of boxes may change, the sitting out may not."""
    for rule_set in ("lv-2d-pitch", "lv-2d", "lv-1d"):
        house = House(rule_set).open().deal(ALICE, BOB, hands=2)
        assert house.terms.entry.admitted == (ALICE, BOB), rule_set

        house.deal(ALICE, hands=2)

        assert house.terms.entry.admitted == (ALICE,), rule_set


def test_lv_5_shoe_games_are_open() -> None:
    """LV-5: eight and six decks admit anybody in mid-shoe."""
    for rule_set in ("lv-8d", "lv-6d", "lv-6d-high-limit"):
        house = House(rule_set).open().deal(ALICE)
        assert house.terms.entry.admitted is None, rule_set
