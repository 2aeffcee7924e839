"""A cancelled reservation comes back once, or bars itself from coming late."""

import pytest

from services.wallet import SERVICE
from tests.builders import (
    ALICES_WALLET,
    BET,
    DOUBLE,
    HOUSE,
    IN_PLAY,
    NEW_BET,
    bet_placed,
    bet_refused,
    bet_withdrawn,
    cancelled,
    deposited,
    funds_declined,
    posted,
    refused,
    replaced,
    reserved,
)
from tests.spec import given

RICH = deposited(10_000, 10_000)


@pytest.mark.parametrize("message", [bet_withdrawn(), bet_refused()])
def test_h1_a_held_bet_comes_back(message: object) -> None:
    """Withdrawn by the player or refused by the table: the stake returns."""
    given(SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000)).on(message).then(
        cancelled(1000, 10_000)
    )


def test_h1_a_held_double_comes_back_and_the_bet_stays() -> None:
    """Only the reservation that is named is returned."""
    given(
        SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000), reserved(500, 8500, DOUBLE)
    ).on(funds_declined()).then(cancelled(500, 9000, DOUBLE)).on(bet_withdrawn()).then(
        cancelled(1000, 10_000)
    )


@pytest.mark.parametrize(
    ("message", "reservation"),
    [(bet_withdrawn(), BET), (bet_refused(), BET), (funds_declined(), DOUBLE)],
)
def test_h1_a_cancellation_that_overtakes_its_reservation_leaves_a_tombstone(
    message: object, reservation: str
) -> None:
    """Nothing moves, and the reservation is barred."""
    given(SERVICE, ALICES_WALLET, RICH).on(message).then(
        cancelled(0, 10_000, reservation)
    )


@pytest.mark.parametrize("history", [(RICH,), (RICH, reserved(1000, 9000))])
def test_h14_a_repeated_cancellation_is_quiet(history: tuple[object, ...]) -> None:
    """Released or barred, it happens once."""
    given(SERVICE, ALICES_WALLET, *history).on(
        bet_withdrawn()
    ).then_quiet_when_repeated()


@pytest.mark.parametrize(
    ("message", "reservation"),
    [
        (bet_refused(reason="insufficient_funds"), BET),
        (funds_declined(reason="insufficient_funds"), DOUBLE),
    ],
)
def test_h1_the_echo_of_the_wallets_own_refusal_is_quiet(
    message: object, reservation: str
) -> None:
    """The table repeats the wallet's reason; there is nothing to return."""
    given(SERVICE, ALICES_WALLET, refused(1000, 0, reservation)).on(
        message
    ).then_nothing()


def test_h1_the_echo_of_a_refused_tombstone_is_quiet() -> None:
    """A barred reservation that came and was refused has ended."""
    given(SERVICE, ALICES_WALLET, RICH, cancelled(0, 10_000)).on(
        bet_placed(1000)
    ).then_quiet_when_repeated()
    given(SERVICE, ALICES_WALLET, RICH, cancelled(0, 10_000)).on(
        bet_refused()
    ).then_nothing()


def test_h2_a_replaced_bet_has_ended_and_is_not_returned_again() -> None:
    """The replacement returned it; its cancellation adds nothing."""
    given(
        SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000), replaced(400, 1000, 9600)
    ).on(bet_withdrawn()).then_nothing().on(bet_withdrawn(NEW_BET)).then(
        cancelled(400, 10_000, NEW_BET)
    )


def test_h2_a_settled_stake_is_not_cancelled() -> None:
    """What settlement has ended stays ended."""
    lost = posted(("1.1:capture", IN_PLAY, HOUSE, 1000), balance_minor=9000)
    given(SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000), lost).on(
        bet_withdrawn()
    ).then_nothing()


def test_h2_a_stake_that_is_partly_settled_does_not_come_back_whole() -> None:
    """The table never cancels an accepted bet; if it did, money would be made."""
    part = posted(("1.1:capture", IN_PLAY, HOUSE, 400), balance_minor=9000)
    given(SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000), part).on(
        bet_withdrawn()
    ).then_stops()
