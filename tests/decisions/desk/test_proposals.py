"""Voids and corrections: proposed, approved by somebody else, and ended once."""

from typing import Any

import pytest
from desk_story import (
    ADAM,
    ADMIN,
    CASE,
    LIMIT,
    OPENED,
    ORDER,
    RESOLVER,
    RITA,
    STREAM,
    WHY,
    approved,
    correct,
    correction,
    void,
    void_proposed,
)

from contracts import desk as d
from contracts.desk import DeskReason, ProposalKind
from contracts.round_events import VoidOrderRefused
from contracts.settlement import Refund, RoundVoidSettled, VoidRefused
from contracts.wallet import (
    CorrectionPosted,
    CorrectionRefused,
    Transfer,
    WalletReason,
)
from services.desk import SERVICE
from tests.builders import ALICE, ALICES_MONEY, EUR, HOUSE, ROUND
from tests.spec import Given, given, reactions

APPROVE = d.ApproveProposal(CASE, 1, ADMIN)
REJECT = d.RejectProposal(CASE, 1, "not shown", RESOLVER)
REJECTED = d.ProposalRejected(ROUND, CASE, 1, "not shown", "rita", RESOLVER)
VOID = ProposalKind.VOID


def case(*history: Any) -> Given:
    return given(SERVICE, STREAM, OPENED, *history)


def test_what_is_over_the_threshold_waits_for_somebody_else() -> None:
    """One minor unit over it is over it."""
    case().when(correct(LIMIT + 1), by=RITA).then(correction(LIMIT + 1))
    case().when(correct(-LIMIT - 1), by=RITA).then(correction(-LIMIT - 1))
    case().when(void(LIMIT + 1), by=RITA).then(void_proposed(LIMIT + 1))


@pytest.mark.parametrize("amount_minor", [1, LIMIT, -LIMIT])
def test_what_one_person_may_decide_is_approved_at_once(amount_minor: int) -> None:
    """And recorded so."""
    case().when(correct(amount_minor), by=RITA).then(
        correction(amount_minor), approved(amount_minor, alone=True)
    )


def test_a_void_of_little_is_approved_at_once() -> None:
    """Its amount is what was staked on the round."""
    case().when(void(LIMIT), by=RITA).then(
        void_proposed(LIMIT), approved(LIMIT, kind=VOID, alone=True)
    )


def test_without_a_threshold_nobody_decides_alone() -> None:
    """Not even a void of nothing."""
    case().when(void(0, threshold_minor=0), by=RITA).then(
        d.VoidProposed(ROUND, CASE, 1, EUR, 0, WHY, 0, "rita", RESOLVER)
    )


def test_many_small_ones_are_no_way_around_the_threshold() -> None:
    """What was decided alone in a case is added up, whichever way it went."""
    before = (correction(1500), approved(1500, alone=True))
    case(*before).when(correct(501), by=RITA).then(correction(501, 2))
    case(*before).when(correct(-501), by=RITA).then(correction(-501, 2))
    case(*before).when(correct(500), by=RITA).then(
        correction(500, 2), approved(500, 2, alone=True)
    )


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (correct(0), DeskReason.INVALID_AMOUNT),
        (correct(2**53), DeskReason.INVALID_AMOUNT),
        (correct(-(2**53)), DeskReason.INVALID_AMOUNT),
        (correct(threshold_minor=-1), DeskReason.INVALID_AMOUNT),
        (void(-1), DeskReason.INVALID_AMOUNT),
        (correct(player="alice"), DeskReason.UNKNOWN_PLAYER),
        (correct(currency="eur"), DeskReason.UNKNOWN_CURRENCY),
        (void(currency=""), DeskReason.UNKNOWN_CURRENCY),
    ],
)
def test_what_cannot_be_meant_is_refused(command: Any, reason: str) -> None:
    """Names and amounts are checked before anybody has to approve them."""
    case().when(command, by=RITA).then_rejected(reason)


def test_somebody_else_approves() -> None:
    """The approval carries all that is needed to carry it out (H7)."""
    case(correction()).when(APPROVE, by=ADAM).then(approved())
    case(void_proposed()).when(APPROVE, by=ADAM).then(approved(5000, kind=VOID))


def test_nobody_approves_what_he_proposed() -> None:
    """Not even an admin."""
    case(correction()).when(APPROVE, by=RITA).then_rejected("self_approval")


@pytest.mark.parametrize("command", [APPROVE, REJECT])
def test_a_proposal_ends_once(command: Any) -> None:
    """Approved or rejected, and no other end after it."""
    case().when(command, by=ADAM).then_rejected("unknown_proposal")
    case(correction(), approved()).when(command, by=ADAM).then_rejected(
        "proposal_ended"
    )
    case(correction(), REJECTED).when(command, by=ADAM).then_rejected("proposal_ended")


def test_whoever_proposed_may_take_it_back() -> None:
    """A rejection needs no second person: it moves nothing."""
    case(correction()).when(REJECT, by=RITA).then(REJECTED)


BOOKED = CorrectionPosted(
    round_id=ROUND,
    case=CASE,
    proposal=1,
    player=ALICE,
    currency=EUR,
    transfer=Transfer(f"correction:{CASE}:1", HOUSE, ALICES_MONEY, 2500),
    balance_minor=9000,
)


def refused(said: str = "") -> CorrectionRefused:
    reason = WalletReason.INSUFFICIENT_FUNDS
    return CorrectionRefused(ROUND, CASE, 1, ALICE, EUR, -2500, 1000, reason, said)


def test_a_case_learns_that_its_correction_is_booked() -> None:
    """By which transfer, and what the player had after it."""
    case(correction(), approved()).on(BOOKED, source="wallet").then(
        d.CorrectionBooked(ROUND, CASE, 1, f"correction:{CASE}:1", 2500, 9000)
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [("", "insufficient_funds"), ("account_blocked", "account_blocked")],
)
def test_a_case_learns_why_its_correction_moved_nothing(said: str, told: str) -> None:
    """An operator's own reason is told as it was given."""
    case(correction(-2500), approved(-2500)).on(refused(said)).then(
        d.CorrectionFailed(ROUND, CASE, 1, told)
    )


SETTLED = RoundVoidSettled(
    ROUND, 3, EUR, (Refund(ALICE, "1.1", 3000), Refund(ALICE, "1.2", 2000)), ORDER
)


@pytest.mark.parametrize(
    ("answer", "event"),
    [
        (SETTLED, d.VoidDone(ROUND, CASE, 1, 5000)),
        (
            VoidRefused(ROUND, 3, "round_settled", ORDER),
            d.VoidFailed(ROUND, CASE, 1, "round_settled"),
        ),
        (
            VoidOrderRefused(ROUND, ORDER, "round_over"),
            d.VoidFailed(ROUND, CASE, 1, "round_over"),
        ),
    ],
)
def test_a_case_learns_what_came_of_its_void(answer: Any, event: Any) -> None:
    """From settlement, or from the table that did not begin."""
    ordered = case(void_proposed(), approved(5000, kind=VOID))
    ordered.on(answer).then(event)
    ordered.on(answer).then_quiet_when_repeated()


def test_a_void_that_no_case_ordered_is_no_matter_of_the_desk() -> None:
    """An operator may void at his own tables."""
    assert reactions(SERVICE, RoundVoidSettled(ROUND, 3, EUR, ())) == ()


def test_an_answer_to_what_was_never_proposed_stops_the_case() -> None:
    """Then something is broken, and nothing is guessed."""
    case().on(BOOKED).then_stops()
