"""What each event of a round changes. Never fails, never decides."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from blackjack import machine
from blackjack.bets import Bet
from contracts import round_events as e
from services.table_orchestrator.state import (
    Betting,
    Clock,
    Ended,
    Hole,
    PendingFunds,
    PlacedBet,
    Playing,
    RoundState,
    Unopened,
    Unpaid,
)
from services.table_orchestrator.terms import accepted_bet, rules_of


def initial_round(stream: str) -> RoundState:
    del stream
    return Unopened()


def evolve_round(state: RoundState, event: Any) -> RoundState:
    change = _CHANGES[type(state)].get(type(event))
    return state if change is None else change(state, event)


def _open(state: RoundState, event: e.RoundOpened) -> Betting:
    del state
    return Betting(round_id=event.round_id, terms=event.terms)


def _close(state: RoundState, event: e.RoundClosed) -> Ended:
    del state
    return Ended(event.round_id)


def _ready(state: Betting, event: e.PlayerReady) -> Betting:
    return replace(state, ready=(*state.ready, event.player))


def _supersede(state: Betting, event: e.TermsSuperseded) -> Betting:
    del event
    return replace(state, superseded=True)


def _close_betting(state: Betting, event: e.BettingClosed) -> Betting:
    del event
    return replace(state, closed=True, due_at=0)


def _open_betting(state: Betting, event: e.DecisionOpened) -> Betting:
    """The clock of the bets begins to run, or that of the seeds."""
    is_for_seeds = event.kind == "seeds"
    return replace(
        state, decision=event.decision, due_at=event.due_at, opening=is_for_seeds
    )


def _deal_in(state: Betting, event: e.CardsRequested) -> Playing:
    return _request(dealt_in(state), event)


def _place(state: Betting, event: e.WagersPlaced) -> Betting:
    """A new bet is pending; its player has to say again that he is ready."""
    bet = PlacedBet(
        box=event.box,
        player=event.player,
        wagers_minor=event.wagers_minor,
        side_wagers_minor=event.side_wagers_minor,
        reservation=event.reservation,
        amount_minor=event.amount_minor,
        funds_due_at=event.funds_due_at,
        replaces=event.replaces,
        seed_hash=event.seed_hash,
    )
    ready = tuple(name for name in state.ready if name != event.player)
    return replace(
        state, pending=(*state.pending, bet), placed=state.placed + 1, ready=ready
    )


def without(items: tuple[Any, ...], reservation: str) -> tuple[Any, ...]:
    return tuple(item for item in items if item.reservation != reservation)


def _accept(state: Betting, event: e.WagersAccepted) -> Betting:
    reservation = event.reservation
    bet = next(bet for bet in state.pending if bet.reservation == reservation)
    others = without(state.bets, bet.replaces) if bet.replaces else state.bets
    return replace(
        state,
        bets=(*others, replace(bet, funds_due_at=0)),
        pending=without(state.pending, reservation),
    )


def _drop_bet(state: Betting, event: e.WagersRefused | e.WagersWithdrawn) -> Betting:
    """Without any bet the clock stops (C-11), unless somebody waits for a shuffle."""
    bets = without(state.bets, event.reservation)
    pending = without(state.pending, event.reservation)
    due_at = state.due_at if bets or pending or state.is_barring else 0
    return replace(state, bets=bets, pending=pending, due_at=due_at)


def _open_seed(state: Betting, event: e.SeedOpened) -> Betting:
    bets = tuple(
        replace(bet, seed=event.seed) if bet.box == event.box else bet
        for bet in state.bets
    )
    return replace(state, bets=bets)


def _extend_betting(state: Betting, event: e.ClockExtended) -> Betting:
    by = event.by_ms * 1000
    pending = tuple(
        replace(bet, funds_due_at=bet.funds_due_at + by) for bet in state.pending
    )
    due_at = state.due_at + by if state.due_at else 0
    return replace(state, pending=pending, due_at=due_at)


def boxes_in_order(bets: tuple[PlacedBet, ...]) -> tuple[PlacedBet, ...]:
    """Return the bets from the dealer's left (C-12)."""
    return tuple(sorted(bets, key=lambda bet: bet.box))


def dealt_in(state: Betting) -> Playing:
    """Begin the play with what was bet; the rule book takes over from here."""
    rules = rules_of(state.terms)
    bets = boxes_in_order(state.bets)
    game = machine.open_round(
        rules,
        tuple(
            accepted_bet(
                state.terms,
                Bet(bet.box, bet.wagers_minor, bet.side_wagers_minor),
                bet.player,
            )
            for bet in bets
        ),
    )
    return Playing(
        round_id=state.round_id,
        terms=state.terms,
        owners={bet.box: bet.player for bet in bets},
        game=game,
        decision=state.decision,
    )


def _void_betting(state: Betting, event: e.RoundVoided) -> Playing:
    """A void before the deal leaves an empty table that waits for its refunds."""
    return Playing(
        round_id=state.round_id,
        terms=state.terms,
        owners={bet.box: bet.player for bet in state.bets},
        game=machine.open_round(rules_of(state.terms), ()),
        decision=state.decision,
        parts=event.part,
        voiding="asked",
    )


def _request(state: Playing, event: e.CardsRequested) -> Playing:
    return replace(
        state,
        requests=event.request,
        awaiting="cards",
        burned=state.burned or event.burn > 0,
        started_at=state.started_at or event.started_at,
    )


def _offer(state: Playing, event: e.DecisionOpened) -> Playing:
    targets = tuple(offer.target for offer in event.offers if offer.due)
    clock = Clock(targets, event.due_at)
    return replace(state, decision=event.decision, clock=clock, offered=True)


def _show_hand(state: Playing, event: e.HandShown) -> Playing:
    face_down = tuple(x for x in state.face_down if x != event.target)
    return replace(state, face_down=face_down)


def _see_cut_card(state: Playing, event: e.CutCardSeen) -> Playing:
    del event
    return replace(state, cut_card_reached=True)


def _request_look(state: Playing, event: e.HoleLookRequested) -> Playing:
    del event
    return replace(state, awaiting="look")


def _look(state: Playing, event: e.DealerChecked) -> Playing:
    return replace(state, game=machine.looked(state.game, event.natural), awaiting="")


def _request_hole(state: Playing, event: e.HoleRevealRequested) -> Playing:
    del event
    return replace(state, awaiting="hole")


def _turn_hole(state: Playing, event: e.HoleCardTurned) -> Playing:
    game = machine.turn_hole(state.game, event.card)
    return replace(state, game=game, awaiting="", hole=None)


def _close_insurance(state: Playing, event: e.InsuranceClosed) -> Playing:
    del event
    game = machine.close_insurance(state.game)
    return replace(state, game=game, clock=None, offered=False)


def _void(state: Playing, event: e.RoundVoided) -> Playing:
    return replace(state, voiding="asked", parts=event.part, clock=None, offered=False)


def _await_refunds(state: Playing, event: e.RefundsAwaited) -> Playing:
    awaited = (Unpaid(event.part, player) for player in event.players)
    unpaid = tuple(item for item in awaited if item not in state.refunded)
    return replace(state, voiding="refunding", unpaid=state.unpaid + unpaid)


def _decline_void(state: Playing, event: e.VoidDeclined) -> Playing:
    del event
    return replace(state, voiding="")


def _decide(state: Playing, event: e.Decision) -> Playing:
    action = e.ACTION_OF[type(event)]
    amount = event.amount_minor if isinstance(event, e.PaidDecision) else None
    game = machine.apply(state.game, event.target, action, amount or None)
    pending = state.pending
    if isinstance(event, e.PaidDecision):
        pending = without(pending, event.reservation)
    clock = state.clock
    if clock is not None and event.target in clock.targets and is_turn(state):
        clock = None
    return replace(
        state, game=game, pending=pending, clock=clock, clock_left_ms=0, offered=False
    )


def is_turn(state: Playing) -> bool:
    """Tell a single box's or hand's turn from insurance, which many answer."""
    return not machine.insurance_open(state.game)


def _receive(state: Playing, event: e.CardsReceived) -> Playing:
    cards = tuple(card.card or None for card in event.cards)
    hole = next(
        (Hole(card.index, card.order) for card in event.cards if not card.card),
        state.hole,
    )
    face_down = dict.fromkeys(card.place for card in event.cards if card.seen_by)
    return replace(
        state,
        game=machine.deal(state.game, cards),
        awaiting="",
        hole=hole,
        face_down=state.face_down + tuple(face_down),
        cards_out=event.cards_out,
        clock=None,
        offered=False,
    )


def _await_funds(state: Playing, event: e.FundsRequested) -> Playing:
    funds = PendingFunds(
        reservation=event.reservation,
        player=event.player,
        box=event.box,
        target=event.target,
        action=event.action,
        amount_minor=event.amount_minor,
        funds_due_at=event.funds_due_at,
        clock_left_ms=event.clock_left_ms,
    )
    return replace(
        state, pending=(*state.pending, funds), reservations=state.reservations + 1
    )


def _forget_funds(state: Playing, event: e.FundsDeclined) -> Playing:
    """The hand is where it was: it is asked again with what its clock had left."""
    reservation = event.reservation
    gone = next(item for item in state.pending if item.reservation == reservation)
    clock = state.clock if not is_turn(state) else None
    return replace(
        state,
        pending=without(state.pending, reservation),
        clock=clock,
        clock_left_ms=gone.clock_left_ms,
        offered=False,
    )


def _settle(state: Playing, event: e.SettlementDue) -> Playing:
    players = dict.fromkeys(due.player for due in event.dues)
    unpaid = tuple(Unpaid(event.part, player) for player in players)
    return replace(
        state,
        game=machine.take_dues(state.game),
        unpaid=state.unpaid + unpaid,
        parts=event.part,
        final=event.final,
    )


def _book(state: Playing, event: e.PayoutsReceived) -> Playing:
    paid = Unpaid(event.part, event.player)
    nets = dict(state.nets_minor)
    nets[event.player] = nets.get(event.player, 0) + event.net_minor
    unpaid = tuple(item for item in state.unpaid if item != paid)
    refunded = state.refunded
    if paid not in state.unpaid:
        refunded = (*refunded, paid)
    return replace(state, unpaid=unpaid, nets_minor=nets, refunded=refunded)


def _extend_playing(state: Playing, event: e.ClockExtended) -> Playing:
    by = event.by_ms * 1000
    clock = state.clock and Clock(state.clock.targets, state.clock.due_at + by)
    pending = tuple(
        replace(item, funds_due_at=item.funds_due_at + by) for item in state.pending
    )
    return replace(state, clock=clock, pending=pending)


Changes = Mapping[type[Any], Callable[[Any, Any], RoundState]]
"""What each type of event changes: looked up, for a round has two dozen of them."""

_ALWAYS: Changes = {e.RoundOpened: _open, e.RoundClosed: _close}
_IN_BETTING: Changes = {
    **_ALWAYS,
    e.WagersPlaced: _place,
    e.WagersAccepted: _accept,
    e.WagersRefused: _drop_bet,
    e.WagersWithdrawn: _drop_bet,
    e.PlayerReady: _ready,
    e.TermsSuperseded: _supersede,
    e.BettingClosed: _close_betting,
    e.SeedOpened: _open_seed,
    e.DecisionOpened: _open_betting,
    e.ClockExtended: _extend_betting,
    e.CardsRequested: _deal_in,
    e.RoundVoided: _void_betting,
}
_IN_PLAY: Changes = {
    **_ALWAYS,
    **dict.fromkeys(e.ACTION_OF, _decide),
    e.DecisionOpened: _offer,
    e.CardsRequested: _request,
    e.CardsReceived: _receive,
    e.HandShown: _show_hand,
    e.CutCardSeen: _see_cut_card,
    e.HoleLookRequested: _request_look,
    e.DealerChecked: _look,
    e.HoleRevealRequested: _request_hole,
    e.HoleCardTurned: _turn_hole,
    e.InsuranceClosed: _close_insurance,
    e.FundsRequested: _await_funds,
    e.FundsDeclined: _forget_funds,
    e.SettlementDue: _settle,
    e.PayoutsReceived: _book,
    e.RoundVoided: _void,
    e.RefundsAwaited: _await_refunds,
    e.VoidDeclined: _decline_void,
    e.ClockExtended: _extend_playing,
}
_CHANGES: Mapping[type[Any], Changes] = {
    Unopened: _ALWAYS,
    Betting: _IN_BETTING,
    Playing: _IN_PLAY,
    Ended: _ALWAYS,
}
