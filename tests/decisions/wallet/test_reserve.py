"""A stake leaves the balance before it counts, as a whole or not at all."""

import pytest

from contracts.wallet import FundsReserved, Transfer, WalletReason
from services.wallet import SERVICE, WALLET
from tests.builders import (
    ALICE,
    ALICES_MONEY,
    ALICES_WALLET,
    BET,
    DOUBLE,
    EUR,
    IN_PLAY,
    NEW_BET,
    ROUND,
    bet_placed,
    cancelled,
    deposited,
    funds_requested,
    line,
    posted,
    refused,
    replaced,
    reserved,
    settled,
)
from tests.spec import given

RICH = deposited(10_000, 10_000)


def test_c59_a_bet_moves_its_stake_into_play() -> None:
    """The stake goes from the player's account to the round's."""
    given(SERVICE, ALICES_WALLET, RICH).on(bet_placed(1000)).then(reserved(1000, 9000))


def test_c59_a_double_moves_its_stake_into_play() -> None:
    """A step that costs money is reserved like a bet."""
    given(SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000)).on(
        funds_requested(1000)
    ).then(reserved(1000, 8000, DOUBLE))


def test_c60_the_whole_balance_may_be_staked() -> None:
    """A stake of exactly the balance is reserved."""
    given(SERVICE, ALICES_WALLET, RICH).on(bet_placed(10_000)).then(reserved(10_000, 0))


@pytest.mark.parametrize(
    ("message", "reservation"),
    [(bet_placed(10_001), BET), (funds_requested(10_001), DOUBLE)],
)
def test_c60_more_than_the_balance_is_refused_as_a_whole(
    message: object, reservation: str
) -> None:
    """The refusal says what was asked for and what the balance is."""
    given(SERVICE, ALICES_WALLET, RICH).on(message).then(
        refused(10_001, 10_000, reservation)
    )


def test_c60_boxes_of_one_player_draw_on_one_balance_in_order() -> None:
    """The second box gets what the first has left."""
    given(SERVICE, ALICES_WALLET, RICH, reserved(6000, 4000)).on(
        bet_placed(4001, NEW_BET, box=2)
    ).then(refused(4001, 4000, NEW_BET))


def test_an_unknown_players_wallet_is_empty() -> None:
    """Without a deposit there is nothing to stake."""
    given(SERVICE, ALICES_WALLET).on(bet_placed(1000)).then(refused(1000, 0))


def test_h14_a_repeated_bet_is_quiet() -> None:
    """A reservation is made once."""
    given(SERVICE, ALICES_WALLET, RICH).on(bet_placed(1000)).then_quiet_when_repeated()


def test_h14_a_repeated_refused_bet_is_quiet_even_with_money_by_now() -> None:
    """A refusal is final for that reservation."""
    given(SERVICE, ALICES_WALLET, refused(1000, 0), deposited(10_000, 10_000)).on(
        bet_placed(1000)
    ).then_nothing()


def test_h1_a_reservation_that_was_cancelled_before_it_came_is_refused() -> None:
    """Its tombstone answers for it, whatever the balance."""
    given(SERVICE, ALICES_WALLET, RICH, cancelled(0, 10_000)).on(bet_placed(1000)).then(
        refused(1000, 10_000, reason=WalletReason.RESERVATION_CANCELLED)
    )


def test_h1_a_tombstone_answers_once() -> None:
    """The refused reservation is quiet when it comes again."""
    given(SERVICE, ALICES_WALLET, RICH, cancelled(0, 10_000)).on(
        bet_placed(1000)
    ).then_quiet_when_repeated()


@pytest.mark.parametrize(
    ("amount_minor", "balance_minor"), [(400, 9600), (1000, 9000), (10_000, 0)]
)
def test_c10_a_new_bet_takes_the_place_of_the_old_in_one_event(
    amount_minor: int, balance_minor: int
) -> None:
    """The old stake comes back and counts for the new one."""
    given(SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000)).on(
        bet_placed(amount_minor, NEW_BET, replaces=BET)
    ).then(replaced(amount_minor, 1000, balance_minor))


def test_c60_a_replacement_beyond_balance_and_old_stake_leaves_the_old_bet() -> None:
    """Refused as a whole: the old stake stays in play and can be returned later."""
    given(SERVICE, ALICES_WALLET, RICH, reserved(1000, 9000)).on(
        bet_placed(10_001, NEW_BET, replaces=BET)
    ).then(refused(10_001, 9000, NEW_BET)).on(
        bet_placed(10_000, "round-t1-7:bet:3", replaces=BET)
    ).then(
        FundsReserved(
            ROUND,
            "round-t1-7:bet:3",
            ALICE,
            EUR,
            Transfer("round-t1-7:bet:3:reserve", ALICES_MONEY, IN_PLAY, 10_000),
            0,
            Transfer("round-t1-7:bet:1:release", IN_PLAY, ALICES_MONEY, 1000),
        )
    )


def test_h14_a_repeated_replacement_is_quiet() -> None:
    """Neither the new bet nor the replaced one moves again."""
    history = (RICH, reserved(1000, 9000), replaced(400, 1000, 9600))

    given(SERVICE, ALICES_WALLET, *history).on(
        bet_placed(400, NEW_BET, replaces=BET)
    ).then_nothing()
    given(SERVICE, ALICES_WALLET, *history).on(bet_placed(1000)).then_nothing()


def test_a_replacement_of_a_bet_that_is_not_held_stops() -> None:
    """The table replaces accepted bets only; anything else is a bug."""
    given(SERVICE, ALICES_WALLET, RICH).on(
        bet_placed(400, NEW_BET, replaces=BET)
    ).then_stops()


def test_h14_a_repeated_bet_of_a_settled_round_is_quiet() -> None:
    """The wallet remembers rounds that are over."""
    lost = posted(("1.1:capture", IN_PLAY, "house:local:EUR", 1000), balance_minor=9000)
    history = (RICH, reserved(1000, 9000), lost)

    given(SERVICE, ALICES_WALLET, *history).on(bet_placed(1000)).then_nothing()
    given(SERVICE, ALICES_WALLET, *history).on(
        settled(line("1.1", 1000, 0), final=True)
    ).then_nothing()


def test_a_bet_for_another_players_wallet_stops() -> None:
    """A message in a stranger's wallet is our bug."""
    given(WALLET, "wallet-local.bob.EUR").when(bet_placed(1000)).then_stops()
