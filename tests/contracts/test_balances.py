"""A player's balance, as whoever hears his wallet learns it."""

from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.balances import Balance, balance_after

PLAYER = ("acme.bob", "EUR")
CALL = c.OperatorCall("d1", c.CallKind.DEBIT, 1000)
OWED = c.CallOwed("", *PLAYER, CALL)
FAILED = c.CallFailed("", *PLAYER, "d1", 1, "timeout", 5)


def ended(outcome: c.CallOutcome, told_minor: int = 0) -> c.CallEnded:
    return c.CallEnded(
        "", *PLAYER, CALL, 1, outcome, 1000, operator_balance_minor=told_minor
    )


def refused(held_minor: int) -> w.FundsRefused:
    return w.FundsRefused(
        "", "r1", *PLAYER, 5, held_minor, w.WalletReason.INSUFFICIENT_FUNDS
    )


def test_our_own_books_tell_what_a_player_has() -> None:
    """Each event that has the balance after it."""
    assert balance_after(Balance(7), refused(70)) == Balance(70)


def test_an_operators_word_is_what_his_player_has() -> None:
    """A call that is only owed, that failed or was refused tells no balance."""
    balance = Balance()
    for event in (OWED, FAILED):
        balance = balance_after(balance, event)
        assert balance == Balance(0, is_operators=True)
    balance = balance_after(balance, ended(c.CallOutcome.DONE, 9000))
    assert balance == Balance(9000, is_operators=True)
    for event in (refused(1000), ended(c.CallOutcome.REFUSED), OWED):
        assert balance_after(balance, event) == balance


def test_an_event_of_tomorrow_changes_nothing() -> None:
    """Whoever hears must not fail at what newer software records."""
    assert balance_after(Balance(7), object()) == Balance(7)
