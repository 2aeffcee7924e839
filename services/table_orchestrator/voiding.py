"""A void: every accepted stake is named, settlement answers once (H2).

Support orders it, or the operator whose table it is: the door checks that one.
"""

from blackjack import machine
from contracts import round_events as e
from contracts import settlement as st
from contracts import table as t
from contracts.table import TableReason
from runtime.service import Context, Decided, Rejected
from services.table_orchestrator import betting, playing
from services.table_orchestrator.state import Betting, Playing
from services.table_orchestrator.steps import Steps


def void_round(
    command: t.VoidRound, state: Betting | Playing, context: Context
) -> Decided:
    if context.actor.kind not in ("platform", "support"):
        return Rejected(TableReason.NOT_AUTHORIZED, "", state.round_id)
    if not command.reason.strip():
        return Rejected(TableReason.REASON_MISSING, "", state.round_id)
    if state.voiding or (isinstance(state, Playing) and state.final):
        return Rejected(TableReason.ROUND_OVER, "", state.round_id)
    steps = Steps(state, context)
    pending = (
        betting.cancelled_by_void(state)
        if isinstance(state, Betting)
        else playing.cancelled_by_void(state)
    )
    for event in pending:
        steps.add(event)
    assert isinstance(steps.state, Betting | Playing), "giving up funds ends no phase"
    steps.add(_voided(steps.state, command.reason))
    return steps.follow()


def _voided(state: Betting | Playing, reason: str) -> e.RoundVoided:
    stakes = _bet_stakes(state) if isinstance(state, Betting) else _stakes(state)
    parts = 0 if isinstance(state, Betting) else state.parts
    return e.RoundVoided(
        round_id=state.round_id,
        part=parts + 1,
        currency=state.terms.currency,
        stakes=stakes,
        reason=reason,
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
