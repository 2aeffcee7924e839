"""Samples of the dispute desk's messages, and of what others answer it."""

from typing import Any

from contracts import desk as d
from contracts import round_events, wallet
from contracts.desk import Proposed, Role
from contracts.wallet import Transfer, WalletReason
from tests.contracts.sample_commands import ROUND

CASE = "t1-7-ab12"
ALICE = "local.alice"
EUR = "EUR"
RESOLVER, ADMIN = Role.RESOLVER, Role.ADMIN
WHY = "the second double was dealt twice"
ORDER = Proposed(CASE, 1)
TODAY = d.AloneDay("2026-10-31", (ALICE, "local.bob"), 1000)
LOOKED_UP: dict[str, Any] = {"alone": TODAY, "needs_sum": True, "once": True}

COMMANDS = (
    d.OpenCase(CASE, ROUND, "alice's double", RESOLVER, player=ALICE),
    d.AddNote(CASE, "the camera shows it", RESOLVER),
    d.ProposeVoid(CASE, EUR, 5000, WHY, 2000, RESOLVER, **LOOKED_UP),
    d.ProposeCorrection(CASE, ALICE, EUR, 2500, WHY, 2000, RESOLVER, **LOOKED_UP),
    d.ApproveProposal(CASE, 1, ADMIN),
    d.RejectProposal(CASE, 1, "the camera shows no such thing", ADMIN),
    d.CloseCase(CASE, "paid back", RESOLVER),
    d.RecordAccess("carol", Role.VIEWER, "read", ROUND, case=CASE),
)

MINIMAL_COMMANDS = (
    d.OpenCase(CASE, ROUND, "a complaint", RESOLVER),
    d.RecordAccess("carol", Role.VIEWER, "search", "all"),
    d.ProposeVoid(CASE, EUR, 5000, WHY, 2000, RESOLVER),
    d.ProposeCorrection(CASE, ALICE, EUR, 2500, WHY, 2000, RESOLVER),
)

FULL = (
    d.CaseOpened(ROUND, CASE, "alice's double", "rita", RESOLVER, player=ALICE),
    d.NoteAdded(ROUND, CASE, "the camera shows it", "rita", RESOLVER),
    d.VoidProposed(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        currency=EUR,
        staked_minor=1500,
        reason=WHY,
        threshold_minor=2000,
        by="rita",
        role=RESOLVER,
        alone=TODAY,
        why_second=d.SecondReason.PLAYER_DAY_SUM,
        needs_sum=True,
        command_id="command-7",
    ),
    d.CorrectionProposed(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        player=ALICE,
        currency=EUR,
        amount_minor=2500,
        reason=WHY,
        threshold_minor=2000,
        by="rita",
        role=RESOLVER,
        alone=TODAY,
        why_second=d.SecondReason.CASE_SUM,
        needs_sum=True,
        command_id="command-7",
    ),
    d.ProposalApproved(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        kind=d.ProposalKind.CORRECTION,
        currency=EUR,
        amount_minor=1500,
        reason=WHY,
        threshold_minor=2000,
        proposed_by="rita",
        approved_by="rita",
        role=RESOLVER,
        player=ALICE,
        is_alone=True,
        alone=TODAY,
    ),
    d.ProposalRejected(ROUND, CASE, 1, "no such thing", "adam", ADMIN),
    d.CorrectionBooked(ROUND, CASE, 1, f"correction:{CASE}:1", 2500, 52500),
    d.CorrectionFailed(ROUND, CASE, 1, "insufficient_funds"),
    d.VoidDone(ROUND, CASE, 1, 5000),
    d.VoidFailed(ROUND, CASE, 1, "round_settled"),
    d.CaseClosed(ROUND, CASE, "paid back", "rita", RESOLVER),
    d.AccessRecorded("carol", Role.VIEWER, "read", ROUND, case=CASE),
    d.DeskCommandRefused("command-9", "desk.approve_proposal.v1", "self_approval"),
    round_events.VoidOrderRefused(ROUND, ORDER, d.VoidOrderReason.ROUND_OVER),
    wallet.CorrectionPosted(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        player=ALICE,
        currency=EUR,
        transfer=Transfer(
            f"correction:{CASE}:1", "house:local:EUR", "player:local.alice:EUR", 2500
        ),
        balance_minor=52500,
    ),
    wallet.CorrectionRefused(
        ROUND,
        CASE,
        1,
        ALICE,
        EUR,
        -2500,
        1000,
        WalletReason.INSUFFICIENT_FUNDS,
        operator_reason="account_blocked",
    ),
)

MINIMAL = (
    d.CaseOpened(ROUND, CASE, "a complaint", "rita", RESOLVER),
    d.VoidProposed(ROUND, CASE, 1, EUR, 5000, WHY, 2000, "rita", RESOLVER),
    d.CorrectionProposed(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        player=ALICE,
        currency=EUR,
        amount_minor=2500,
        reason=WHY,
        threshold_minor=2000,
        by="rita",
        role=RESOLVER,
    ),
    d.ProposalApproved(
        round_id=ROUND,
        case=CASE,
        proposal=1,
        kind=d.ProposalKind.VOID,
        currency=EUR,
        amount_minor=5000,
        reason=WHY,
        threshold_minor=2000,
        proposed_by="rita",
        approved_by="adam",
        role=ADMIN,
    ),
    d.AccessRecorded("carol", Role.VIEWER, "search", "all"),
    wallet.CorrectionRefused(
        ROUND, CASE, 1, ALICE, EUR, -2500, 1000, WalletReason.INSUFFICIENT_FUNDS
    ),
)
