"""A case by hand: Rita opens it, Adam is the second person."""

from typing import Any

from contracts import desk as d
from contracts.desk import ProposalKind, Proposed, Role
from contracts.envelope import Actor
from tests.builders import ALICE, EUR, ROUND

CASE = "t1-7-ab12"
STREAM = f"case-{CASE}"
RITA, ADAM = Actor("support", "rita"), Actor("support", "adam")
RESOLVER, ADMIN, VIEWER = Role.RESOLVER, Role.ADMIN, Role.VIEWER
WHY = "dealt twice"
LIMIT = 2_000
ORDER = Proposed(CASE, 1)

OPENED = d.CaseOpened(ROUND, CASE, "alice's double", "rita", RESOLVER, player=ALICE)


def correct(amount_minor: int = 2500, **changes: Any) -> d.ProposeCorrection:
    said = {
        "case": CASE,
        "player": ALICE,
        "currency": EUR,
        "amount_minor": amount_minor,
        "reason": WHY,
        "threshold_minor": LIMIT,
        "role": RESOLVER,
    }
    return d.ProposeCorrection(**(said | changes))


def correction(amount_minor: int = 2500, number: int = 1) -> d.CorrectionProposed:
    return d.CorrectionProposed(
        round_id=ROUND,
        case=CASE,
        proposal=number,
        player=ALICE,
        currency=EUR,
        amount_minor=amount_minor,
        reason=WHY,
        threshold_minor=LIMIT,
        by="rita",
        role=RESOLVER,
    )


def void(staked_minor: int = 5000, **changes: Any) -> d.ProposeVoid:
    said = {
        "case": CASE,
        "currency": EUR,
        "staked_minor": staked_minor,
        "reason": WHY,
        "threshold_minor": LIMIT,
        "role": RESOLVER,
    }
    return d.ProposeVoid(**(said | changes))


def void_proposed(staked_minor: int = 5000) -> d.VoidProposed:
    return d.VoidProposed(
        ROUND, CASE, 1, EUR, staked_minor, WHY, LIMIT, "rita", RESOLVER
    )


def approved(
    amount_minor: int = 2500,
    number: int = 1,
    *,
    kind: ProposalKind = ProposalKind.CORRECTION,
    alone: bool = False,
) -> d.ProposalApproved:
    return d.ProposalApproved(
        round_id=ROUND,
        case=CASE,
        proposal=number,
        kind=kind,
        currency=EUR,
        amount_minor=amount_minor,
        reason=WHY,
        threshold_minor=LIMIT,
        proposed_by="rita",
        approved_by="rita" if alone else "adam",
        role=RESOLVER if alone else ADMIN,
        player=ALICE if kind is ProposalKind.CORRECTION else "",
        is_alone=alone,
    )
