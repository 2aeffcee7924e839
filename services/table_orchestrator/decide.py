"""Which message meets which phase: one look-up, then the phase's own decision."""

from collections.abc import Callable, Mapping
from typing import Any

from contracts import identities
from contracts import round_events as e
from contracts import settlement as st
from contracts import shoe as s
from contracts import table as t
from contracts import table_events as te
from contracts import wallet as w
from contracts.base import Command, tag_of
from contracts.desk import ProposalApproved
from contracts.table import TableReason
from runtime.service import Context, DeadlinePassed, Decided, OutageEnded, Rejected
from services.table_orchestrator import betting, playing, voiding
from services.table_orchestrator.state import (
    Betting,
    Ended,
    Playing,
    RoundState,
    Unopened,
)
from services.table_orchestrator.steps import Steps


def decide_round(message: Any, state: RoundState, context: Context) -> Decided:
    """Answer a command, a foreign event or a deadline with events, or refuse it."""
    decide = _ANSWERS[type(state)].get(type(message))
    if decide is not None:
        return decide(message, state, context)
    if isinstance(message, Command):
        return _command(message, state, context)
    return ()


def _opened(message: te.RoundCalled, state: Unopened, context: Context) -> Decided:
    steps = Steps(state, context)
    steps.add(e.RoundOpened(message.round_id, message.terms))
    return steps.follow()


def _extended(
    message: OutageEnded, state: Betting | Playing, context: Context
) -> Decided:
    del context
    return (e.ClockExtended(state.round_id, message.by_ms),)


def _superseded(message: Any, state: Betting, context: Context) -> Decided:
    return betting.superseded(tag_of(message), state, context)


def _deadline(
    message: DeadlinePassed, state: Betting | Playing, context: Context
) -> Decided:
    is_clock = not message.kind.startswith("funds:")
    if is_clock and message.decision != state.decision:
        return ()
    if isinstance(state, Betting):
        return betting.deadline_passed(message.kind, state, context)
    return playing.deadline_passed(message.kind, state, context)


def _command(command: Command, state: RoundState, context: Context) -> Decided:
    takes = _COMMANDS.get(type(state))
    if takes is None:
        return _no_round(command, state)
    decide = takes[type(command)]
    if decide is not voiding.void_round:
        reason = _not_a_player(context)
        if reason is not None:
            return _rejected(command, reason)
    return decide(command, state, context)


def _no_round(command: Command, state: RoundState) -> Rejected:
    is_unknown = isinstance(state, Unopened)
    over, unknown = TableReason.ROUND_OVER, TableReason.UNKNOWN_ROUND
    return _rejected(command, unknown if is_unknown else over)


def _not_a_player(context: Context) -> TableReason | None:
    if context.actor.kind != "player":
        return TableReason.NOT_AUTHORIZED
    if not identities.is_player_id(context.actor.who):
        return TableReason.INVALID_NAME
    return None


def _rejected(command: Command, reason: TableReason) -> Rejected:
    target = str(getattr(command, "target", getattr(command, "box", "")))
    return Rejected(reason, target, getattr(command, "round_id", ""))


def _too_early(command: t.HandCommand, state: Betting, context: Context) -> Rejected:
    del context
    return Rejected(TableReason.BETTING_OPEN, command.target, state.round_id)


def _no_burned_card(
    command: t.ShowBurnedCard, state: Betting, context: Context
) -> Rejected:
    del command, context
    return Rejected(TableReason.NO_BURNED_CARD, "", state.round_id)


def _no_seed(command: t.OpenSeed, state: Playing, context: Context) -> Rejected:
    del context
    return Rejected(TableReason.SEED_NOT_AWAITED, str(command.box), state.round_id)


def _bet_too_late(
    command: t.PlaceBet | t.WithdrawBet, state: Playing, context: Context
) -> Rejected:
    del context
    return Rejected("betting_closed", str(command.box), state.round_id)


def _start_too_late(
    command: t.StartDealing, state: Playing, context: Context
) -> Rejected:
    del command, context
    return Rejected("betting_closed", "", state.round_id)


Answers = Mapping[type[Any], Callable[[Any, Any, Context], Decided]]
"""Who decides by the type of the message: looked up, in the phase the round is in."""

_ANSWERS: Mapping[type[Any], Answers] = {
    Unopened: {
        ProposalApproved: voiding.void_ordered,
        te.RoundCalled: _opened,
    },
    Betting: {
        ProposalApproved: voiding.void_ordered,
        te.TableClosed: _superseded,
        te.LimitsChanged: _superseded,
        te.DealerChanged: _superseded,
        te.PlayerMaximumSet: _superseded,
        OutageEnded: _extended,
        DeadlinePassed: _deadline,
        w.FundsReserved: betting.funds_reserved,
        w.FundsRefused: betting.funds_refused,
    },
    Playing: {
        ProposalApproved: voiding.void_ordered,
        OutageEnded: _extended,
        DeadlinePassed: _deadline,
        s.CardsDealt: playing.cards_dealt,
        s.CutCardReached: playing.cut_card_reached,
        s.HoleLooked: playing.hole_looked,
        s.HoleRevealed: playing.hole_revealed,
        w.FundsReserved: playing.funds_reserved,
        w.FundsRefused: playing.funds_refused,
        w.PayoutsPosted: playing.payouts_posted,
        st.RoundVoidSettled: voiding.void_settled,
        st.VoidRefused: voiding.void_refused,
    },
    Ended: {ProposalApproved: voiding.void_ordered},
}
_COMMANDS: Mapping[type[Any], Answers] = {
    Betting: {
        t.VoidRound: voiding.void_round,
        t.PlaceBet: betting.place_bet,
        t.WithdrawBet: betting.withdraw_bet,
        t.StartDealing: betting.start_dealing,
        t.OpenSeed: betting.open_seed,
        t.ShowBurnedCard: _no_burned_card,
        **dict.fromkeys(t.ACTIONS, _too_early),
    },
    Playing: {
        t.VoidRound: voiding.void_round,
        **dict.fromkeys(t.ACTIONS, playing.take_decision),
        t.ShowBurnedCard: playing.show_burned_card,
        t.OpenSeed: _no_seed,
        t.PlaceBet: _bet_too_late,
        t.WithdrawBet: _bet_too_late,
        t.StartDealing: _start_too_late,
    },
}
