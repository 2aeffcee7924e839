"""Posted limits: who keeps an earlier minimum, who has a maximum of his own."""

from typing import Any

import pytest

from blackjack.rule_sets import RULE_SETS
from contracts import round_events as e
from contracts import table as t
from contracts import table_events as te
from runtime.service import Rejected
from tests.decisions.table_orchestrator.felt import ALICE, BOB, ROUND, Felt
from tests.decisions.table_orchestrator.house import TABLE, House
from tests.spec import player

CY = "local.cy"
RAISED = t.ChangeLimits(TABLE, t.TableLimits(2500))
NOT_BINDING = [x for x in RULE_SETS if x.startswith("lv-")]
BINDING = [x for x in RULE_SETS if not x.startswith("lv-")]
RETURNED = {"overbet": "return_excess"}


@pytest.mark.parametrize("rule_set", NOT_BINDING)
def test_lv_6_players_of_the_last_round_keep_the_earlier_minimum(rule_set: str) -> None:
    """LV-6: until they sit a round out; who comes later finds the new one."""
    house = House(rule_set).open().deal(ALICE, BOB)
    house.tell(RAISED)
    house.close("abandoned")
    assert house.terms.limits.min_minor == 2500
    assert house.terms.entry.minimums_minor == {ALICE: 1000, BOB: 1000}

    house.deal(BOB, CY)
    assert house.terms.entry.minimums_minor == {BOB: 1000}
    house.deal(CY)

    assert house.terms.entry.minimums_minor == {}


def test_lv_6_a_wager_on_the_current_round_keeps_the_minimum_too() -> None:
    """LV-6: Cy's first round is in play when the minimum is raised."""
    house = House("lv-6d").open().deal(ALICE)
    house.tell(RAISED)

    house.deal(ALICE, CY)

    assert house.terms.entry.minimums_minor == {ALICE: 1000, CY: 1000}


def test_lv_6_a_second_raise_leaves_everybody_his_own_minimum() -> None:
    """LV-6: who sat down at 10 keeps 10, who sat down at 25 keeps 25."""
    house = House("lv-6d").open().deal(ALICE)
    house.tell(RAISED)
    house.close("abandoned")
    house.deal(ALICE, CY)

    house.tell(t.ChangeLimits(TABLE, t.TableLimits(5000)))
    house.close("abandoned")

    assert house.terms.entry.minimums_minor == {ALICE: 1000, CY: 2500}


def test_lv_6_a_shuffle_takes_nothing_away() -> None:
    """LV-6: a new shoe is no round sat out."""
    house = House("lv-2d").open().deal(ALICE)
    house.tell(RAISED)

    house.deal(ALICE, cards_out=90)

    assert house.terms.first_of_shoe
    assert house.terms.entry.minimums_minor == {ALICE: 1000}


def test_lv_6_who_lets_the_round_pass_with_all_others_sits_out() -> None:
    """LV-6: a round that all let pass ends the earlier minimum as well."""
    house = House("lv-2d").open().deal(ALICE)
    house.tell(RAISED)
    house.close("abandoned")

    house.close("abandoned", all_passed=True)

    assert house.terms.entry.minimums_minor == {}


@pytest.mark.parametrize("rule_set", BINDING)
def test_lv_6_elsewhere_a_raised_minimum_binds_everybody(rule_set: str) -> None:
    """LV-6 is a Las Vegas rule; table C, row raised minimum."""
    house = House(rule_set).open().deal(ALICE)
    house.tell(RAISED)
    house.close("abandoned")

    assert house.terms.entry.minimums_minor == {}


def test_lv_6_the_earlier_minimum_is_accepted() -> None:
    """LV-6: Alice bets under the posted minimum, Bob is refused."""
    entry = te.Entry(minimums_minor={ALICE: 1000})
    felt = Felt(rule_set_id="lv-6d", entry=entry, limits=t.TableLimits(2500))

    assert bet(felt, BOB, 2, 1000) == Rejected("below_minimum", "2", ROUND)
    assert bet(felt, ALICE, 1, 999) == Rejected("below_minimum", "1", ROUND)
    assert not isinstance(bet(felt, ALICE, 1, 1000), Rejected)


def bet(felt: Felt, name: str, box: int, amount: int) -> Any:
    return felt.tell(t.PlaceBet(ROUND, box, (amount,)), player(name))


def test_lv_7_over_the_maximum_is_refused() -> None:
    """LV-7: the default; elsewhere there is no other way."""
    felt = Felt(rule_set_id="lv-6d", limits=t.TableLimits(1000, 5000))

    assert bet(felt, ALICE, 1, 5001) == Rejected("above_maximum", "1", ROUND)


def test_lv_7_return_excess_puts_only_the_maximum_in_action() -> None:
    """LV-7: what was placed is on record, what is reserved and played is the maximum.

    The double, too, is measured by the part in action.
    """
    limits = t.TableLimits(1000, 5000)
    felt = Felt("5c Td 6c 9d 2h", rule_set_id="lv-6d", options=RETURNED, limits=limits)
    bet(felt, ALICE, 1, 8000)
    placed = felt.last(e.WagersPlaced)
    assert (placed.wagers_minor, placed.amount_minor) == ((8000,), 5000)

    felt.tell(t.StartDealing(ROUND), player(ALICE))

    offers = felt.last(e.DecisionOpened).offers
    most = {o.action: o.max_minor for offer in offers for o in offer.options}
    assert most["double"] == 5000


def test_lv_7_a_side_wager_over_its_maximum_is_always_refused() -> None:
    """LV-7: return_excess is for main wagers."""
    felt = Felt(rule_set_id="lv-6d", options=RETURNED)
    side = t.PlaceBet(ROUND, 1, (1000,), {"bet_the_set": 10001})

    decided = felt.tell(side, player(ALICE))

    assert decided == Rejected("side_above_maximum", "1", ROUND)


@pytest.mark.parametrize("rule_set", NOT_BINDING)
def test_lv_8_the_house_records_another_maximum_for_one_player(rule_set: str) -> None:
    """LV-8, LS-4: it is in the terms from the next round on, until it is taken back."""
    house = House(rule_set).open()
    house.tell(t.SetPlayerMaximum(TABLE, ALICE, 900_000))
    assert house.last(te.PlayerMaximumSet).round_id == "round-t1-1"
    assert house.terms.entry.maximums_minor == {}

    house.close("abandoned")
    assert house.terms.entry.maximums_minor == {ALICE: 900_000}
    house.tell(t.SetPlayerMaximum(TABLE, ALICE, 0))
    house.tell(t.SetPlayerMaximum(TABLE, BOB, 0))
    house.deal(BOB)

    assert house.terms.entry.maximums_minor == {}


@pytest.mark.parametrize("rule_set", BINDING)
def test_lv_8_elsewhere_no_player_has_a_maximum_of_his_own(rule_set: str) -> None:
    """LV-8 is a Las Vegas rule."""
    house = House(rule_set).open()

    decided = house.tell(t.SetPlayerMaximum(TABLE, ALICE, 5000))

    assert decided == Rejected("no_player_maximum", ALICE)


def test_lv_8_what_cannot_be_a_maximum_is_refused() -> None:
    """LV-8: under the minimum nobody could bet; a name is a player's; staff only."""
    house = House("lv-6d").open()

    def decided(name: str, most: int) -> Any:
        return house.tell(t.SetPlayerMaximum(TABLE, name, most))

    assert decided(ALICE, 999) == Rejected("invalid_limits", ALICE)
    assert decided(ALICE, -1) == Rejected("invalid_limits", ALICE)
    assert decided(ALICE, 10**13) == Rejected("invalid_limits", ALICE)
    assert decided("alice", 5000) == Rejected("invalid_name", "alice")
    own = t.SetPlayerMaximum(TABLE, ALICE, 5000)
    assert house.tell(own, player(ALICE)) == Rejected("not_authorized", TABLE)


def test_lv_8_the_players_maximum_takes_the_tables_place() -> None:
    """LV-8: for Alice more, for Bob less than the posted 500000."""
    entry = te.Entry(maximums_minor={ALICE: 900_000, BOB: 2000})
    felt = Felt(rule_set_id="lv-6d", entry=entry)

    assert bet(felt, BOB, 2, 2001) == Rejected("above_maximum", "2", ROUND)
    assert bet(felt, ALICE, 1, 900_001) == Rejected("above_maximum", "1", ROUND)
    assert not isinstance(bet(felt, ALICE, 1, 900_000), Rejected)


def test_lv_8_the_excess_over_the_players_own_maximum_goes_back() -> None:
    """LV-7 and LV-8 together: Alice's 6000 are in action, of Bob's only 2000."""
    entry = te.Entry(maximums_minor={ALICE: 9000, BOB: 2000})
    limits = t.TableLimits(1000, 5000)
    felt = Felt(
        "5c 6c Td 6d 7c 9d",
        rule_set_id="lv-6d",
        options=RETURNED,
        limits=limits,
        entry=entry,
    )
    bet(felt, ALICE, 1, 6000)
    bet(felt, BOB, 2, 6000)

    placed = [x.amount_minor for x in felt.events if isinstance(x, e.WagersPlaced)]
    assert placed == [6000, 2000]
    for name in (ALICE, BOB):
        felt.tell(t.StartDealing(ROUND), player(name))
    hands = [hand for box in felt.state.game.boxes for hand in box.hands]
    assert [hand.wagers for hand in hands] == [(6000,), (2000,)]


def test_ls_4_a_box_of_the_strip_switch_has_two_hands_of_2500_at_most() -> None:
    """LS-4: 250000 minor units per hand, whatever the table posts."""
    felt = Felt(rule_set_id="lv-switch")

    assert felt.bet(ALICE, 1, 250_001) == Rejected("above_maximum", "1", ROUND)
    assert not isinstance(felt.bet(ALICE, 1, 250_000), Rejected)


@pytest.mark.parametrize(
    ("rule_set", "limits"),
    [
        ("online-switch", t.TableLimits(20_001, 50_000)),
        ("online-switch", t.TableLimits(1, 99)),
        ("lv-switch", t.TableLimits(250_001, 500_000)),
        ("ny-switch-6d", t.TableLimits(5000, 4999)),
        ("ny-switch-6d", t.TableLimits(side_min_minor=0)),
    ],
)
def test_limits_that_leave_no_bet_are_refused(
    rule_set: str, limits: t.TableLimits
) -> None:
    """ON-3, LS-4: posted limits narrow the published bounds, they don't leave them."""
    house = House(rule_set, limits)
    assert house.tell(house.opening) == Rejected("invalid_limits", TABLE)

    house = House(rule_set).open()
    changed = house.tell(t.ChangeLimits(TABLE, limits))
    assert changed == Rejected("invalid_limits", TABLE)


def test_pr_6_the_side_wagers_maximum_moves_with_the_minimum() -> None:
    """PR-6: from 100 to the posted minimum, before and after it is raised."""

    def side(limits: t.TableLimits, amount: int) -> Any:
        felt = Felt(rule_set_id="pr-switch-6d", limits=limits)
        wagers = {"super_match": amount}
        return felt.bet(ALICE, 1, 3000, side_wagers_minor=wagers)

    refused = Rejected("side_above_maximum", "1", ROUND)
    assert side(t.TableLimits(1000), 1001) == refused
    assert not isinstance(side(t.TableLimits(2500), 2500), Rejected)
    assert side(t.TableLimits(2500), 2501) == refused
