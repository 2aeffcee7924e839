"""Decisions of the betting phase (C-10, C-11, C-63)."""

from typing import Any

from blackjack.bets import Bet, BetContext, bet_cost, bet_refusal
from contracts import round_events as e
from contracts import table as t
from contracts.table import TableReason
from contracts.wallet import FundsRefused, FundsReserved
from runtime.service import Context, Decided, Rejected
from services.table_orchestrator.follow import (
    abandoned,
    betting_over,
    first_cards,
    seed_matches,
)
from services.table_orchestrator.giving_up import (
    BOXES_NOT_ADJACENT,
    cancelled,
    leaves_gap,
    refused,
    withdrawn,
)
from services.table_orchestrator.state import Betting, PlacedBet
from services.table_orchestrator.steps import Steps
from services.table_orchestrator.terms import accepted_bet, limits_of, rules_of

FUNDS_NOT_CONFIRMED = "funds_not_confirmed"

SEED_HASH_BYTES = (0, 32)
"""A SHA-256, or none: anything else could never be opened (H12)."""


def place_bet(command: t.PlaceBet, state: Betting, context: Context) -> Decided:
    player = context.actor.who
    bet = Bet(command.box, command.wagers_minor, command.side_wagers_minor)
    if reason := _bet_refusal(state, bet, player):
        return Rejected(reason, str(command.box), state.round_id)
    if _bet_on(state.pending, command.box):
        return Rejected(TableReason.BET_PENDING, str(command.box), state.round_id)
    if len(command.seed_hash) not in SEED_HASH_BYTES:
        return Rejected(TableReason.INVALID_SEED_HASH, str(command.box), state.round_id)
    earlier = _bet_on(state.bets, command.box)
    cost = bet_cost(accepted_bet(state.terms, bet, player))
    steps = Steps(state, context)
    steps.add(
        e.WagersPlaced(
            round_id=state.round_id,
            box=command.box,
            player=player,
            currency=state.terms.currency,
            wagers_minor=command.wagers_minor,
            side_wagers_minor=command.side_wagers_minor,
            reservation=f"{state.round_id}:bet:{state.placed + 1}",
            amount_minor=cost,
            funds_due_at=context.now + state.terms.timings.funds_ms * 1000,
            replaces=earlier.reservation if earlier else "",
            seed_hash=command.seed_hash,
        )
    )
    return steps.follow()


def _bet_on(bets: tuple[PlacedBet, ...], box: int) -> PlacedBet | None:
    return next((bet for bet in bets if bet.box == box), None)


def _bet_refusal(state: Betting, bet: Bet, player: str) -> str | None:
    entry = state.terms.entry
    held = {item.box: item.player for item in (*state.bets, *state.pending)}
    admitted = entry.admitted is None or player in entry.admitted
    free = entry.unrestricted is None or player in entry.unrestricted
    barred = not admitted or player in entry.barred
    minimum_only = not free or player in entry.minimum_only
    return bet_refusal(
        rules_of(state.terms),
        limits_of(state.terms.limits),
        bet,
        BetContext(
            player=player,
            holders=held,
            closed=state.closed,
            barred=barred,
            minimum_only=minimum_only,
            minimum_minor=entry.minimums_minor.get(player),
            maximum_minor=entry.maximums_minor.get(player),
        ),
    )


def withdraw_bet(command: t.WithdrawBet, state: Betting, context: Context) -> Decided:
    if state.closed:
        return Rejected("betting_closed", str(command.box), state.round_id)
    bet = _bet_on(state.pending, command.box) or _bet_on(state.bets, command.box)
    if bet is None:
        return Rejected(TableReason.NO_BET, str(command.box), state.round_id)
    if bet.player != context.actor.who:
        return Rejected(TableReason.NOT_YOUR_BOX, str(command.box), state.round_id)
    if bet in state.pending:
        return Rejected(TableReason.BET_PENDING, str(command.box), state.round_id)
    if leaves_gap(state, bet):
        return Rejected(BOXES_NOT_ADJACENT, str(command.box), state.round_id)
    steps = Steps(state, context)
    steps.add(withdrawn(state, bet))
    return steps.follow()


def start_dealing(command: t.StartDealing, state: Betting, context: Context) -> Decided:
    del command
    player = context.actor.who
    if state.closed:
        return Rejected("betting_closed", "", state.round_id)
    if not any(bet.player == player for bet in (*state.bets, *state.pending)):
        return Rejected(TableReason.NO_BET, "", state.round_id)
    steps = Steps(state, context)
    steps.add(e.PlayerReady(state.round_id, player))
    return steps.follow()


def open_seed(command: t.OpenSeed, state: Betting, context: Context) -> Decided:
    """Take the seed whose hash came with the bet, once betting is closed (H12)."""
    bet = _bet_on(state.bets, command.box)
    if bet is None:
        return Rejected(TableReason.NO_BET, str(command.box), state.round_id)
    if bet.player != context.actor.who:
        return Rejected(TableReason.NOT_YOUR_BOX, str(command.box), state.round_id)
    if not state.opening or not bet.seed_hash or bet.seed:
        return Rejected(TableReason.SEED_NOT_AWAITED, str(command.box), state.round_id)
    if not seed_matches(command.seed, bet.seed_hash):
        return Rejected(
            TableReason.SEED_DOES_NOT_MATCH, str(command.box), state.round_id
        )
    steps = Steps(state, context)
    steps.add(e.SeedOpened(state.round_id, command.box, command.seed))
    return steps.follow()


def funds_reserved(message: FundsReserved, state: Betting, context: Context) -> Decided:
    bet = _pending(state, message.reservation)
    if bet is None:
        return ()
    steps = Steps(state, context)
    steps.add(e.WagersAccepted(state.round_id, bet.box, bet.reservation))
    return steps.follow()


def funds_refused(message: FundsRefused, state: Betting, context: Context) -> Decided:
    bet = _pending(state, message.reservation)
    if bet is None:
        return ()
    steps = Steps(state, context)
    steps.add(refused(state, bet, message.operator_reason or str(message.reason)))
    return steps.follow()


def _pending(state: Betting, reservation: str) -> PlacedBet | None:
    return next((b for b in state.pending if b.reservation == reservation), None)


def deadline_passed(kind: str, state: Betting, context: Context) -> Decided:
    steps = Steps(state, context)
    if kind.startswith("funds:"):
        bet = _pending(state, kind.removeprefix("funds:"))
        if bet is None:
            return ()
        for event in cancelled(state, bet, FUNDS_NOT_CONFIRMED):
            steps.add(event)
    elif _ends_betting(kind, state):
        steps.add(betting_over(state))
    elif kind == "seeds" and state.opening:
        steps.add(first_cards(state, context.now))
    else:
        return ()
    return steps.follow()


def _ends_betting(kind: str, state: Betting) -> bool:
    """A start may come too late: somebody has bet again and is not ready."""
    if state.closed or state.pending:
        return False
    return kind == "betting" or (kind == "start" and state.all_ready)


def cancelled_by_void(state: Betting) -> tuple[Any, ...]:
    """Every bet that still waits for funds falls away before a void."""
    return tuple(
        event
        for bet in state.pending
        for event in cancelled(state, bet, "round_voided")
    )


def superseded(by: str, state: Betting, context: Context) -> Decided:
    """The table closed or changed: a round with a bet is dealt, one without ends."""
    if state.closed or state.superseded:
        return ()
    if not state.bets and not state.pending:
        return (abandoned(state),)
    steps = Steps(state, context)
    steps.add(e.TermsSuperseded(state.round_id, by))
    return steps.follow()
