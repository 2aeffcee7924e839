"""Which message meets which phase: one look-up, then the phase's own decision."""

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
    if isinstance(message, Command):
        return _command(message, state, context)
    if isinstance(message, ProposalApproved):
        return voiding.void_ordered(message, state, context)
    match state, message:
        case Unopened(), te.RoundCalled():
            return _opened(message, state, context)
        case Betting(), (
            te.TableClosed()
            | te.LimitsChanged()
            | te.DealerChanged()
            | te.PlayerMaximumSet()
        ):
            return betting.superseded(tag_of(message), state, context)
        case ((Betting() | Playing()), OutageEnded()):
            return (e.ClockExtended(state.round_id, message.by_ms),)
        case ((Betting() | Playing()), DeadlinePassed()):
            return _deadline(message, state, context)
        case Betting(), w.FundsReserved():
            return betting.funds_reserved(message, state, context)
        case Betting(), w.FundsRefused():
            return betting.funds_refused(message, state, context)
        case Playing(), _:
            return _playing(message, state, context)
        case _:
            return ()


def _opened(message: te.RoundCalled, state: Unopened, context: Context) -> Decided:
    steps = Steps(state, context)
    steps.add(e.RoundOpened(message.round_id, message.terms))
    return steps.follow()


def _playing(message: Any, state: Playing, context: Context) -> Decided:
    match message:
        case s.CardsDealt():
            return playing.cards_dealt(message, state, context)
        case s.CutCardReached():
            return playing.cut_card_reached(state)
        case s.HoleLooked():
            return playing.hole_looked(message, state, context)
        case s.HoleRevealed():
            return playing.hole_revealed(message, state, context)
        case w.FundsReserved():
            return playing.funds_reserved(message, state, context)
        case w.FundsRefused():
            return playing.funds_refused(message, state, context)
        case w.PayoutsPosted():
            return playing.payouts_posted(message, state, context)
        case st.RoundVoidSettled():
            return voiding.void_settled(message, state, context)
        case st.VoidRefused():
            return voiding.void_refused(message, state, context)
        case _:
            return ()


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
    round_id = getattr(command, "round_id", "")
    target = str(getattr(command, "target", getattr(command, "box", "")))
    if isinstance(state, Unopened):
        return Rejected(TableReason.UNKNOWN_ROUND, target, round_id)
    if isinstance(state, Ended):
        return Rejected(TableReason.ROUND_OVER, target, round_id)
    if isinstance(command, t.VoidRound):
        return voiding.void_round(command, state, context)
    if context.actor.kind != "player":
        return Rejected(TableReason.NOT_AUTHORIZED, target, round_id)
    if not identities.is_player_id(context.actor.who):
        return Rejected(TableReason.INVALID_NAME, target, round_id)
    if isinstance(state, Betting):
        return _betting_command(command, state, context)
    return _playing_command(command, state, context)


def _betting_command(command: Command, state: Betting, context: Context) -> Decided:
    match command:
        case t.PlaceBet():
            return betting.place_bet(command, state, context)
        case t.WithdrawBet():
            return betting.withdraw_bet(command, state, context)
        case t.StartDealing():
            return betting.start_dealing(command, state, context)
        case t.OpenSeed():
            return betting.open_seed(command, state, context)
        case t.ShowBurnedCard():
            return Rejected(TableReason.NO_BURNED_CARD, "", state.round_id)
        case t.HandCommand():
            return Rejected(TableReason.BETTING_OPEN, command.target, state.round_id)
    raise AssertionError(f"no round takes {type(command).__name__}")


def _playing_command(command: Command, state: Playing, context: Context) -> Decided:
    match command:
        case t.HandCommand():
            return playing.take_decision(command, state, context)
        case t.ShowBurnedCard():
            return playing.show_burned_card(command, state, context)
        case t.OpenSeed():
            return Rejected(
                TableReason.SEED_NOT_AWAITED, str(command.box), state.round_id
            )
        case t.PlaceBet() | t.WithdrawBet():
            return Rejected("betting_closed", str(command.box), state.round_id)
        case t.StartDealing():
            return Rejected("betting_closed", "", state.round_id)
    raise AssertionError(f"no round takes {type(command).__name__}")
