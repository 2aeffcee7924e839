"""Boxes: how many one player may hold, and that they touch where the rules say so."""

from typing import Any

import pytest

from blackjack.rule_sets import RULE_SETS
from contracts import round_events as e
from contracts import table as t
from runtime.service import Rejected
from tests.decisions.table_orchestrator.felt import (
    ALICE,
    BOB,
    ROUND,
    Felt,
    refused,
    reserved,
)
from tests.spec import player

MOST = {
    "ny-switch-6d": 5,
    "ny-switch-8d": 5,
    "ny-multiple-action": 1,
    "pr-switch-6d": 5,
    "pr-switch-8d": 5,
    "lv-8d": 3,
    "lv-6d": 3,
    "lv-6d-high-limit": 3,
    "lv-2d-pitch": 2,
    "lv-2d": 2,
    "lv-1d": 2,
    "lv-switch": 1,
    "online-switch": 3,
}


def bet(felt: Felt, name: str, box: int) -> Any:
    count = RULE_SETS[felt.state.terms.rule_set].wagers_max
    return felt.tell(t.PlaceBet(ROUND, box, (1000,) * count), player(name))


def boxes(felt: Felt) -> list[int]:
    return sorted(bet.box for bet in felt.state.bets)


@pytest.mark.parametrize("rule_set", MOST)
def test_a_player_holds_so_many_boxes_and_no_more(rule_set: str) -> None:
    """NY-3, MA-1, PR-3, LV-2, LS-2, ON-2: table C, row boxes per player.

    Each at the table minimum: more boxes do not raise it.
    """
    felt = Felt(rule_set_id=rule_set)
    most = MOST[rule_set]
    for box in range(1, most + 1):
        assert not isinstance(bet(felt, ALICE, box), Rejected)

    reason = "no_such_box" if most == RULE_SETS[rule_set].boxes else "too_many_boxes"
    over = str(most + 1)
    assert bet(felt, ALICE, most + 1) == Rejected(reason, over, ROUND)


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_the_house_allows_fewer_boxes(most: int) -> None:
    """NY-3, PR-3: option `boxes_per_player`."""
    for rule_set in ("ny-switch-6d", "pr-switch-8d"):
        felt = Felt(rule_set_id=rule_set, options={"boxes_per_player": most})
        for box in range(1, most + 1):
            bet(felt, ALICE, box)

        refusal = Rejected("too_many_boxes", "5", ROUND)
        assert bet(felt, ALICE, 5) == refusal


def test_on_2_one_player_has_the_online_table() -> None:
    """ON-2: a second player finds it full."""
    felt = Felt(rule_set_id="online-switch")
    bet(felt, ALICE, 1)

    assert bet(felt, BOB, 2) == Rejected("table_full", "2", ROUND)


def test_lv_3_boxes_lie_next_to_each_other() -> None:
    """LV-3: another player's box between them is a gap as well."""
    felt = Felt(rule_set_id="lv-6d")
    bet(felt, ALICE, 2)
    bet(felt, BOB, 3)

    gap = Rejected("boxes_not_adjacent", "4", ROUND)
    assert bet(felt, ALICE, 4) == gap
    assert not isinstance(bet(felt, ALICE, 1), Rejected)


def test_lv_3_a_withdrawal_may_leave_no_gap() -> None:
    """LV-3: of three boxes the middle one stays; an outer one may go."""
    felt = Felt(rule_set_id="lv-6d")
    for box in (1, 2, 3):
        bet(felt, ALICE, box)

    middle = felt.tell(t.WithdrawBet(ROUND, 2), player(ALICE))
    assert middle == Rejected("boxes_not_adjacent", "2", ROUND)
    felt.tell(t.WithdrawBet(ROUND, 1), player(ALICE))

    assert boxes(felt) == [2, 3]


def test_lv_3_elsewhere_a_gap_is_no_matter() -> None:
    """LV-3 is a Las Vegas rule: in New York the middle box may go."""
    felt = Felt()
    for box in (1, 2, 3):
        bet(felt, ALICE, box)

    felt.tell(t.WithdrawBet(ROUND, 2), player(ALICE))

    assert boxes(felt) == [1, 3]


def test_lv_3_a_box_cut_off_by_a_refusal_of_the_wallet_goes_back() -> None:
    """LV-3: box 2 is refused when 1 and 3 are reserved; box 3 is returned."""
    felt = Felt(rule_set_id="lv-6d", hold="funds")
    for box in (1, 2, 3):
        bet(felt, ALICE, box)
    first, second, third = (x for x in felt.events if isinstance(x, e.WagersPlaced))
    felt.tell(reserved(first))
    felt.tell(reserved(third))

    felt.tell(refused(second))

    assert felt.last(e.WagersWithdrawn).box == 3
    assert boxes(felt) == [1]


def test_lv_3_a_pending_box_that_is_cut_off_is_refused() -> None:
    """LV-3: box 3 still waits for its funds, so the wallet is told to cancel."""
    felt = Felt(rule_set_id="lv-6d", hold="funds")
    bet(felt, BOB, 7)
    for box in (1, 2, 3):
        bet(felt, ALICE, box)
    placed = [x for x in felt.events if isinstance(x, e.WagersPlaced)]

    felt.tell(refused(placed[2]))

    last = felt.last(e.WagersRefused)
    assert (last.box, last.reason) == (3, "boxes_not_adjacent")
    assert [bet.box for bet in felt.state.pending] == [7, 1]
    assert felt.decide(reserved(placed[3]), player(ALICE)) == ()
