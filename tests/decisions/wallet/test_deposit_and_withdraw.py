"""Money comes in from the operator's bank and goes out to it, once per command."""

import pytest

from contracts.envelope import Actor
from contracts.wallet import (
    Deposit,
    Deposited,
    Transfer,
    WalletCommandRefused,
    Withdraw,
    Withdrawn,
)
from runtime.service import Rejected
from services.wallet import SERVICE, WALLET
from tests.builders import (
    ALICE,
    ALICES_MONEY,
    ALICES_WALLET,
    BANK,
    EUR,
    deposited,
    reserved,
)
from tests.spec import PLATFORM, SUPPORT, given, player

LARGEST = 9_007_199_254_740_991


def test_a_deposit_moves_money_from_the_bank_to_the_player() -> None:
    """A deposit is one transfer, with the balance after it and its reference."""
    given(WALLET, ALICES_WALLET, deposited(1000, 1000)).when(
        Deposit(ALICE, EUR, 250, "slip 12"), by=PLATFORM, cause_id="c-2"
    ).then(
        Deposited(
            ALICE,
            EUR,
            Transfer("deposit:platform:local:c-2", BANK, ALICES_MONEY, 250),
            1250,
            "slip 12",
        )
    )


def test_a_withdrawal_moves_money_from_the_player_to_the_bank() -> None:
    """All of the balance may be withdrawn, to the last cent."""
    given(WALLET, ALICES_WALLET, deposited(1000, 1000)).when(
        Withdraw(ALICE, EUR, 1000), by=SUPPORT, cause_id="c-2"
    ).then(
        Withdrawn(
            ALICE,
            EUR,
            Transfer("withdraw:support:sam:c-2", ALICES_MONEY, BANK, 1000),
            0,
        )
    )


def test_c60_more_than_the_balance_is_not_withdrawn() -> None:
    """One cent too many is refused as a whole."""
    given(WALLET, ALICES_WALLET, deposited(1000, 1000)).when(
        Withdraw(ALICE, EUR, 1001)
    ).then_rejected("insufficient_funds")


def test_c59_a_stake_in_play_is_not_withdrawn() -> None:
    """What is at stake has left the balance and cannot be withdrawn."""
    given(WALLET, ALICES_WALLET, deposited(1000, 1000), reserved(400, 600)).when(
        Withdraw(ALICE, EUR, 601)
    ).then_rejected("insufficient_funds")


@pytest.mark.parametrize("kind", [Deposit, Withdraw])
def test_h4_a_command_that_comes_twice_moves_money_once(
    kind: type[Deposit | Withdraw],
) -> None:
    """Should a repeat pass the recorded answers, it is refused, not done (law 3)."""
    message = kind(ALICE, EUR, 300)
    done = given(WALLET, ALICES_WALLET, deposited(1000, 1000)).when(
        message, cause_id="c-2"
    )

    given(WALLET, ALICES_WALLET, deposited(1000, 1000), *done.decided()).when(
        message, cause_id="c-2"
    ).then_rejected("already_done")


def test_h4_a_withdrawal_of_everything_that_comes_twice_is_already_done() -> None:
    """A repeat is no refusal for lack of the money that it moved itself."""
    message = Withdraw(ALICE, EUR, 1000)
    done = given(WALLET, ALICES_WALLET, deposited(1000, 1000)).when(
        message, cause_id="c-2"
    )

    given(WALLET, ALICES_WALLET, deposited(1000, 1000), *done.decided()).when(
        message, cause_id="c-2"
    ).then_rejected("already_done")


def test_h4_the_same_id_of_another_actor_is_another_command() -> None:
    """Actor and command id together identify a command, whatever an actor's name."""
    first = Deposited(
        ALICE,
        EUR,
        Transfer("deposit:platform:a%3Ab:c", BANK, ALICES_MONEY, 100),
        100,
    )
    given(WALLET, ALICES_WALLET, first).when(
        Deposit(ALICE, EUR, 100), by=Actor("platform", "a"), cause_id="b:c"
    ).then(
        Deposited(
            ALICE,
            EUR,
            Transfer("deposit:platform:a:b:c", BANK, ALICES_MONEY, 100),
            200,
        )
    )


@pytest.mark.parametrize("kind", [Deposit, Withdraw])
@pytest.mark.parametrize("by", [player(ALICE), Actor("timeout", "")])
def test_players_move_no_cash(kind: type[Deposit | Withdraw], by: Actor) -> None:
    """Only platform and support do, and this reason comes before all others."""
    given(WALLET, "wallet-?.?").when(kind("?", "?", 0), by=by).then_rejected(
        "not_authorized"
    )


@pytest.mark.parametrize("kind", [Deposit, Withdraw])
@pytest.mark.parametrize(
    ("name", "currency", "amount_minor", "reason"),
    [
        ("alice", "euro", 0, "unknown_player"),
        ("local.", EUR, 100, "unknown_player"),
        (ALICE, "euro", 0, "unknown_currency"),
        (ALICE, EUR, 0, "invalid_amount"),
        (ALICE, EUR, -1, "invalid_amount"),
        (ALICE, EUR, LARGEST + 1, "invalid_amount"),
    ],
)
def test_bad_input_gets_the_first_reason_that_applies(
    *,
    kind: type[Deposit | Withdraw],
    name: str,
    currency: str,
    amount_minor: int,
    reason: str,
) -> None:
    """Player, currency and amount are checked in the order of the reasons."""
    given(WALLET, f"wallet-{name}.{currency}").when(
        kind(name, currency, amount_minor)
    ).then_rejected(reason)


def test_a_balance_stays_an_exact_number_for_every_reader() -> None:
    """A deposit that would pass 2^53 - 1 minor units is no valid amount."""
    given(WALLET, ALICES_WALLET, deposited(LARGEST, LARGEST)).when(
        Deposit(ALICE, EUR, 1)
    ).then_rejected("invalid_amount")


def test_a_command_for_another_wallet_stops() -> None:
    """A command that was routed to a stranger's wallet is our bug, not a refusal."""
    given(WALLET, ALICES_WALLET).when(Deposit("local.bob", EUR, 1)).then_stops()


def test_a_refused_command_is_recorded_with_its_reason() -> None:
    """The refusal event names the command and why it was refused."""
    assert SERVICE.refusal is not None

    event = SERVICE.refusal("c-9", "wallet.withdraw.v1", Rejected("insufficient_funds"))

    assert event == WalletCommandRefused(
        "c-9", "wallet.withdraw.v1", "insufficient_funds"
    )
    given(WALLET, ALICES_WALLET, deposited(5, 5), event).when(
        Withdraw(ALICE, EUR, 6)
    ).then_rejected("insufficient_funds")


def test_a_command_is_addressed_to_the_wallet_of_player_and_currency() -> None:
    """Each player has one stream per currency."""
    assert SERVICE.address is not None

    assert SERVICE.address(Withdraw(ALICE, EUR, 1)) == "wallet-local.alice.EUR"
