"""An approved correction is one transfer, or a reason why not; never both."""

import pytest

from contracts import desk as d
from contracts.desk import ProposalKind
from contracts.wallet import (
    CorrectionPosted,
    CorrectionRefused,
    Transfer,
    WalletReason,
)
from services.wallet import SERVICE
from tests.builders import (
    ALICE,
    ALICES_MONEY,
    ALICES_WALLET,
    EUR,
    HOUSE,
    ROUND,
    deposited,
)
from tests.spec import given, reactions

CASE = "t1-7-ab12"
RICH = deposited(10_000, 10_000)


def approved(
    amount_minor: int, *, kind: ProposalKind = ProposalKind.CORRECTION
) -> d.ProposalApproved:
    return d.ProposalApproved(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        kind=kind,
        currency=EUR,
        amount_minor=amount_minor,
        reason="dealt twice",
        threshold_minor=0,
        proposed_by="rita",
        approved_by="adam",
        role=d.Role.ADMIN,
        player=ALICE if kind is ProposalKind.CORRECTION else "",
    )


def posted(debit: str, credit: str, amount: int, balance: int) -> CorrectionPosted:
    transfer = Transfer(f"correction:{CASE}:1", debit, credit, amount)
    return CorrectionPosted(ROUND, CASE, 1, ALICE, EUR, transfer, balance)


def refused(amount: int, balance: int, reason: WalletReason) -> CorrectionRefused:
    return CorrectionRefused(ROUND, CASE, 1, ALICE, EUR, amount, balance, reason)


def test_a_correction_to_the_player_comes_from_the_house() -> None:
    """One transfer, named after case and proposal."""
    given(SERVICE, ALICES_WALLET, RICH).on(approved(2500)).then(
        posted(HOUSE, ALICES_MONEY, 2500, 12_500)
    )


def test_a_correction_that_takes_back_goes_to_the_house() -> None:
    """All that the player has may go."""
    given(SERVICE, ALICES_WALLET, RICH).on(approved(-10_000)).then(
        posted(ALICES_MONEY, HOUSE, 10_000, 0)
    )


def test_a_balance_never_becomes_negative() -> None:
    """The case learns that there was not enough."""
    given(SERVICE, ALICES_WALLET, RICH).on(approved(-10_001)).then(
        refused(-10_001, 10_000, WalletReason.INSUFFICIENT_FUNDS)
    )


def test_a_balance_never_grows_beyond_what_readers_keep_exact() -> None:
    """2^53 - 1 minor units are the most."""
    most = deposited(2**53 - 1, 2**53 - 1)
    given(SERVICE, ALICES_WALLET, most).on(approved(1)).then(
        refused(1, 2**53 - 1, WalletReason.INVALID_AMOUNT)
    )


def test_who_never_had_a_wallet_gets_none_by_a_correction() -> None:
    """A name that is misspelt is refused, again and again."""
    no = refused(2500, 0, WalletReason.UNKNOWN_PLAYER)
    later = given(SERVICE, ALICES_WALLET).on(approved(2500)).then(no)
    another = d.ProposalApproved(
        **{f: getattr(approved(2500), f) for f in d.ProposalApproved.__struct_fields__}
        | {"proposal": 2}
    )
    later.on(another).then(
        CorrectionRefused(
            ROUND, CASE, 2, ALICE, EUR, 2500, 0, WalletReason.UNKNOWN_PLAYER
        )
    )


@pytest.mark.parametrize("amount_minor", [2500, -2500, -10_001])
def test_what_is_said_twice_is_done_once(amount_minor: int) -> None:
    """Booked or refused: the same proposal is answered once."""
    given(SERVICE, ALICES_WALLET, RICH).on(
        approved(amount_minor)
    ).then_quiet_when_repeated()


def test_an_approved_void_is_not_the_wallets_to_carry_out() -> None:
    """Money of a void comes from settlement, as ever (H2)."""
    assert reactions(SERVICE, approved(5000, kind=ProposalKind.VOID)) == ()
