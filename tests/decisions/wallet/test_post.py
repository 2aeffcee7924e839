"""Settlements and voids end every stake once, to the cent."""

import pytest

from contracts.settlement import Refund
from runtime.service import To
from services.wallet import SERVICE
from tests.builders import (
    ALICE,
    ALICES_MONEY,
    ALICES_WALLET,
    BOB,
    DOUBLE,
    HOUSE,
    IN_PLAY,
    NEW_BET,
    cancelled,
    deposited,
    funds_declined,
    funds_requested,
    line,
    posted,
    reserved,
    settled,
    void_settled,
)
from tests.spec import given, reactions

STAKED = (deposited(10_000, 10_000), reserved(2001, 7999))
"""Alice has 79.99 left and 20.01 at stake: 10.00 and 10.01 on two hands."""


def test_c56_a_win_returns_the_stake_and_pays_from_the_house() -> None:
    """The stake comes from play, the winnings from the house."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(settled(line("1.1", 1000, 2000))).then(
        posted(
            ("1.1:release", IN_PLAY, ALICES_MONEY, 1000),
            ("1.1:winnings", HOUSE, ALICES_MONEY, 1000),
            balance_minor=9999,
        )
    )


def test_c56_a_push_returns_the_stake() -> None:
    """The house is not touched, and no transfer of nothing is written."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(settled(line("1.1", 1000, 1000))).then(
        posted(("1.1:release", IN_PLAY, ALICES_MONEY, 1000), balance_minor=8999)
    )


def test_c56_a_loss_goes_to_the_house() -> None:
    """The balance stays what it was."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(settled(line("1.1", 1000, 0))).then(
        posted(("1.1:capture", IN_PLAY, HOUSE, 1000), balance_minor=7999)
    )


def test_c58_a_surrender_of_an_odd_stake_splits_it_to_the_cent() -> None:
    """Of 10.01, 5.01 comes back and 5.00 is lost."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(settled(line("1.2", 1001, 501))).then(
        posted(
            ("1.2:release", IN_PLAY, ALICES_MONEY, 501),
            ("1.2:capture", IN_PLAY, HOUSE, 500),
            balance_minor=8500,
        )
    )


def test_h6_all_of_a_players_lines_are_booked_at_once_and_no_others() -> None:
    """Bob's line in the same part is for Bob's wallet."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(
        settled(
            line("1.1", 1000, 2000),
            line("2.1", 5000, 0, player=BOB),
            line("1.2", 1001, 0),
            part=3,
            final=True,
        )
    ).then(
        posted(
            ("1.1:release", IN_PLAY, ALICES_MONEY, 1000),
            ("1.1:winnings", HOUSE, ALICES_MONEY, 1000),
            ("1.2:capture", IN_PLAY, HOUSE, 1001),
            balance_minor=9999,
            part=3,
        )
    )


def test_a_settlement_is_sent_once_to_each_player_in_it() -> None:
    """A player with two lines gets the part once."""
    event = settled(
        line("1.1", 1000, 0), line("2.1", 1000, 0, player=BOB), line("1.2", 1001, 0)
    )

    assert reactions(SERVICE, event) == (
        To("wallet-local.alice.EUR", event),
        To("wallet-local.bob.EUR", event),
    )


def test_a_part_without_lines_concerns_no_wallet() -> None:
    """The end of a round may have nothing left to decide."""
    assert reactions(SERVICE, settled(final=True)) == ()


@pytest.mark.parametrize(
    "event",
    [
        settled(line("1.1", 1000, 2000)),
        settled(line("1.1", 1000, 2000), line("1.2", 1001, 0), final=True),
        void_settled(Refund(ALICE, "1.1", 1000), Refund(ALICE, "1.2", 1001)),
    ],
)
def test_h14_a_part_is_booked_once(event: object) -> None:
    """A repeat of a part is quiet, also after the end of the round."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(event).then_quiet_when_repeated()


def test_h2_a_void_returns_stakes_from_play_and_lost_ones_from_the_house() -> None:
    """Alice gets all of it back, 5.00 of it from the house that had won it."""
    surrendered = posted(
        ("1.2:release", IN_PLAY, ALICES_MONEY, 501),
        ("1.2:capture", IN_PLAY, HOUSE, 500),
        balance_minor=8500,
    )
    given(SERVICE, ALICES_WALLET, *STAKED, surrendered).on(
        void_settled(Refund(ALICE, "1.1", 1000), Refund(ALICE, "1.2", 500, 500))
    ).then(
        posted(
            ("1.1:release", IN_PLAY, ALICES_MONEY, 1000),
            ("1.2:refund", HOUSE, ALICES_MONEY, 500),
            balance_minor=10_000,
            part=2,
        )
    )


def test_h2_a_void_after_a_win_leaves_the_win() -> None:
    """The hand that was won stands; only the other stake returns."""
    won = posted(
        ("1.1:release", IN_PLAY, ALICES_MONEY, 1000),
        ("1.1:winnings", HOUSE, ALICES_MONEY, 1000),
        balance_minor=9999,
    )
    given(SERVICE, ALICES_WALLET, *STAKED, won).on(
        void_settled(Refund(ALICE, "1.2", 1001))
    ).then(
        posted(
            ("1.2:release", IN_PLAY, ALICES_MONEY, 1001), balance_minor=11_000, part=2
        )
    )


def test_h1_a_last_part_may_overtake_the_cancellation_of_a_pending_double() -> None:
    """Two sources, no common order: the double still comes back, once."""
    given(SERVICE, ALICES_WALLET, *STAKED, reserved(1000, 6999, DOUBLE)).on(
        settled(line("1.1", 1000, 0), line("1.2", 1001, 0), final=True)
    ).then(
        posted(
            ("1.1:capture", IN_PLAY, HOUSE, 1000),
            ("1.2:capture", IN_PLAY, HOUSE, 1001),
            balance_minor=6999,
        )
    ).on(funds_declined()).then(cancelled(1000, 7999, DOUBLE)).on(
        funds_declined()
    ).then_nothing().on(funds_requested(1000)).then_nothing()


def test_h2_money_without_an_owner_after_the_end_stops() -> None:
    """A last part that forgets a stake is not booked."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(
        settled(line("1.1", 1000, 0), final=True)
    ).then_stops()


def test_h2_a_void_that_forgets_a_stake_stops() -> None:
    """A void is the end too."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(
        void_settled(Refund(ALICE, "1.1", 1000))
    ).then_stops()


def test_more_than_is_in_play_is_not_settled() -> None:
    """The round's account never goes below zero for a player."""
    given(SERVICE, ALICES_WALLET, *STAKED).on(
        settled(line("1.1", 2002, 0))
    ).then_stops()


def test_a_settlement_in_another_currency_stops() -> None:
    """Euros are not booked in a wallet of dollars."""
    event = settled(line("1.1", 1000, 0))
    wallet = given(SERVICE.deciders["wallet"], "wallet-local.alice.USD")
    wallet.when(event).then_stops()


def test_h2_two_boxes_of_one_player_share_the_rounds_account() -> None:
    """Each label names its own transfers, so no id comes twice."""
    given(SERVICE, ALICES_WALLET, *STAKED, reserved(1000, 6999, NEW_BET)).on(
        settled(
            line("1.1", 1000, 0),
            line("1.2", 1001, 0),
            line("3.1", 1000, 1000),
            final=True,
        )
    ).then(
        posted(
            ("1.1:capture", IN_PLAY, HOUSE, 1000),
            ("1.2:capture", IN_PLAY, HOUSE, 1001),
            ("3.1:release", IN_PLAY, ALICES_MONEY, 1000),
            balance_minor=7999,
        )
    )
