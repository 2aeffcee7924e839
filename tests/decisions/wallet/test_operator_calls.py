"""Where an operator keeps the money, a wallet owes calls and books what he confirms."""

from typing import Any

import msgspec
import pytest

from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.identities import transaction_id
from contracts.round_events import WagersPlaced, WagersRefused
from contracts.settlement import Refund, RoundVoidSettled, WagersSettled
from contracts.wallet_calls import CallKind, CallOutcome, OperatorCall
from services.wallet import SERVICE, WALLET
from services.wallet.retries import CAP_MS, retry_at
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
    funds_requested,
    line,
    settled,
)
from tests.spec import NOON, given, player

SESSION = "s-1"
BANK = "bank:local:EUR"
DEBIT_ID = transaction_id(SESSION, BET, "debit")
AUTH = OperatorCall("auth-1", CallKind.AUTHENTICATE)
DEBIT = OperatorCall(
    id=DEBIT_ID,
    kind=CallKind.DEBIT,
    amount_minor=1000,
    session=SESSION,
    reservation=BET,
    reason="bet",
    box=1,
)


def owed(call: OperatorCall, round_id: str = ROUND) -> c.CallOwed:
    return c.CallOwed(round_id, ALICE, EUR, call)


def ended(call: OperatorCall, balance_minor: int, **more: Any) -> c.CallEnded:
    usual: dict[str, Any] = {"attempts": 1, "outcome": CallOutcome.DONE}
    return c.CallEnded(
        round_id=more.pop("round_id", ROUND),
        player=ALICE,
        currency=EUR,
        call=call,
        balance_minor=balance_minor,
        **{**usual, **more},
    )


def told(call: OperatorCall, **more: Any) -> c.RecordCall:
    usual: dict[str, Any] = {"attempt": 1, "outcome": CallOutcome.DONE}
    return c.RecordCall(ALICE, EUR, call.id, **{**usual, **more})


def refused(why: str, nearest: w.WalletReason) -> w.FundsRefused:
    return w.FundsRefused(ROUND, BET, ALICE, EUR, 1000, 0, nearest, why)


def back(call: OperatorCall, *, is_booked: bool = False) -> OperatorCall:
    return OperatorCall(
        id=transaction_id(call.id, "rollback"),
        kind=CallKind.ROLLBACK,
        amount_minor=call.amount_minor,
        session=SESSION,
        reservation=call.reservation,
        reference=call.id,
        reason="cancelled" if is_booked else "uncertain",
        is_booked=is_booked,
    )


REFUSED_BET = WagersRefused(ROUND, 1, ALICE, EUR, BET, "funds_not_confirmed")
COME = w.Transfer(f"operator:{DEBIT_ID}", BANK, ALICES_MONEY, 1000)
STAKE = w.Transfer(f"{BET}:reserve", ALICES_MONEY, IN_PLAY, 1000)
IN = (owed(AUTH, ""), ended(AUTH, 0, round_id="", session=SESSION))
"""A session is open."""
ASKED = (*IN, owed(DEBIT))
STAKED = (
    *ASKED,
    ended(DEBIT, 1000, transfer=COME),
    w.FundsReserved(ROUND, BET, ALICE, EUR, STAKE, 0),
)


def test_a_token_is_exchanged_by_the_operator() -> None:
    """The call's id follows from the command, so a crash asks the same again."""
    name = transaction_id(ALICE, "cause-1", "authenticate")
    call = OperatorCall(name, CallKind.AUTHENTICATE)

    given(SERVICE, ALICES_WALLET).when(c.OpenSession(ALICE, EUR, "once")).then(
        c.CallOwed("", ALICE, EUR, call, "once")
    )


def test_a_player_may_not_open_his_own_session() -> None:
    """Only the platform knows that a token came from the operator."""
    given(WALLET, ALICES_WALLET).when(
        c.OpenSession(ALICE, EUR, "x"), by=player(ALICE)
    ).then_rejected(w.WalletReason.NOT_AUTHORIZED)


def test_a_wallet_with_money_of_ours_is_not_handed_over() -> None:
    """Whose the balance is must not become a question."""
    given(WALLET, ALICES_WALLET, deposited(5, 5)).when(
        c.OpenSession(ALICE, EUR, "x")
    ).then_rejected(c.CallReason.WALLET_IN_USE)


@pytest.mark.parametrize(
    "command", [w.Deposit(ALICE, EUR, 5), w.Withdraw(ALICE, EUR, 5)]
)
def test_cash_is_the_operators_own(command: Any) -> None:
    """An operator's players are paid in and out there."""
    given(WALLET, ALICES_WALLET, *IN).when(command).then_rejected(
        c.CallReason.OPERATOR_WALLET
    )


def test_a_balance_is_asked_for_with_the_session() -> None:
    """And only where an operator keeps it."""
    name = transaction_id(ALICE, "cause-1", "balance")
    command = c.RefreshBalance(ALICE, EUR)

    given(WALLET, ALICES_WALLET).when(command).then_rejected(
        c.CallReason.NO_OPERATOR_WALLET
    )
    given(WALLET, ALICES_WALLET, *IN).when(command).then(
        owed(OperatorCall(name, CallKind.BALANCE, session=SESSION), "")
    )


def test_a_stake_is_asked_of_the_operator() -> None:
    """It does not count before he has confirmed it (C-59)."""
    given(SERVICE, ALICES_WALLET, *IN).on(bet_placed(1000)).then(owed(DEBIT))


def test_a_decisions_stake_says_what_it_is_for() -> None:
    """The operator sees double, split and insurance by name."""
    message = funds_requested(1000)
    decided = given(SERVICE, ALICES_WALLET, *IN).on(message).decided()

    assert isinstance(decided, tuple)
    (event,) = decided
    assert isinstance(event, c.CallOwed)
    assert event.call.reason == message.action


def test_h14_a_stake_is_asked_for_once() -> None:
    """A repeat finds the call owed, and the stake held after that."""
    given(SERVICE, ALICES_WALLET, *ASKED).on(bet_placed(1000)).then_nothing()
    given(SERVICE, ALICES_WALLET, *STAKED).on(bet_placed(1000)).then_nothing()


def test_without_a_session_there_is_no_stake() -> None:
    """The refusal says so."""
    events = (owed(AUTH, ""),)

    given(SERVICE, ALICES_WALLET, *events).on(bet_placed(1000)).then(
        refused("no_session", w.WalletReason.NOT_AUTHORIZED)
    )


def test_a_confirmed_debit_is_booked_and_staked() -> None:
    """From the bank to the player's account, and at once into play."""
    record = told(DEBIT, operator_balance_minor=9000, operator_transaction="w-1")

    given(WALLET, ALICES_WALLET, *ASKED).when(record).then(
        ended(
            DEBIT,
            1000,
            transfer=COME,
            operator_balance_minor=9000,
            operator_transaction="w-1",
        ),
        STAKED[-1],
    )


@pytest.mark.parametrize(
    ("why", "nearest"),
    [
        ("insufficient_funds", w.WalletReason.INSUFFICIENT_FUNDS),
        ("limit_reached", w.WalletReason.NOT_AUTHORIZED),
        ("self_excluded", w.WalletReason.NOT_AUTHORIZED),
        ("session_expired", w.WalletReason.NOT_AUTHORIZED),
    ],
)
def test_a9_an_operators_refusal_is_relayed_as_it_was_said(
    why: str, nearest: w.WalletReason
) -> None:
    """A first refusal is certain: there is nothing to take back."""
    record = told(DEBIT, outcome=CallOutcome.REFUSED, reason=why)

    given(WALLET, ALICES_WALLET, *ASKED).when(record).then(
        ended(DEBIT, 0, outcome=CallOutcome.REFUSED, reason=why), refused(why, nearest)
    )


def test_a_refusal_after_an_attempt_that_may_have_worked_is_taken_back() -> None:
    """A process that died may have debited: refused now says nothing of then."""
    record = told(
        DEBIT, outcome=CallOutcome.REFUSED, reason="session_expired", was_tried=True
    )

    given(WALLET, ALICES_WALLET, *ASKED).when(record).then(
        ended(DEBIT, 0, outcome=CallOutcome.REFUSED, reason="session_expired"),
        refused("session_expired", w.WalletReason.NOT_AUTHORIZED),
        owed(back(DEBIT)),
    )


def test_an_uncertain_debit_is_tried_again_and_then_taken_back() -> None:
    """After the last attempt the stake is refused, and the rollback owed for good."""
    events: list[Any] = list(ASKED)
    for attempt in (1, 2, 3):
        record = told(
            DEBIT, attempt=attempt, outcome=CallOutcome.UNCERTAIN, reason="timeout"
        )
        at = retry_at(NOON, DEBIT_ID, attempt)
        failed = c.CallFailed(ROUND, ALICE, EUR, DEBIT_ID, attempt, "timeout", at)
        given(WALLET, ALICES_WALLET, *events).when(record).then(failed)
        events.append(failed)
    last = told(DEBIT, attempt=4, outcome=CallOutcome.UNCERTAIN, reason="timeout")

    given(WALLET, ALICES_WALLET, *events).when(last).then(
        ended(DEBIT, 0, attempts=4, outcome=CallOutcome.UNCERTAIN, reason="timeout"),
        refused("operator_uncertain", w.WalletReason.NOT_AUTHORIZED),
        owed(back(DEBIT)),
    )


def test_h1_a_cancelled_debit_gives_way_to_its_rollback() -> None:
    """Whether it has worked is not known: the operator is told to undo it."""
    given(SERVICE, ALICES_WALLET, *ASKED).on(REFUSED_BET).then(
        w.ReservationCancelled(ROUND, BET, ALICE, EUR, 0), owed(back(DEBIT))
    )


def test_a_late_answer_to_a_cancelled_debit_is_refused() -> None:
    """Its rollback is what is owed now, and it alone can be answered."""
    events = (*ASKED, w.ReservationCancelled(ROUND, BET, ALICE, EUR, 0))
    events = (*events, owed(back(DEBIT)))

    given(WALLET, ALICES_WALLET, *events).when(told(DEBIT)).then_rejected(
        c.CallReason.CALL_NOT_OWED
    )


def test_a_held_stake_that_is_cancelled_goes_back_to_the_operator() -> None:
    """Booked back to the bank only when he has confirmed it."""
    release = w.Transfer(f"{BET}:release", IN_PLAY, ALICES_MONEY, 1000)
    rollback = back(msgspec.structs.replace(DEBIT), is_booked=True)
    returned = w.Transfer(f"operator:{rollback.id}", ALICES_MONEY, BANK, 1000)

    after = (
        given(SERVICE, ALICES_WALLET, *STAKED)
        .on(REFUSED_BET)
        .then(
            w.ReservationCancelled(ROUND, BET, ALICE, EUR, 1000, release),
            owed(rollback),
        )
    )
    after.when(told(rollback)).then(ended(rollback, 0, transfer=returned))


def test_w7_a_win_is_credited_and_the_round_closed() -> None:
    """Posted at once; the operator's confirmation is owed (H6)."""
    message = settled(line(ALICE, 1000, 2500))
    decided = given(SERVICE, ALICES_WALLET, *STAKED).on(message).decided()

    assert isinstance(decided, tuple)
    posted, credit, close = decided
    assert isinstance(message, WagersSettled)
    assert isinstance(posted, w.PayoutsPosted)
    assert posted.balance_minor == credit.call.amount_minor == 2500
    assert credit.call.kind is CallKind.CREDIT
    assert credit.call.is_booked
    assert close.call.kind is CallKind.CLOSE


def test_w7_a_loss_only_closes_the_round() -> None:
    """Nothing comes back, and the operator hears that the round is over."""
    decided = (
        given(SERVICE, ALICES_WALLET, *STAKED)
        .on(settled(line(ALICE, 1000, 0)))
        .decided()
    )

    assert isinstance(decided, tuple)
    assert [getattr(e, "call", DEBIT).kind for e in decided[1:]] == [CallKind.CLOSE]


def test_a_credit_is_never_given_up() -> None:
    """Refused or uncertain, it stays owed, in the end once a minute."""
    message = settled(line(ALICE, 1000, 2500))
    events: tuple[Any, ...] = STAKED
    events += given(SERVICE, ALICES_WALLET, *events).on(message).decided()
    credit = events[-2].call
    for attempt in range(1, 40):
        outcome = (CallOutcome.REFUSED, CallOutcome.UNCERTAIN)[attempt % 2]
        record = told(credit, attempt=attempt, outcome=outcome, reason="x")
        decided = given(WALLET, ALICES_WALLET, *events).when(record).decided()
        assert isinstance(decided, tuple)
        failed = decided[0]
        assert isinstance(failed, c.CallFailed)
        assert failed.retry_at - NOON <= CAP_MS * 1000
        events += decided
    owed_now = WALLET.resume(given(WALLET, ALICES_WALLET, *events).state())
    assert owed_now.effects[0].id == f"{credit.id}:40"


def test_h6_the_next_stake_waits_for_the_credit() -> None:
    """Calls of a player are made in order: the debit is behind the credit."""
    events: tuple[Any, ...] = STAKED
    for message in (settled(line(ALICE, 1000, 2500)), bet_placed(500, NEW_BET)):
        events += given(SERVICE, ALICES_WALLET, *events).on(message).decided()
    state = given(WALLET, ALICES_WALLET, *events).state()

    kinds = [owed_.call.kind for owed_ in state.operator.calls]
    assert kinds == [CallKind.CREDIT, CallKind.CLOSE, CallKind.DEBIT]
    assert len(WALLET.resume(state).effects) == 1


def test_c10_a_replaced_bet_is_taken_back_when_the_new_one_is_paid() -> None:
    """The new stake first: whoever can't pay it keeps the old bet."""
    message = bet_placed(1500, NEW_BET, replaces=BET)
    assert isinstance(message, WagersPlaced)
    events: tuple[Any, ...] = STAKED
    events += given(SERVICE, ALICES_WALLET, *events).on(message).decided()
    call = events[-1].call
    decided = given(WALLET, ALICES_WALLET, *events).when(told(call)).decided()

    assert isinstance(decided, tuple)
    _, reserved, rollback = decided
    assert isinstance(reserved, w.FundsReserved)
    assert reserved.returned is not None
    assert reserved.returned.amount_minor == 1000
    assert rollback.call.reference == DEBIT_ID
    assert reserved.balance_minor == rollback.call.amount_minor == 1000


def test_only_the_platform_records_calls() -> None:
    """A player who says that he has paid has not."""
    given(WALLET, ALICES_WALLET, *ASKED).when(
        told(DEBIT), by=player(ALICE)
    ).then_rejected(w.WalletReason.NOT_AUTHORIZED)


@pytest.mark.parametrize("attempt", [0, 2])
def test_another_attempt_than_the_next_is_refused(attempt: int) -> None:
    """What was recorded, or not begun, is not recorded again."""
    given(WALLET, ALICES_WALLET, *ASKED).when(
        told(DEBIT, attempt=attempt)
    ).then_rejected(c.CallReason.CALL_NOT_OWED)


def test_a_void_is_credited_as_well() -> None:
    """A refund comes back like a win; the round is closed with it (H2)."""
    message = RoundVoidSettled(ROUND, 1, EUR, (Refund(ALICE, "1.1", 1000),))
    decided = given(SERVICE, ALICES_WALLET, *STAKED).on(message).decided()

    assert isinstance(decided, tuple)
    assert [e.call.kind for e in decided[1:]] == [CallKind.CREDIT, CallKind.CLOSE]


def test_delays_double_up_to_the_cap_and_differ_between_calls() -> None:
    """The spread is half to whole of the delay, the same whenever it is decided."""
    for attempt in (1, 2, 5, 30):
        delay_us = min(200_000 << (attempt - 1), CAP_MS * 1000)
        times = {retry_at(0, f"call-{n}", attempt) for n in range(50)}
        assert all(delay_us // 2 <= at <= delay_us for at in times)
        assert len(times) > 40
