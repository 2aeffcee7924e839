"""A correction is one approved proposal's, or the audit says which is not."""

from typing import Any

import pytest
from money_story import ALICE, HOUSE, PLAYER, ROUND, audited, deposit, move, story
from msgspec.structs import replace

from contracts import desk as d
from contracts import wallet as w
from contracts.desk import ProposalKind, Role

CASE = "t1-1-ab12"
NAME = f"correction:{CASE}:1"
PROPOSED = d.CorrectionProposed(
    round_id=ROUND,
    case=CASE,
    proposal=1,
    player=ALICE,
    currency="EUR",
    amount_minor=2500,
    reason="dealt twice",
    threshold_minor=1000,
    by="rita",
    role=Role.RESOLVER,
)
APPROVED = d.ProposalApproved(
    round_id=ROUND,
    case=CASE,
    proposal=1,
    kind=ProposalKind.CORRECTION,
    currency="EUR",
    amount_minor=2500,
    reason="dealt twice",
    threshold_minor=1000,
    proposed_by="rita",
    approved_by="adam",
    role=Role.ADMIN,
    player=ALICE,
)
POSTED = w.CorrectionPosted(
    round_id=ROUND,
    case=CASE,
    proposal=1,
    player=ALICE,
    currency="EUR",
    transfer=move(NAME, HOUSE, PLAYER, 2500),
    balance_minor=103500,
)
TAKEN = replace(POSTED, transfer=move(NAME, PLAYER, HOUSE, 2500), balance_minor=98500)
REFUSED = w.CorrectionRefused(
    ROUND, CASE, 1, ALICE, "EUR", 2500, 101000, w.WalletReason.INSUFFICIENT_FUNDS
)
ALONE = replace(APPROVED, approved_by="rita", is_alone=True)


def corrected(**changed: Any) -> dict[str, Any]:
    """The honest round, and a correction long after its end."""
    steps = {"proposed": PROPOSED, "approved": APPROVED, "corrected": POSTED}
    steps.update(changed)
    return story(**steps)


def back(**changed: Any) -> dict[str, Any]:
    """The same, but it is taken back from the player."""
    steps: dict[str, Any] = {
        "proposed": replace(PROPOSED, amount_minor=-2500),
        "approved": replace(APPROVED, amount_minor=-2500),
        "corrected": TAKEN,
    }
    return corrected(**(steps | changed))


def found(events: dict[str, Any]) -> set[str]:
    return {violation.check for violation in audited(events.values()).finish()}


@pytest.mark.parametrize("events", [corrected(), back()])
def test_an_approved_correction_breaks_no_rule(events: dict[str, Any]) -> None:
    """Whichever log was read first; the ended round stays forgotten."""
    audit = audited(events.values())
    assert audit.finish() == ()
    assert (audit.rounds, audit.corrections.count) == ({}, 1)

    last = {"corrected", "proposed", "approved"}
    early = {name: step for name, step in events.items() if name not in last}
    later = [events["corrected"], events["proposed"], events["approved"]]
    assert audited([*early.values(), *later]).finish() == ()


def test_a_refused_correction_moves_nothing() -> None:
    """It is an answer as good as the other."""
    assert found(corrected(corrected=REFUSED)) == set()


BROKEN: list[tuple[str, dict[str, Any], set[str]]] = [
    (
        "nobody_approved",
        corrected(approved=None),
        {"correction_approved"},
    ),
    (
        "never_proposed",
        corrected(proposed=None),
        {"correction_approved"},
    ),
    (
        "another_amount",
        corrected(approved=replace(APPROVED, amount_minor=2400)),
        {"correction_approved"},
    ),
    (
        "the_other_way",
        corrected(corrected=TAKEN),
        {"correction_approved"},
    ),
    (
        "of_another_round",
        corrected(corrected=replace(POSTED, round_id="round-t1-2")),
        {"correction_approved"},
    ),
    (
        "under_another_name",
        corrected(corrected=replace(POSTED, transfer=move("x", HOUSE, PLAYER, 2500))),
        {"correction_approved"},
    ),
    (
        "booked_twice",
        corrected(again=replace(POSTED, balance_minor=106000)),
        {"transfer_once"},
    ),
    (
        "booked_and_refused",
        corrected(refused=REFUSED),
        {"correction_approved"},
    ),
    (
        "approved_twice",
        corrected(again=APPROVED),
        {"correction_approved"},
    ),
    (
        "approved_by_the_proposer",
        corrected(approved=replace(APPROVED, approved_by="rita")),
        {"correction_second"},
    ),
    (
        "too_much_for_one",
        corrected(approved=ALONE),
        {"correction_second"},
    ),
    (
        "another_balance",
        corrected(corrected=replace(POSTED, balance_minor=103499)),
        {"balance", "zero_sum"},
    ),
    (
        "between_players",
        corrected(
            corrected=replace(
                POSTED, transfer=move(NAME, "player:local.bob:EUR", PLAYER, 2500)
            )
        ),
        {"transfer", "correction_approved"},
    ),
]
"""What was changed, and the checks that fail by it."""


@pytest.mark.parametrize(
    ("events", "checks"),
    [pytest.param(events, checks, id=name) for name, events, checks in BROKEN],
)
def test_each_broken_correction_is_found_by_name(
    events: dict[str, Any], checks: set[str]
) -> None:
    """One thing wrong fails exactly the checks that it breaks."""
    assert found(events) == checks


def test_only_a_correction_takes_from_a_player_for_the_house() -> None:
    """A payout never does."""
    late = w.PayoutsPosted(
        ROUND, 1, ALICE, "EUR", (move("t", PLAYER, HOUSE, 5),), 99995
    )
    assert "transfer" in found({"deposited": deposit(100000), "late": late})


def test_a_transfer_of_nothing_is_no_correction() -> None:
    """Every transfer moves something."""
    nothing = replace(
        POSTED, transfer=move(NAME, HOUSE, PLAYER, 0), balance_minor=101000
    )
    assert "transfer" in found(corrected(corrected=nothing))
