"""A void is answered once: every stake that was not won goes back (H2)."""

import pytest

from contracts.round_events import OpenStake
from contracts.settlement import Refund, VoidRefused
from services.settlement import SERVICE
from tests.builders import (
    ALICE,
    BOB,
    ROUND,
    SETTLEMENT,
    line,
    settled,
    void_settled,
    voided,
)
from tests.spec import given

ALICES_HAND = OpenStake(ALICE, "1.1", 1000)
BOBS_HAND = OpenStake(BOB, "2.1", 1001)


def test_h2_a_void_before_any_settlement_returns_every_stake() -> None:
    """All of it is still in play."""
    given(SERVICE, SETTLEMENT).on(voided(ALICES_HAND, BOBS_HAND, part=1)).then(
        void_settled(Refund(ALICE, "1.1", 1000), Refund(BOB, "2.1", 1001), part=1)
    )


def test_h2_a_void_returns_a_stake_that_was_lost() -> None:
    """What the house won comes back from the house."""
    given(SERVICE, SETTLEMENT, settled(line("1.1", 1000, 0))).on(
        voided(ALICES_HAND, BOBS_HAND)
    ).then(void_settled(Refund(ALICE, "1.1", 1000, 1000), Refund(BOB, "2.1", 1001)))


def test_h2_a_void_returns_the_lost_half_of_a_surrender() -> None:
    """Of 10.01 surrendered, 5.01 came back before; 5.00 is still owed."""
    given(SERVICE, SETTLEMENT, settled(line("2.1", 1001, 501, player=BOB))).on(
        voided(ALICES_HAND, BOBS_HAND)
    ).then(void_settled(Refund(ALICE, "1.1", 1000), Refund(BOB, "2.1", 500, 500)))


@pytest.mark.parametrize("payout_minor", [1000, 2000])
def test_h2_a_void_takes_nothing_back(payout_minor: int) -> None:
    """A wager that was won, or whose stake came back, stands."""
    given(SERVICE, SETTLEMENT, settled(line("1.1", 1000, payout_minor))).on(
        voided(ALICES_HAND, BOBS_HAND)
    ).then(void_settled(Refund(BOB, "2.1", 1001)))


def test_h2_a_void_of_a_round_in_which_everything_was_won_refunds_nothing() -> None:
    """It is answered all the same: the table waits for that."""
    given(SERVICE, SETTLEMENT, settled(line("1.1", 1000, 2500))).on(
        voided(ALICES_HAND)
    ).then(void_settled())


def test_h2_a_void_of_a_round_without_bets_is_answered() -> None:
    """No stake, no refund, one answer."""
    given(SERVICE, SETTLEMENT).on(voided(part=1)).then(void_settled(part=1))


def test_h2_a_repeated_void_is_quiet() -> None:
    """A void is answered once."""
    given(SERVICE, SETTLEMENT).on(voided(ALICES_HAND)).then_quiet_when_repeated()


def test_h2_a_void_after_the_settlement_is_refused() -> None:
    """After settlement only corrections exist."""
    end = settled(line("1.1", 1000, 0), final=True)
    given(SERVICE, SETTLEMENT, end).on(voided(ALICES_HAND)).then(
        VoidRefused(ROUND, 2, "round_settled")
    ).on(voided(ALICES_HAND)).then_nothing()


def test_h2_a_void_that_forgets_a_settled_stake_stops() -> None:
    """All accepted stakes are named; a lost one must not be overlooked."""
    given(SERVICE, SETTLEMENT, settled(line("1.1", 1000, 0))).on(
        voided(BOBS_HAND)
    ).then_stops()


def test_h2_a_void_that_knows_a_settled_stake_otherwise_stops() -> None:
    """Another amount under the same label is a bug in one of the two."""
    given(SERVICE, SETTLEMENT, settled(line("1.1", 900, 0))).on(
        voided(ALICES_HAND)
    ).then_stops()


def test_h2_a_void_that_names_a_stake_twice_stops() -> None:
    """Nobody is refunded twice."""
    given(SERVICE, SETTLEMENT).on(voided(ALICES_HAND, ALICES_HAND)).then_stops()


def test_a_void_of_another_round_stops() -> None:
    """A stream knows its round."""
    decider = SERVICE.deciders["settlement"]
    given(decider, "settlement-round-t1-8").when(voided(ALICES_HAND)).then_stops()
