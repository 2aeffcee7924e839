"""What a case is after each of its events. Nothing is decided here."""

from typing import assert_never

from msgspec.structs import replace

from contracts import desk as d
from services.desk.state import Case, Proposal, Standing

CaseEvent = (
    d.CaseOpened
    | d.NoteAdded
    | d.VoidProposed
    | d.CorrectionProposed
    | d.ProposalApproved
    | d.ProposalRejected
    | d.CorrectionBooked
    | d.CorrectionFailed
    | d.VoidDone
    | d.VoidFailed
    | d.CaseClosed
    | d.DeskCommandRefused
)


def evolve(state: Case, event: CaseEvent) -> Case:
    match event:
        case d.CaseOpened():
            return replace(state, round_id=event.round_id)
        case d.VoidProposed() | d.CorrectionProposed():
            proposal = proposed(event)
            return replace(state, proposals=(*state.proposals, proposal))
        case d.ProposalApproved():
            return _approve(state, event)
        case d.ProposalRejected():
            return _stands(state, event.proposal, Standing.REJECTED)
        case d.CorrectionBooked() | d.VoidDone():
            return _stands(state, event.proposal, Standing.DONE)
        case d.CorrectionFailed() | d.VoidFailed():
            return _stands(state, event.proposal, Standing.FAILED)
        case d.CaseClosed():
            return replace(state, is_closed=True)
        case d.NoteAdded() | d.DeskCommandRefused():
            return state
        case _:
            assert_never(event)


def proposed(event: d.VoidProposed | d.CorrectionProposed) -> Proposal:
    if isinstance(event, d.VoidProposed):
        kind, player = d.ProposalKind.VOID, ""
        amount_minor = event.staked_minor
    else:
        kind, player = d.ProposalKind.CORRECTION, event.player
        amount_minor = event.amount_minor
    return Proposal(
        number=event.proposal,
        kind=kind,
        by=event.by,
        currency=event.currency,
        amount_minor=amount_minor,
        reason=event.reason,
        threshold_minor=event.threshold_minor,
        player=player,
        alone=event.alone,
        command_id=event.command_id,
    )


def _approve(state: Case, event: d.ProposalApproved) -> Case:
    proposals = tuple(
        replace(item, standing=Standing.APPROVED, is_alone=event.is_alone)
        if item.number == event.proposal
        else item
        for item in state.proposals
    )
    return replace(state, proposals=proposals)


def _stands(state: Case, number: int, standing: Standing) -> Case:
    proposals = tuple(
        replace(item, standing=standing) if item.number == number else item
        for item in state.proposals
    )
    return replace(state, proposals=proposals)
