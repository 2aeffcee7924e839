"""Corrections where an operator keeps the money: owed to him, or asked of him."""

from typing import Any

import pytest
from msgspec.structs import replace

from contracts.desk import Proposed
from contracts.identities import transaction_id
from contracts.wallet import (
    CorrectionPosted,
    CorrectionRefused,
    Transfer,
    WalletReason,
)
from contracts.wallet_calls import (
    CallEnded,
    CallKind,
    CallOutcome,
    CallOwed,
    OperatorCall,
    RecordCall,
)
from services.wallet import SERVICE
from tests.builders import ALICE, ALICES_MONEY, ALICES_WALLET, BANK, EUR, HOUSE, ROUND
from tests.decisions.wallet.test_corrections import CASE, approved
from tests.spec import Given, given

NAME = f"correction:{CASE}:1"
CALL = transaction_id(ALICE, EUR, NAME)
ORDER = Proposed(CASE, 1)
LOGIN = OperatorCall("login", CallKind.AUTHENTICATE)
KNOWN = (
    CallOwed("", ALICE, EUR, LOGIN, "token"),
    CallEnded("", ALICE, EUR, LOGIN, 1, CallOutcome.DONE, 0, session="s-1"),
)
"""The operator has said who came."""


def owed(kind: CallKind, *, is_booked: bool = False) -> CallOwed:
    call = OperatorCall(
        id=CALL,
        kind=kind,
        amount_minor=2500,
        session="s-1",
        reservation=NAME,
        reason="correction",
        is_booked=is_booked,
    )
    return CallOwed(ROUND, ALICE, EUR, call, order=ORDER)


def posted(debit: str, credit: str, balance_minor: int) -> CorrectionPosted:
    transfer = Transfer(NAME, debit, credit, 2500)
    return CorrectionPosted(ROUND, CASE, 1, ALICE, EUR, transfer, balance_minor)


def told(outcome: CallOutcome = CallOutcome.DONE, **more: Any) -> RecordCall:
    return RecordCall(ALICE, EUR, CALL, **{"attempt": 1, "outcome": outcome, **more})


def wallet(*history: Any) -> Given:
    return given(SERVICE, ALICES_WALLET, *KNOWN, *history)


CREDIT = owed(CallKind.CREDIT, is_booked=True)
DEBIT = owed(CallKind.DEBIT)


def test_a_correction_to_the_player_is_booked_and_owed_to_the_operator() -> None:
    """It is the player's now; the operator has to take it, however long that takes."""
    booked = posted(HOUSE, ALICES_MONEY, 2500)
    later = wallet().on(approved(2500)).then(booked, CREDIT)

    back = Transfer(f"operator:{CALL}", ALICES_MONEY, BANK, 2500)
    ended = CallEnded(
        ROUND, ALICE, EUR, CREDIT.call, 1, CallOutcome.DONE, 0, transfer=back
    )
    later.when(told()).then(ended)


def test_a_correction_that_takes_back_is_asked_of_the_operator_first() -> None:
    """Nothing is booked before he has taken it from his player; then at once."""
    later = wallet().on(approved(-2500)).then(DEBIT)
    later.on(approved(-2500)).then_nothing()

    come = Transfer(f"operator:{CALL}", BANK, ALICES_MONEY, 2500)
    ended = CallEnded(
        ROUND, ALICE, EUR, DEBIT.call, 1, CallOutcome.DONE, 2500, transfer=come
    )
    done = later.when(told()).then(ended, posted(ALICES_MONEY, HOUSE, 0))
    done.on(approved(-2500)).then_nothing()
    assert done.state().rounds == (), "no round holds a correction"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("insufficient_funds", WalletReason.INSUFFICIENT_FUNDS),
        ("account_blocked", WalletReason.NOT_AUTHORIZED),
    ],
)
def test_an_operators_no_is_told_as_he_said_it(said: str, reason: WalletReason) -> None:
    """The case shows his own word."""
    no = told(CallOutcome.REFUSED, reason=said)
    ended = CallEnded(
        ROUND, ALICE, EUR, DEBIT.call, 1, CallOutcome.REFUSED, 0, reason=said
    )
    refused = CorrectionRefused(ROUND, CASE, 1, ALICE, EUR, -2500, 0, reason, said)

    wallet(DEBIT).when(no).then(ended, refused)


def test_a_debit_of_which_nobody_knows_is_taken_back() -> None:
    """After the last attempt it is refused, and rolled back should it have come."""
    state = wallet(DEBIT)
    for attempt in range(1, 4):
        unheard = told(CallOutcome.UNCERTAIN, attempt=attempt, reason="timeout")
        (failed,) = state.when(unheard).decided()
        state = state.and_then(failed)

    last = told(CallOutcome.UNCERTAIN, attempt=4, reason="timeout")
    ended, refused, rollback = state.when(last).decided()

    assert ended.outcome is CallOutcome.UNCERTAIN
    assert refused.operator_reason == "operator_uncertain"
    assert (rollback.call.kind, rollback.call.reference) == (CallKind.ROLLBACK, CALL)


@pytest.mark.parametrize("amount_minor", [2500, -2500])
def test_without_a_session_nothing_is_moved(amount_minor: int) -> None:
    """Somebody asked for a player and the operator has not said that he has one."""
    refused = CorrectionRefused(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        player=ALICE,
        currency=EUR,
        amount_minor=amount_minor,
        balance_minor=0,
        reason=WalletReason.NOT_AUTHORIZED,
        operator_reason="no_session",
    )
    given(SERVICE, ALICES_WALLET, KNOWN[0], replace(KNOWN[1], session="")).on(
        approved(amount_minor)
    ).then(refused)
