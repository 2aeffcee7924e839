"""What the desk answers: who may do what to a case, and when somebody else must agree.

Each decision is a ladder of guards, then what follows. Nobody approves what he proposed
himself, but for amounts that the threshold leaves to one person. Those of one case are
added up, and those about one player on one day: many small ones are no way around it.
"""

from typing import Any, assert_never

from msgspec.structs import replace

from contracts import desk as d
from contracts import round_events as e
from contracts import settlement as st
from contracts import wallet as w
from contracts.alone import is_of_day
from contracts.base import Command
from contracts.desk import DeskReason, Role, SecondReason
from contracts.identities import is_case_id, is_currency, is_player_id, round_of_case
from runtime.service import Context, Decided, Rejected
from services.desk.evolve import proposed
from services.desk.state import OPEN, Case, Proposal, Standing, found

TEXT_LENGTH_MAX = 4_000
AMOUNT_MINOR_MAX = 2**53 - 1
"""The largest integer that every reader of JSON keeps exact."""

Propose = d.ProposeVoid | d.ProposeCorrection
Text = d.OpenCase | d.AddNote | Propose | d.RejectProposal | d.CloseCase
Ordered = Text | d.ApproveProposal
Answered = (
    w.CorrectionPosted
    | w.CorrectionRefused
    | e.VoidOrderRefused
    | st.RoundVoidSettled
    | st.VoidRefused
)


def decide(message: Ordered | Answered, state: Case, context: Context) -> Decided:
    if isinstance(message, Command):
        return _command(message, state, context)
    return _answered(message, state)


def _command(command: Any, state: Case, context: Context) -> Decided:
    if reason := _forbidden(command, state, context):
        return Rejected(reason)
    match command:
        case d.OpenCase():
            return _opened(command, context)
        case d.AddNote():
            who = (context.actor.who, command.role)
            return (d.NoteAdded(state.round_id, state.case, command.text, *who),)
        case d.ProposeVoid() | d.ProposeCorrection():
            return _proposed(command, state, context)
        case d.ApproveProposal():
            return _approved(command, state, context)
        case d.RejectProposal():
            return _rejected(command, state, context)
        case d.CloseCase():
            return _closed(command, state, context)
    raise AssertionError(f"the desk takes no {type(command).__name__}")


def _forbidden(command: Ordered, state: Case, context: Context) -> DeskReason | None:
    """Return why nothing may be done, whatever the command says besides."""
    is_opening = isinstance(command, d.OpenCase)
    if context.actor.kind != "support" or command.role is Role.VIEWER:
        return DeskReason.NOT_AUTHORIZED
    if is_opening and not _is_named(command):
        return DeskReason.INVALID_NAME
    if is_opening and state.round_id:
        return DeskReason.CASE_EXISTS
    if not is_opening and not state.round_id:
        return DeskReason.UNKNOWN_CASE
    if state.is_closed:
        return DeskReason.CASE_CLOSED
    if isinstance(command, d.ApproveProposal):
        return None
    text = _text_of(command)
    if not text.strip():
        return DeskReason.REASON_MISSING
    return DeskReason.TEXT_TOO_LONG if len(text) > TEXT_LENGTH_MAX else None


def _is_named(command: Any) -> bool:
    is_case = is_case_id(command.case)
    return is_case and round_of_case(command.case) == command.round_id


def _text_of(command: Text) -> str:
    match command:
        case d.OpenCase():
            return command.subject
        case d.AddNote():
            return command.text
        case d.CloseCase():
            return command.resolution
        case _:
            return command.reason


def _opened(command: d.OpenCase, context: Context) -> Decided:
    if command.player and not is_player_id(command.player):
        return Rejected(DeskReason.UNKNOWN_PLAYER)
    return (
        d.CaseOpened(
            round_id=command.round_id,
            case=command.case,
            subject=command.subject,
            by=context.actor.who,
            role=command.role,
            player=command.player,
        ),
    )


def _proposed(command: Propose, state: Case, context: Context) -> Decided:
    """Propose; what one person may decide alone is approved at once, and says so.

    Under one id nothing is proposed twice, also after its answer was forgotten (H4).
    """
    if _is_repeat(command, state, context):
        return Rejected(DeskReason.ALREADY_PROPOSED)
    if reason := _unsound(command):
        return Rejected(reason)
    event = _event(command, state, context)
    proposal = proposed(event)
    if not 0 < abs(proposal.amount_minor) <= proposal.threshold_minor:
        return (event,)
    if why := _why_second(proposal, state):
        is_told = command.needs_sum or event.alone is not None
        return (replace(event, why_second=why) if is_told else event,)
    if (command.needs_sum or command.once) and proposal.alone is None:
        return (event,)
    return (event, _approval(state, proposal, context, command.role, is_alone=True))


def _is_repeat(command: Propose, state: Case, context: Context) -> bool:
    same = context.actor.who, context.cause_id
    return command.once and any(
        (item.by, item.command_id) == same for item in state.proposals
    )


def _event(
    command: Propose, state: Case, context: Context
) -> d.VoidProposed | d.CorrectionProposed:
    common: dict[str, Any] = {
        "round_id": state.round_id,
        "case": state.case,
        "proposal": len(state.proposals) + 1,
        "currency": command.currency,
        "reason": command.reason,
        "threshold_minor": command.threshold_minor,
        "by": context.actor.who,
        "role": command.role,
        "alone": _believed(command, context),
        "needs_sum": command.needs_sum,
        "command_id": context.cause_id if command.once else "",
    }
    if isinstance(command, d.ProposeVoid):
        return d.VoidProposed(staked_minor=command.staked_minor, **common)
    return d.CorrectionProposed(
        player=command.player, amount_minor=command.amount_minor, **common
    )


def _believed(command: Propose, context: Context) -> d.AloneDay | None:
    """Return the day's sum, if it is of this day and of whose money is moved.

    Whose money a void moves the desk cannot know (H7): somebody's, where any is staked.
    Of other days or players it says nothing: it is not known then.
    """
    alone = command.alone
    if alone is None or not command.once:
        return alone
    if isinstance(command, d.ProposeVoid):
        is_of_them = bool(alone.players) or not command.staked_minor
    else:
        is_of_them = command.player in alone.players
    is_today = is_of_day(alone.day, context.now)
    return alone if is_of_them and is_today else None


def _unsound(command: Propose) -> DeskReason | None:
    if isinstance(command, d.ProposeVoid):
        is_sound = 0 <= command.staked_minor <= AMOUNT_MINOR_MAX
    else:
        is_sound = 0 < abs(command.amount_minor) <= AMOUNT_MINOR_MAX
        if not is_player_id(command.player):
            return DeskReason.UNKNOWN_PLAYER
    if not is_currency(command.currency):
        return DeskReason.UNKNOWN_CURRENCY
    bounds = [command.threshold_minor]
    if command.alone is not None:
        bounds.append(command.alone.minor)
        if not all(map(is_player_id, command.alone.players)):
            return DeskReason.UNKNOWN_PLAYER
    is_bounded = all(0 <= minor <= AMOUNT_MINOR_MAX for minor in bounds)
    return None if is_sound and is_bounded else DeskReason.INVALID_AMOUNT


def _why_second(proposal: Proposal, state: Case) -> SecondReason | None:
    """Add up what one person decided alone, in this case and about these players."""
    own = abs(proposal.amount_minor)
    in_case = sum(
        abs(item.amount_minor)
        for item in state.proposals
        if item.is_alone and item.currency == proposal.currency
    )
    if in_case + own > proposal.threshold_minor:
        return SecondReason.CASE_SUM
    today = proposal.alone.minor if proposal.alone is not None else 0
    if today + own > proposal.threshold_minor:
        return SecondReason.PLAYER_DAY_SUM
    return None


def _approval(
    state: Case, proposal: Proposal, context: Context, role: Role, *, is_alone: bool
) -> d.ProposalApproved:
    return d.ProposalApproved(
        round_id=state.round_id,
        case=state.case,
        proposal=proposal.number,
        kind=proposal.kind,
        currency=proposal.currency,
        amount_minor=proposal.amount_minor,
        reason=proposal.reason,
        threshold_minor=proposal.threshold_minor,
        proposed_by=proposal.by,
        approved_by=context.actor.who,
        role=role,
        player=proposal.player,
        is_alone=is_alone,
        alone=proposal.alone if is_alone else None,
    )


def _approved(command: d.ApproveProposal, state: Case, context: Context) -> Decided:
    proposal = found(state, command.proposal)
    if proposal is None:
        return Rejected(DeskReason.UNKNOWN_PROPOSAL)
    if proposal.standing is not Standing.PROPOSED:
        return Rejected(DeskReason.PROPOSAL_ENDED)
    # Who would spell a name another way is the same person.
    if proposal.by.casefold() == context.actor.who.casefold():
        return Rejected(DeskReason.SELF_APPROVAL)
    return (_approval(state, proposal, context, command.role, is_alone=False),)


def _rejected(command: d.RejectProposal, state: Case, context: Context) -> Decided:
    """Anybody who may propose may reject: whoever proposed takes it back so."""
    proposal = found(state, command.proposal)
    if proposal is None:
        return Rejected(DeskReason.UNKNOWN_PROPOSAL)
    if proposal.standing is not Standing.PROPOSED:
        return Rejected(DeskReason.PROPOSAL_ENDED)
    return (
        d.ProposalRejected(
            round_id=state.round_id,
            case=state.case,
            proposal=command.proposal,
            reason=command.reason,
            by=context.actor.who,
            role=command.role,
        ),
    )


def _closed(command: d.CloseCase, state: Case, context: Context) -> Decided:
    if any(item.standing in OPEN for item in state.proposals):
        return Rejected(DeskReason.PROPOSALS_OPEN)
    who = (context.actor.who, command.role)
    return (d.CaseClosed(state.round_id, state.case, command.resolution, *who),)


def _answered(message: Answered, state: Case) -> Decided:
    """Take in what came of an order, once."""
    match message:
        case w.CorrectionPosted() | w.CorrectionRefused():
            number = message.proposal
        case e.VoidOrderRefused() | st.RoundVoidSettled() | st.VoidRefused():
            assert message.order is not None, "no case ordered it"
            number = message.order.proposal
        case _:
            assert_never(message)
    proposal = found(state, number)
    assert proposal is not None, f"{state.case} has no proposal {number}"
    if proposal.standing is not Standing.APPROVED:
        return ()
    return (_outcome(message, (state.round_id, state.case, number), proposal),)


def _outcome(message: Answered, which: tuple[str, str, int], proposal: Proposal) -> Any:
    match message:
        case w.CorrectionPosted():
            moved = (message.transfer.id, proposal.amount_minor, message.balance_minor)
            return d.CorrectionBooked(*which, *moved)
        case w.CorrectionRefused():
            reason = message.operator_reason or str(message.reason)
            return d.CorrectionFailed(*which, reason)
        case st.RoundVoidSettled():
            refunded = sum(refund.stake_minor for refund in message.refunds)
            return d.VoidDone(*which, refunded)
        case e.VoidOrderRefused() | st.VoidRefused():
            return d.VoidFailed(*which, message.reason)
        case _:
            assert_never(message)
