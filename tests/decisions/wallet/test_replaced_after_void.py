"""A void is heard of before the bet that it ends: no wallet stands still for it."""

from typing import Any

import pytest

from contracts import wallet as w
from contracts.round_events import WagersRefused
from contracts.settlement import Refund, RoundVoidSettled
from services.wallet import SERVICE
from tests.builders import (
    ALICE,
    ALICES_MONEY,
    ALICES_WALLET,
    BET,
    EUR,
    IN_PLAY,
    NEW_BET,
    ROUND,
    bet_placed,
    deposited,
)
from tests.spec import given

STAKE = w.Transfer(f"{BET}:reserve", ALICES_MONEY, IN_PLAY, 1000)
BEFORE = (
    deposited(5000, 5000),
    w.FundsReserved(ROUND, BET, ALICE, EUR, STAKE, 4000),
)
VOID = RoundVoidSettled(ROUND, 1, EUR, (Refund(ALICE, "1", 1000),))


def after(events: tuple[Any, ...], message: Any) -> tuple[Any, ...]:
    decided = given(SERVICE, ALICES_WALLET, *events).on(message).decided()
    assert isinstance(decided, tuple)
    return (*events, *decided)


def test_a_bet_that_replaces_one_a_void_has_given_back_is_held_and_returned() -> None:
    """Table and settlement are two sources: the table's refusal comes next (H1)."""
    voided = after(BEFORE, VOID)
    placed = after(voided, bet_placed(1500, NEW_BET, replaces=BET))
    reserved = placed[-1]
    assert isinstance(reserved, w.FundsReserved)
    assert (reserved.returned, reserved.balance_minor) == (None, 3500)

    refused = WagersRefused(ROUND, 1, ALICE, EUR, NEW_BET, "round_voided")
    cancelled = after(placed, refused)
    assert isinstance(cancelled[-1], w.ReservationCancelled)
    assert cancelled[-1].balance_minor == 5000


def test_a_bet_that_replaces_one_that_never_was_stops_the_wallet() -> None:
    """That cannot be true, whatever came before what."""
    with pytest.raises(AssertionError, match="is not held"):
        after(BEFORE, bet_placed(1500, "round-t1-7:bet:9", replaces=NEW_BET))
