"""A void by support: every accepted stake is named, settlement answers once (H2).

It is commanded by an operator at his own table, or ordered by a case of the desk.
"""

from blackjack import machine
from contracts import round_events as e
from contracts import settlement as st
from contracts import table as t
from contracts.desk import ProposalApproved, Proposed, VoidOrderReason
from contracts.table import TableReason
from runtime.service import Context, Decided, Rejected
from services.table_orchestrator import betting, playing
from services.table_orchestrator.state import (
    Betting,
    Ended,
    Playing,
    RoundState,
    Unopened,
)
from services.table_orchestrator.steps import Steps


def void_round(
    command: t.VoidRound, state: Betting | Playing, context: Context
) -> Decided:
    if context.actor.kind not in ("platform", "support"):
        return Rejected(TableReason.NOT_AUTHORIZED, "", state.round_id)
    if not command.reason.strip():
        return Rejected(TableReason.REASON_MISSING, "", state.round_id)
    if _is_over(state):
        return Rejected(TableReason.ROUND_OVER, "", state.round_id)
    steps = _given_up(state, context)
    assert isinstance(steps.state, Betting | Playing), "giving up funds ends no phase"
    steps.add(_voided(steps.state, command.reason))
    return steps.follow()


def void_ordered(
    order: ProposalApproved, state: RoundState, context: Context
) -> Decided:
    """Carry out what a case has decided, or say why it cannot be done.

    What one person decided alone holds for no more than he decided about: the stakes
    may have grown since, and the desk has added up his amounts as they were.
    """
    by = Proposed(order.case, order.proposal)
    if isinstance(state, Unopened):
        return _refused(order, by, VoidOrderReason.UNKNOWN_ROUND)
    if isinstance(state, Ended) or _is_over(state):
        return _refused(order, by, VoidOrderReason.ROUND_OVER)
    steps = _given_up(state, context)
    assert isinstance(steps.state, Betting | Playing), "giving up funds ends no phase"
    event = _voided(steps.state, order.reason, by)
    staked_minor = sum(stake.stake_minor for stake in event.stakes)
    if order.is_alone and staked_minor > order.amount_minor:
        return _refused(order, by, VoidOrderReason.STAKES_OVER_LIMIT)
    steps.add(event)
    return steps.follow()


def _refused(
    order: ProposalApproved, by: Proposed, reason: VoidOrderReason
) -> tuple[e.VoidOrderRefused]:
    return (e.VoidOrderRefused(order.round_id, by, reason),)


def _is_over(state: Betting | Playing) -> bool:
    is_final = isinstance(state, Playing) and state.final
    return bool(state.voiding) or is_final


def _given_up(state: Betting | Playing, context: Context) -> Steps:
    """Give up what waits for funds: it is no stake yet (H1)."""
    steps = Steps(state, context)
    pending = (
        betting.cancelled_by_void(state)
        if isinstance(state, Betting)
        else playing.cancelled_by_void(state)
    )
    for event in pending:
        steps.add(event)
    return steps


def _voided(
    state: Betting | Playing, reason: str, order: Proposed | None = None
) -> e.RoundVoided:
    stakes = _bet_stakes(state) if isinstance(state, Betting) else _stakes(state)
    parts = 0 if isinstance(state, Betting) else state.parts
    return e.RoundVoided(
        round_id=state.round_id,
        part=parts + 1,
        currency=state.terms.currency,
        stakes=stakes,
        reason=reason,
        order=order,
    )


def _bet_stakes(state: Betting) -> tuple[e.OpenStake, ...]:
    """Before the deal a bet is one stake under its box's label."""
    return tuple(
        e.OpenStake(bet.player, str(bet.box), bet.amount_minor) for bet in state.bets
    )


def _stakes(state: Playing) -> tuple[e.OpenStake, ...]:
    return tuple(
        e.OpenStake(state.owners[stake.box], stake.label, stake.stake_minor)
        for stake in machine.stakes(state.game)
    )


def void_settled(
    message: st.RoundVoidSettled, state: Playing, context: Context
) -> Decided:
    if state.voiding != "asked":
        return ()
    players = tuple(dict.fromkeys(refund.player for refund in message.refunds))
    steps = Steps(state, context)
    steps.add(e.RefundsAwaited(state.round_id, message.part, players))
    return steps.follow()


def void_refused(message: st.VoidRefused, state: Playing, context: Context) -> Decided:
    if state.voiding != "asked":
        return ()
    steps = Steps(state, context)
    steps.add(e.VoidDeclined(state.round_id, message.reason))
    return steps.follow()
