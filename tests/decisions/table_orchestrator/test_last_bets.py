"""What a round does when its table closes or changes, or when nobody bets on it."""

from typing import Any

import pytest

from contracts import round_events as e
from contracts import table as t
from contracts import table_events as te
from runtime.service import Rejected
from services.table_orchestrator import SERVICE
from services.table_orchestrator.state import Betting, Ended, Playing
from tests.decisions.table_orchestrator.felt import (
    ALICE,
    BOB,
    ROUND,
    Felt,
    refused,
    terms,
)
from tests.spec import PLATFORM, given, player

CARDS = "Tc 9d 6h 5c 7d Kd"
CLOSED = te.TableClosed("t1", "end of shift", ROUND)
CHANGES = [
    CLOSED,
    te.LimitsChanged("t1", t.TableLimits(), t.TableLimits(2000), ROUND),
    te.DealerChanged("t1", "dora", ROUND),
    te.PlayerMaximumSet("t1", ALICE, 9000, ROUND),
]
BARRING = te.Entry(admitted=(ALICE, BOB))


@pytest.mark.parametrize("change", CHANGES, ids=lambda x: type(x).__name__)
def test_a_round_whose_last_bet_goes_after_a_change_ends(change: Any) -> None:
    """The withdrawal closes the round, so that the table goes on or retires its shoe.

    Before, a round of a closed table stayed in betting for ever.
    """
    felt = Felt()
    felt.bet(ALICE, 1)
    felt.tell(change)

    felt.tell(t.WithdrawBet(ROUND, 1), player(ALICE))

    closed = felt.last(e.RoundClosed)
    assert (closed.status, closed.dealt, closed.all_passed) == (
        "abandoned",
        False,
        False,
    )
    assert isinstance(felt.state, Ended)


def test_a_closed_tables_round_with_a_bet_is_dealt_and_settled() -> None:
    """Close the table while a bet stands: the round in play is finished."""
    felt = Felt(CARDS)
    felt.bet(ALICE, 1)
    felt.tell(CLOSED)

    felt.tell(t.StartDealing(ROUND), player(ALICE))

    assert isinstance(felt.state, Playing)
    assert felt.count(e.CardsReceived) == 1


def test_another_bet_keeps_a_superseded_round_open() -> None:
    """Only when the last of two bets is withdrawn does the round end."""
    felt = Felt()
    felt.bet(ALICE, 1)
    felt.bet(BOB, 2)
    felt.tell(CLOSED)

    felt.tell(t.WithdrawBet(ROUND, 1), player(ALICE))
    assert isinstance(felt.state, Betting)
    felt.tell(t.WithdrawBet(ROUND, 2), player(BOB))

    assert isinstance(felt.state, Ended)


def test_a_superseded_round_ends_when_the_wallet_refuses_its_only_bet() -> None:
    """A pending bet keeps the round open; its refusal ends it."""
    felt = Felt(hold="funds")
    felt.bet(ALICE, 1)
    felt.tell(CLOSED)
    assert isinstance(felt.state, Betting)

    felt.tell(refused(felt.last(e.WagersPlaced)))

    assert isinstance(felt.state, Ended)


def test_a_change_is_noted_once() -> None:
    """The same record again, or another change, adds nothing."""
    felt = Felt()
    felt.bet(ALICE, 1)

    assert felt.tell(CLOSED) == (e.TermsSuperseded(ROUND, "table.table_closed.v1"),)
    assert felt.tell(CLOSED) == ()
    assert felt.tell(CHANGES[1]) == ()


def test_a_change_reaches_the_round_that_was_open() -> None:
    """The table's own record is sent to the round that it names."""
    placed = e.WagersPlaced(ROUND, 1, ALICE, "EUR", (1, 1), {}, "r", 2, 9)
    clock = e.DecisionOpened(ROUND, 1, "betting", 9)
    history = (e.RoundOpened(ROUND, terms()), placed, clock)

    noted = e.TermsSuperseded(ROUND, "table.table_closed.v1")

    given(SERVICE, ROUND, *history).on(CLOSED).then(noted)


def test_a_round_that_is_being_cut_is_not_superseded() -> None:
    """After betting has closed the cards come, whatever the table does."""
    felt = Felt(hold="cards").start(ALICE)

    assert felt.tell(CLOSED) == ()


def test_ny_4_a_round_that_bars_somebody_has_a_clock_from_the_start() -> None:
    """Otherwise those who are barred wait for ever for those who left."""
    assert Felt(entry=BARRING).deadlines() == ["betting"]
    assert Felt(entry=te.Entry(barred=(ALICE,))).deadlines() == ["betting"]
    assert Felt(entry=te.Entry(minimum_only=(ALICE,))).deadlines() == []
    assert Felt().deadlines() == []


def test_ny_4_when_all_who_may_bet_let_the_round_pass_it_says_so() -> None:
    """Nobody bets within the time for bets: the round closes, undealt."""
    felt = Felt(entry=BARRING)

    felt.pass_deadline()

    closed = felt.last(e.RoundClosed)
    assert (closed.status, closed.dealt, closed.all_passed) == (
        "abandoned",
        False,
        True,
    )


def test_ny_4_a_bet_in_time_is_dealt() -> None:
    """The first bet does not start the clock again, and at its end cards come."""
    felt = Felt(CARDS, entry=BARRING)
    due = felt.last(e.DecisionOpened).due_at
    felt.now += 5_000_000
    felt.bet(ALICE, 1)
    assert felt.count(e.DecisionOpened) == 1

    felt.pass_deadline()

    assert felt.now == due
    assert isinstance(felt.state, Playing)


def test_ny_4_a_withdrawn_bet_does_not_stop_the_clock_of_a_barring_round() -> None:
    """Who bets and withdraws cannot keep the others waiting."""
    felt = Felt(entry=BARRING)
    felt.bet(ALICE, 1)
    felt.tell(t.WithdrawBet(ROUND, 1), player(ALICE))

    assert felt.deadlines() == ["betting"]
    felt.pass_deadline()

    assert felt.last(e.RoundClosed).all_passed


def test_ny_4_the_clock_waits_for_a_pending_bet() -> None:
    """While the wallet is asked no clock but its own runs (H1)."""
    felt = Felt(hold="funds", entry=BARRING)
    felt.bet(ALICE, 1)

    assert felt.deadlines() == [f"funds:{ROUND}:bet:1"]
    felt.tell(refused(felt.last(e.WagersPlaced)))

    assert felt.deadlines() == ["betting"]


def test_ma_4_who_is_barred_or_held_to_the_minimum_is_refused_with_the_reason() -> None:
    """C-63 7 and 15: a barred player, and one who may bet the minimum only."""
    entry = te.Entry(barred=(ALICE,), minimum_only=(BOB,))
    felt = Felt(rule_set_id="ny-multiple-action", entry=entry)

    def bet(name: str, amount: int) -> Any:
        return felt.tell(t.PlaceBet(ROUND, 1, (amount, amount)), player(name))

    assert bet(ALICE, 1000) == Rejected("entry_barred", "1", ROUND)
    assert bet(BOB, 1001) == Rejected("minimum_only", "1", ROUND)
    assert not isinstance(bet(BOB, 1000), Rejected)
    assert felt.decide(t.WithdrawBet(ROUND, 1), PLATFORM) == Rejected(
        "not_authorized", "1", ROUND
    )
