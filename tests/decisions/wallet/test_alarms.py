"""What a player is owed and his operator does not take calls for a person, once."""

from typing import Any

import pytest
from test_operator_calls import STAKED, told

from contracts import wallet_calls as c
from contracts.wallet import WalletReason
from contracts.wallet_calls import CallKind, CallOutcome
from services.wallet import SERVICE, WALLET
from services.wallet.retries import (
    ALARM_AFTER_US,
    CAP_MS,
    LONGEST_MS,
    retry_at,
)
from tests.builders import ALICE, ALICES_WALLET, EUR, ROUND, line, settled
from tests.spec import NOON, SUPPORT, given, player

HOUR_US = 3600 * 1_000_000
UNCERTAIN, REFUSED = CallOutcome.UNCERTAIN, CallOutcome.REFUSED


def won() -> tuple[tuple[Any, ...], c.OperatorCall]:
    """Return a history in which a credit is owed, and the credit."""
    message = settled(line(ALICE, 1000, 2500))
    decided = given(SERVICE, ALICES_WALLET, *STAKED).on(message).decided()
    assert isinstance(decided, tuple)
    return (*STAKED, *decided), decided[-2].call


def attempt(
    events: tuple[Any, ...],
    call: c.OperatorCall,
    number: int,
    outcome: CallOutcome,
    *,
    now: int = NOON,
) -> tuple[Any, ...]:
    """Decide how an attempt ended."""
    record = told(call, attempt=number, outcome=outcome, reason="why")
    decided = given(WALLET, ALICES_WALLET, *events).when(record, now=now).decided()
    assert isinstance(decided, tuple)
    return decided


def test_a_credit_that_is_refused_for_good_calls_for_a_person_at_once() -> None:
    """He has had the stake. It stays owed, and nobody is called a second time."""
    events, credit = won()
    decided = attempt(events, credit, 1, REFUSED)

    assert decided == (
        c.CallFailed(
            ROUND, ALICE, EUR, credit.id, 1, "why", retry_at(NOON, credit.id, 1)
        ),
        c.CallAlarmed(ROUND, ALICE, EUR, credit, 1, REFUSED, "why", NOON),
    )
    again = attempt((*events, *decided), credit, 2, REFUSED, now=NOON + HOUR_US)
    assert [type(event) for event in again] == [c.CallFailed]


def test_an_operator_who_is_away_for_a_day_calls_for_a_person() -> None:
    """Before that he may come back by himself; then once, whatever comes after."""
    events, credit = won()
    now, number, alarms = NOON, 0, []
    while now < NOON + 3 * ALARM_AFTER_US:
        number += 1
        failed, *more = attempt(events, credit, number, UNCERTAIN, now=now)
        alarms += [(now, event) for event in more]
        events += (failed, *more)
        now = failed.retry_at

    [(at, alarm)] = alarms
    assert isinstance(alarm, c.CallAlarmed)
    assert alarm.outcome is UNCERTAIN
    assert ALARM_AFTER_US <= at - NOON <= ALARM_AFTER_US + 2 * HOUR_US
    assert number < 200, "three days are no thousands of attempts"


@pytest.mark.parametrize(
    ("age_us", "longest_ms"),
    [
        (0, CAP_MS),
        (HOUR_US // 6, CAP_MS),
        (HOUR_US, 6 * CAP_MS),
        (10 * HOUR_US, LONGEST_MS),
        (1000 * HOUR_US, LONGEST_MS),
    ],
)
def test_a_failing_call_is_made_less_and_less_often(
    age_us: int, longest_ms: int
) -> None:
    """At most a minute, then a tenth of how long it has failed, and an hour."""
    since = NOON - age_us if age_us else 0
    waits = [retry_at(NOON, f"call-{n}", 30, since) - NOON for n in range(200)]

    assert longest_ms * 500 <= min(waits) < longest_ms * 550
    assert longest_ms * 950 < max(waits) <= longest_ms * 1000


def test_a_debit_calls_for_nobody() -> None:
    """The stake is refused and taken back: nobody has lost anything."""
    events = STAKED[:3]
    debit = events[-1].call
    assert debit.kind is CallKind.DEBIT
    decided = attempt(events, debit, 1, REFUSED)

    assert not any(isinstance(event, c.CallAlarmed) for event in decided)


def test_somebody_who_mended_the_cause_has_it_made_again_now() -> None:
    """Support and platform may; the next attempt is due at once."""
    events, credit = won()
    events += attempt(events, credit, 1, REFUSED)
    asked = c.RetryCall(ALICE, EUR, credit.id)
    hurried = c.CallHurried(ROUND, ALICE, EUR, credit.id, 1)

    given(WALLET, ALICES_WALLET, *events).when(asked, by=SUPPORT).then(hurried)
    [effect] = WALLET.resume(
        given(WALLET, ALICES_WALLET, *events, hurried).state()
    ).effects
    assert (effect.id, effect.due_at) == (f"{credit.id}:2", 0)


def test_what_is_not_owed_is_not_made_again() -> None:
    """Nor what waits behind another call, nor for a player who asks himself."""
    events, credit = won()
    close = events[-1].call
    refusals = {
        "another": c.CallReason.CALL_NOT_OWED,
        close.id: c.CallReason.CALL_NOT_OWED,
        credit.id: c.CallReason.CALL_NOT_OWED,
    }
    for call, reason in refusals.items():
        asked = c.RetryCall(ALICE, EUR, call)
        given(WALLET, ALICES_WALLET, *events).when(asked).then_rejected(reason)

    events += attempt(events, credit, 1, REFUSED)
    asked = c.RetryCall(ALICE, EUR, credit.id)
    given(WALLET, ALICES_WALLET, *events).when(asked, by=player(ALICE)).then_rejected(
        WalletReason.NOT_AUTHORIZED
    )
    given(WALLET, ALICES_WALLET).when(asked).then_rejected(
        c.CallReason.NO_OPERATOR_WALLET
    )
