"""Repeats before an operator: late answers, and what ended while one was awaited."""

from typing import Any

import pytest
from test_operator_calls import (
    ASKED,
    BANK,
    DEBIT,
    DEBIT_ID,
    REFUSED_BET,
    STAKED,
    back,
    ended,
    owed,
    told,
)

from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.round_events import WagersRefused
from contracts.settlement import Refund, RoundVoidSettled
from contracts.wallet_calls import CallKind, CallOutcome
from services.wallet import SERVICE, WALLET
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
)
from tests.spec import NOON, given

DAYS_2 = 2 * 24 * 3600 * 1_000_000
VOID = RoundVoidSettled(ROUND, 1, EUR, (Refund(ALICE, "1.1", 1000),))
REFUSED_NEW = WagersRefused(ROUND, 1, ALICE, EUR, NEW_BET, "round_voided")


def after(events: tuple[Any, ...], message: Any, **more: Any) -> tuple[Any, ...]:
    """Return the history with what this message or command leads to."""
    spec = given(SERVICE, ALICES_WALLET, *events)
    is_command = isinstance(message, c.RecordCall)
    outcome = spec.when(message, **more) if is_command else spec.on(message)
    decided = outcome.decided()
    assert isinstance(decided, tuple)
    return (*events, *decided)


def calls_of(events: tuple[Any, ...]) -> list[CallKind]:
    state = given(WALLET, ALICES_WALLET, *events).state()
    return [item.call.kind for item in state.operator.calls]


@pytest.mark.parametrize("ending", [VOID, REFUSED_BET], ids=["void", "cancelled"])
def test_a_bet_paid_after_the_one_it_replaces_has_ended(ending: Any) -> None:
    """Settlement may be heard before the table: the wallet books it, and goes on.

    The table cancels it next; then the operator is told to take it back.
    """
    replacing = after(STAKED, bet_placed(1500, NEW_BET, replaces=BET))
    call = replacing[-1].call
    gone = after(replacing, ending)
    paid = after(gone, told(call))
    ended_, reserved = paid[len(gone) :]
    assert isinstance(ended_, c.CallEnded)
    assert isinstance(reserved, w.FundsReserved)
    assert (reserved.returned, reserved.transfer.amount_minor) == (None, 1500)

    cancelled = after(paid, REFUSED_NEW)
    release, rollback = cancelled[len(paid) :]
    assert release.transfer == w.Transfer(
        f"{NEW_BET}:release", IN_PLAY, ALICES_MONEY, 1500
    )
    assert (rollback.call.kind, rollback.call.reference) == (CallKind.ROLLBACK, call.id)
    state = given(WALLET, ALICES_WALLET, *cancelled).state()
    assert sum(funds.in_play_minor for funds in state.rounds) == 0


def test_a_debit_under_way_for_two_days_keeps_its_id() -> None:
    """A wallet that stood still asks for the same under the same id, and books it."""
    late = after(
        ASKED,
        told(DEBIT, outcome=CallOutcome.UNCERTAIN, reason="timeout"),
    )
    state = given(WALLET, ALICES_WALLET, *late).state()
    (first,) = WALLET.resume(state).effects
    assert (first.id, first.request.call) == (f"{DEBIT_ID}:2", DEBIT)

    come = w.Transfer(f"operator:{DEBIT_ID}", BANK, ALICES_MONEY, 1000)
    given(WALLET, ALICES_WALLET, *late).when(
        told(DEBIT, attempt=2), now=NOON + DAYS_2
    ).then(ended(DEBIT, 1000, attempts=2, transfer=come), STAKED[-1])


@pytest.mark.parametrize("outcome", CallOutcome)
def test_what_is_recorded_again_after_two_days_changes_nothing(
    outcome: CallOutcome,
) -> None:
    """The command's answer is forgotten by then; the state is not (H4)."""
    for attempt in (0, 1, 2):
        record = told(DEBIT, attempt=attempt, outcome=outcome)
        given(WALLET, ALICES_WALLET, *STAKED).when(
            record, now=NOON + DAYS_2
        ).then_rejected(c.CallReason.CALL_NOT_OWED)


def test_a_debit_that_never_arrived_is_rolled_back_until_he_notes_it() -> None:
    """Its answer may be lost too: each attempt has the ids of the one before."""
    history = after(ASKED, REFUSED_BET)
    rollback = back(DEBIT)
    assert history[-1] == owed(rollback)
    for attempt in range(1, 8):
        record = told(
            rollback, attempt=attempt, outcome=CallOutcome.UNCERTAIN, reason="timeout"
        )
        history = after(history, record)
        state = given(WALLET, ALICES_WALLET, *history).state()
        (effect,) = WALLET.resume(state).effects
        assert effect.id == f"{rollback.id}:{attempt + 1}"
        assert effect.request.call == rollback
    given(WALLET, ALICES_WALLET, *history).when(told(rollback, attempt=8)).then(
        ended(rollback, 0, attempts=8)
    )


def test_a_cancelled_debit_is_taken_back_once() -> None:
    """Whether the table says so again, or the stake comes again after it."""
    history = after(ASKED, REFUSED_BET)
    assert calls_of(history) == [CallKind.ROLLBACK]
    spec = given(SERVICE, ALICES_WALLET, *history)
    spec.on(REFUSED_BET).then_nothing()
    assert calls_of(after(history, bet_placed(1000))) == [CallKind.ROLLBACK]
    done = after(history, told(back(DEBIT)))
    assert calls_of(done) == []
    assert calls_of(after(done, bet_placed(1000))) == []
