"""What one person decided alone adds up, and a case's void is an approved one's."""

from typing import Any

import pytest
from money_story import (
    ALICE,
    HOUSE,
    PLAYER,
    ROUND,
    TERMS,
    VOIDED,
    audited,
    move,
    void_story,
)
from msgspec.structs import replace
from test_audit_corrections import ALONE, CASE, POSTED, PROPOSED, corrected

from contracts import desk as d
from contracts import round_events as e
from contracts.desk import ProposalKind, Proposed, Role

OTHER = "t1-2-cd34"
VOID_PROPOSED = d.VoidProposed(
    ROUND, CASE, 1, "EUR", 2000, "the camera failed", 0, "rita", Role.RESOLVER
)
VOID_APPROVED = d.ProposalApproved(
    round_id=ROUND,
    case=CASE,
    proposal=1,
    kind=ProposalKind.VOID,
    currency="EUR",
    amount_minor=2000,
    reason="the camera failed",
    threshold_minor=0,
    proposed_by="rita",
    approved_by="adam",
    role=Role.ADMIN,
)
VOID_ALONE = replace(
    VOID_APPROVED, approved_by="rita", is_alone=True, threshold_minor=2000
)
ORDERED = replace(VOIDED, order=Proposed(CASE, 1))


def twice_alone(second_minor: int, **changed: Any) -> dict[str, Any]:
    """Two corrections of one case by one person: 600 paid, then some taken back."""
    first = {"amount_minor": 600}
    second = {"proposal": 2, "amount_minor": -second_minor}
    name = f"correction:{CASE}:2"
    steps: dict[str, Any] = {
        "proposed": replace(PROPOSED, **first),
        "approved": replace(ALONE, **first),
        "corrected": replace(
            POSTED,
            transfer=replace(POSTED.transfer, amount_minor=600),
            balance_minor=101600,
        ),
        "proposed_2": replace(PROPOSED, **second),
        "approved_2": replace(ALONE, **second),
        "corrected_2": replace(
            POSTED,
            proposal=2,
            transfer=move(name, PLAYER, HOUSE, second_minor),
            balance_minor=101600 - second_minor,
        ),
    }
    return corrected(**(steps | changed))


def voided(**changed: Any) -> dict[str, Any]:
    """A case's void from its proposal to the refund."""
    steps: dict[str, Any] = {
        "void_proposed": VOID_PROPOSED,
        "void_approved": VOID_APPROVED,
        "voided": ORDERED,
    }
    return void_story(**(steps | changed))


def found(events: dict[str, Any]) -> set[str]:
    return {violation.check for violation in audited(events.values()).finish()}


HONEST = {
    "up_to_the_threshold": twice_alone(400),
    "over_it_by_two": twice_alone(
        500,
        approved_2=replace(
            ALONE, proposal=2, amount_minor=-500, approved_by="adam", is_alone=False
        ),
    ),
    "void": voided(),
    "void_alone": voided(void_approved=VOID_ALONE),
    "void_by_an_operator": voided(
        void_proposed=None, void_approved=None, voided=VOIDED
    ),
    "void_that_was_refused": voided(
        proposed_2=replace(VOID_PROPOSED, proposal=2),
        approved_2=replace(VOID_APPROVED, proposal=2),
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_was_decided_in_order_breaks_no_rule(name: str) -> None:
    """Whichever log was read first: the desk's may come last."""
    events = HONEST[name]
    assert audited(events.values()).finish() == ()
    of_desk = [x for x in events.values() if type(x).__module__ == "contracts.desk"]
    others = [x for x in events.values() if x not in of_desk]
    for order in ([*of_desk, *others], [*others, *of_desk]):
        assert audited(order).finish() == ()


def test_amounts_of_other_cases_and_currencies_are_not_added() -> None:
    """The threshold is for one case and one currency."""
    steps = [VOID_PROPOSED, VOID_ALONE]
    for change in ({"currency": "USD", "proposal": 2}, {"case": OTHER}):
        steps += [replace(step, **change) for step in (VOID_PROPOSED, VOID_ALONE)]
    assert audited(steps).finish() == ()


BROKEN: dict[str, tuple[dict[str, Any], set[str]]] = {
    "alone_added_up": (twice_alone(401), {"alone_sum"}),
    "alone_with_a_void": (
        voided(
            void_approved=VOID_ALONE,
            proposed_2=replace(PROPOSED, proposal=2, amount_minor=1),
            approved_2=replace(ALONE, proposal=2, amount_minor=1),
        ),
        {"alone_sum"},
    ),
    "nobody_approved": (voided(void_approved=None), {"void_approved"}),
    "never_proposed": (voided(void_proposed=None), {"void_approved"}),
    "proposed_by_another": (
        voided(void_approved=replace(VOID_APPROVED, proposed_by="carol")),
        {"void_approved"},
    ),
    "approved_twice": (voided(again=VOID_APPROVED), {"void_approved"}),
    "approved_by_the_proposer": (
        voided(void_approved=replace(VOID_APPROVED, approved_by="rita")),
        {"correction_second"},
    ),
    "of_another_round": (
        voided(
            void_proposed=replace(VOID_PROPOSED, round_id="round-t1-2"),
            void_approved=replace(VOID_APPROVED, round_id="round-t1-2"),
        ),
        {"void_approved"},
    ),
    "of_another_case": (
        voided(voided=replace(VOIDED, order=Proposed(OTHER, 1))),
        {"void_approved"},
    ),
    "of_another_proposal": (
        voided(voided=replace(VOIDED, order=Proposed(CASE, 2))),
        {"void_approved"},
    ),
    "by_a_correction": (
        voided(
            void_proposed=replace(PROPOSED, player=ALICE),
            void_approved=replace(ALONE, amount_minor=2500, threshold_minor=2500),
        ),
        {"void_approved"},
    ),
    "alone_over_the_stakes": (
        voided(
            void_proposed=replace(VOID_PROPOSED, staked_minor=1999),
            void_approved=replace(VOID_ALONE, amount_minor=1999),
        ),
        {"void_approved"},
    ),
    "one_order_for_two_rounds": (
        voided(
            opened_2=e.RoundOpened("round-t1-2", TERMS),
            voided_2=replace(ORDERED, round_id="round-t1-2", stakes=()),
        ),
        {"void_approved"},
    ),
}
"""What was changed, and the checks that fail by it."""


@pytest.mark.parametrize("name", BROKEN)
def test_each_broken_decision_is_found_by_name(name: str) -> None:
    """One thing wrong fails exactly the checks that it breaks."""
    events, checks = BROKEN[name]
    assert found(events) == checks
