"""How a bet ends before the cards: refused, withdrawn, or because of another one."""

from typing import Any

from contracts import round_events as e
from services.table_orchestrator.state import Betting, PlacedBet
from services.table_orchestrator.terms import rules_of

BOXES_NOT_ADJACENT = "boxes_not_adjacent"


def refused(state: Betting, bet: PlacedBet, reason: str) -> e.WagersRefused:
    return e.WagersRefused(
        round_id=state.round_id,
        box=bet.box,
        player=bet.player,
        currency=state.terms.currency,
        reservation=bet.reservation,
        reason=reason,
    )


def withdrawn(state: Betting, bet: PlacedBet) -> e.WagersWithdrawn:
    return e.WagersWithdrawn(
        state.round_id, bet.box, bet.player, state.terms.currency, bet.reservation
    )


def cancelled(state: Betting, bet: PlacedBet, reason: str) -> tuple[Any, ...]:
    """Give up a bet whose funds are uncertain.

    The wallet may have returned the bet it replaces already, so that one ends too:
    no bet stands without money behind it.
    """
    events: list[Any] = [refused(state, bet, reason)]
    replaced = next(
        (old for old in state.bets if old.reservation == bet.replaces), None
    )
    if replaced is not None:
        events.append(withdrawn(state, replaced))
    return tuple(events)


def leaves_gap(state: Betting, bet: PlacedBet) -> bool:
    """Tell whether a player's boxes would not touch without this bet (LV-3)."""
    if not rules_of(state.terms).adjacent:
        return False
    boxes = _boxes_of(state, bet.player) - {bet.box}
    return bool(boxes) and max(boxes) - min(boxes) + 1 != len(boxes)


def _boxes_of(state: Betting, player: str) -> set[int]:
    placed = (*state.bets, *state.pending)
    return {bet.box for bet in placed if bet.player == player}


def end_of_strayed(state: Betting) -> Any | None:
    """End a bet that the wallet's refusal of a box between has cut off (LV-3).

    A player's boxes are those that touch the one bet on first.
    """
    if not rules_of(state.terms).adjacent:
        return None
    placed = (*state.bets, *state.pending)
    for player in dict.fromkeys(bet.player for bet in placed):
        kept = _touching(_boxes_of(state, player), _first_box(placed, player))
        for bet in placed:
            if bet.player == player and bet.box not in kept:
                return _ended(state, bet)
    return None


def _first_box(placed: tuple[PlacedBet, ...], player: str) -> int:
    return next(bet.box for bet in placed if bet.player == player)


def _touching(boxes: set[int], first: int) -> set[int]:
    low = high = first
    while low - 1 in boxes:
        low -= 1
    while high + 1 in boxes:
        high += 1
    return set(range(low, high + 1))


def _ended(state: Betting, bet: PlacedBet) -> Any:
    if bet in state.pending:
        return refused(state, bet, BOXES_NOT_ADJACENT)
    return withdrawn(state, bet)
