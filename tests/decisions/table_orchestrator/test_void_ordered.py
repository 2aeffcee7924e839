"""A void that a case has decided: begun once, or refused with a reason."""

from typing import Any

import pytest

from contracts import round_events as e
from contracts import settlement as st
from contracts import table as t
from contracts.desk import ProposalApproved, ProposalKind, Proposed, Role
from services.table_orchestrator import ROUND as DECIDER
from services.table_orchestrator import SERVICE
from services.table_orchestrator.state import Playing
from tests.decisions.table_orchestrator.felt import ALICE, ROUND, Felt
from tests.spec import given, reactions

CASE = "t1-7-ab12"
ORDER = Proposed(CASE, 1)
CARDS = "5c 9d 4h Ks 8s 8d"


def ordered(**changes: Any) -> ProposalApproved:
    facts: dict[str, Any] = {
        "round_id": ROUND,
        "case": CASE,
        "proposal": 1,
        "kind": ProposalKind.VOID,
        "currency": "EUR",
        "amount_minor": 2000,
        "reason": "the camera failed",
        "threshold_minor": 2000,
        "proposed_by": "rita",
        "approved_by": "adam",
        "role": Role.ADMIN,
    }
    return ProposalApproved(**(facts | changes))


def dealt() -> Felt:
    return Felt(CARDS).start(ALICE)


@pytest.mark.parametrize("felt", [Felt(), dealt()], ids=["betting", "dealt"])
def test_an_ordered_void_names_every_stake_and_its_case(felt: Felt) -> None:
    """As one that support commands; settlement's answer will name the case as well."""
    felt.tell(ordered())

    event = felt.last(e.RoundVoided)
    assert event.order == ORDER
    assert event.reason == "the camera failed"
    commanded = Felt(CARDS).start(ALICE) if event.stakes else Felt()
    commanded.void()
    assert event.stakes == commanded.last(e.RoundVoided).stakes


def test_one_person_alone_voids_no_more_than_he_may() -> None:
    """The stakes are 20.00, and more than was decided about: what else was decided
    alone in the case is added up by the amounts of then.
    """
    refused = e.VoidOrderRefused(ROUND, ORDER, "stakes_over_limit")

    assert dealt().tell(ordered(is_alone=True, amount_minor=1999)) == (refused,)
    assert dealt().tell(ordered(is_alone=True, amount_minor=2000)) != (refused,)
    assert dealt().tell(ordered(amount_minor=0)) != (refused,)


def test_a_refused_order_leaves_the_round_as_it_was() -> None:
    """Not even funds that are asked for are given up."""
    felt = dealt()
    before = felt.state

    felt.tell(ordered(is_alone=True, amount_minor=1))

    assert felt.state == before


def test_a_round_is_voided_once() -> None:
    """A second order, of another case, comes too late."""
    felt = dealt()
    felt.tell(ordered())

    assert felt.tell(ordered(case="t1-7-cd34")) == (
        e.VoidOrderRefused(ROUND, Proposed("t1-7-cd34", 1), "round_over"),
    )


def test_h2_settled_is_settled() -> None:
    """Once the last part is due the table begins no void."""
    felt = dealt()
    felt.cards += ["9h", "9s"]
    felt.do(ALICE, t.KeepCards, "1")
    for target in ("1.1", "1.2"):
        felt.do(ALICE, t.Stand, target)
    assert isinstance(felt.state, Playing)
    assert felt.state.final

    assert felt.tell(ordered()) == (e.VoidOrderRefused(ROUND, ORDER, "round_over"),)


def test_a_round_that_never_was_is_not_voided() -> None:
    """It says so in the stream it would have had, and may still be opened."""
    refused = e.VoidOrderRefused(ROUND, ORDER, "unknown_round")

    given(DECIDER, ROUND).when(ordered()).then(refused)


def test_h2_settlements_answer_names_the_case() -> None:
    """So the desk learns of it without looking anywhere else (H7)."""
    from services.settlement import SERVICE as SETTLEMENT

    voided = e.RoundVoided(ROUND, 1, "EUR", (), "the camera failed", ORDER)
    stream = f"settlement-{ROUND}"
    done = st.RoundVoidSettled(ROUND, 1, "EUR", (), ORDER)
    final = st.WagersSettled(ROUND, 1, "EUR", (), final=True)

    given(SETTLEMENT, stream).on(voided).then(done)
    given(SETTLEMENT, stream, final).on(voided).then(
        st.VoidRefused(ROUND, 1, "round_settled", ORDER)
    )


def test_an_approved_correction_is_not_the_tables_to_carry_out() -> None:
    """The wallet takes it."""
    assert reactions(SERVICE, ordered(kind=ProposalKind.CORRECTION)) == ()
