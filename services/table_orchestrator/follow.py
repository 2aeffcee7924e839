"""What a round does by itself: the next event that its state calls for, if any.

This is the orchestration in one place. A restart needs nothing else: the same state
calls for the same event.
"""

import hashlib
from typing import Any

from msgspec.structs import replace

from blackjack import machine
from blackjack.machine import NeedCards, NeedDecisions, NeedHole, NeedLook, Offer
from contracts import round_events as e
from contracts.shoe import SeedShare
from services.table_orchestrator import pitch
from services.table_orchestrator.evolve import boxes_in_order, dealt_in
from services.table_orchestrator.giving_up import end_of_strayed
from services.table_orchestrator.state import Betting, Playing, RoundState


def next_event(state: RoundState, now: int) -> Any | None:
    match state:
        case Playing() if state.voiding:
            return _next_in_void(state)
        case Playing():
            return _next_in_play(state, now)
        case Betting():
            return _next_in_betting(state, now)
        case _:
            return None


def _next_in_betting(state: Betting, now: int) -> Any | None:
    if state.closed:
        return _next_before_cards(state, now)
    if ended := end_of_strayed(state):
        return ended
    has_bet = bool(state.bets or state.pending)
    if state.superseded and not has_bet:
        return abandoned(state)
    if (has_bet or state.is_barring) and not state.due_at:
        due_at = now + state.terms.timings.betting_ms * 1000
        return _opened(state, "betting", max(due_at, state.terms.not_before), ())
    if state.all_ready and now >= state.terms.not_before:
        return betting_over(state)
    return None


def betting_over(state: Betting) -> e.BettingClosed | e.RoundClosed:
    """Close betting; without a bet whoever might have made one has let it pass."""
    if not state.bets:
        return replace(abandoned(state), all_passed=True)
    boxes = tuple(bet.box for bet in boxes_in_order(state.bets))
    return e.BettingClosed(state.round_id, boxes)


def abandoned(state: Betting) -> e.RoundClosed:
    """Without a bet there is nothing to play for: the table calls a new round."""
    return e.RoundClosed(
        round_id=state.round_id,
        table=state.terms.table,
        status="abandoned",
        players=(),
        nets_minor={},
        starting_hands=0,
        cards_out=0,
        cut_card_reached=False,
        dealt=False,
    )


def _next_before_cards(state: Betting, now: int) -> Any | None:
    if not state.terms.first_of_shoe:
        return first_cards(state, now)
    shut = [bet for bet in state.bets if bet.seed_hash and not bet.seed]
    if not shut:
        return first_cards(state, now)
    if not state.opening:
        due_at = now + state.terms.timings.seed_ms * 1000
        return _opened(state, "seeds", due_at, ())
    return None


def first_cards(state: Betting, now: int) -> e.CardsRequested:
    """Ask for the starting cards; with a new shoe, fix its cut too (H12)."""
    need = machine.need(dealt_in(state).game)
    assert isinstance(need, NeedCards)
    shares = None
    if state.terms.first_of_shoe:
        shares = tuple(
            SeedShare(bet.box, bet.seed_hash, bet.seed)
            for bet in boxes_in_order(state.bets)
            if bet.seed_hash
        )
    return e.CardsRequested(
        round_id=state.round_id,
        shoe=state.terms.shoe,
        request=1,
        places=need.places,
        burn=state.terms.burn,
        shares=shares,
        started_at=now if state.terms.timings.min_cycle_ms else 0,
    )


def seed_matches(seed: bytes, seed_hash: bytes) -> bool:
    return hashlib.sha256(seed).digest() == seed_hash


def _opened(
    state: Betting | Playing, kind: str, due_at: int, offers: tuple[Offer, ...]
) -> e.DecisionOpened:
    number = state.decision + 1
    seen_by = pitch.viewers(state, offers) if isinstance(state, Playing) else {}
    return e.DecisionOpened(state.round_id, number, kind, due_at, offers, seen_by)


def _next_in_void(state: Playing) -> Any | None:
    if state.voiding == "refunding" and not state.unpaid:
        return _closed(state, "void")
    return None


def _next_in_play(state: Playing, now: int) -> Any | None:
    if shown := pitch.next_shown(state):
        return shown
    dues = machine.dues(state.game)
    if dues:
        return _settlement_due(state, dues)
    if state.awaiting or state.pending:
        return None
    need = machine.need(state.game)
    match need:
        case NeedDecisions():
            return _offer(state, now)
        case NeedCards():
            return e.CardsRequested(
                state.round_id, state.terms.shoe, state.requests + 1, need.places
            )
        case NeedLook():
            return _look(state)
        case NeedHole():
            return _reveal(state)
        case _:
            return None if state.unpaid else _closed(state, "settled")


def _settlement_due(state: Playing, dues: tuple[machine.Due, ...]) -> e.SettlementDue:
    over = isinstance(machine.need(state.game), machine.NeedNothing)
    return e.SettlementDue(
        round_id=state.round_id,
        part=state.parts + 1,
        rule_set=state.terms.rule_set,
        options=state.terms.options,
        currency=state.terms.currency,
        dues=tuple(
            e.PlayerDue(state.owners[due.box], due, pitch.viewer_of_due(state, due))
            for due in dues
        ),
        final=over,
    )


def _look(state: Playing) -> e.HoleLookRequested:
    assert state.hole is not None, "a look needs a hole card"
    return e.HoleLookRequested(
        state.round_id,
        state.terms.shoe,
        state.hole.index,
        state.hole.order,
        machine.up_card(state.game),
    )


def _reveal(state: Playing) -> e.HoleRevealRequested:
    assert state.hole is not None, "only a hole card is turned over"
    return e.HoleRevealRequested(
        state.round_id, state.terms.shoe, state.hole.index, state.hole.order
    )


def _offer(state: Playing, now: int) -> e.DecisionOpened | None:
    """Open the next decision, unless the player who is due waits for money (H6)."""
    if state.offered:
        return None
    offers = machine.offers(state.game)
    waiting = {item.player for item in state.unpaid}
    if any(offer.due and state.owners[offer.box] in waiting for offer in offers):
        return None
    kind = "insurance" if machine.insurance_open(state.game) else "turn"
    timings = state.terms.timings
    time_ms = timings.insurance_ms if kind == "insurance" else timings.decision_ms
    due_at = now + (state.clock_left_ms or time_ms) * 1000
    if state.clock is not None:
        left_until = now + state.clock_left_ms * 1000
        due_at = max(state.clock.due_at, left_until)
    return _opened(state, kind, due_at, offers)


def _closed(state: Playing, status: str) -> e.RoundClosed:
    hands = len(state.owners) * state.game.rules.hands_per_box
    return e.RoundClosed(
        round_id=state.round_id,
        table=state.terms.table,
        status=status,
        players=tuple(dict.fromkeys(state.owners.values())),
        nets_minor=state.nets_minor,
        starting_hands=hands,
        cards_out=state.cards_out,
        cut_card_reached=state.cut_card_reached,
        dealt=state.requests > 0,
        started_at=state.started_at,
    )
