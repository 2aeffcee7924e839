"""What each event of a round changes. Never fails, never decides."""

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
    match event:
        case e.RoundOpened():
            return Betting(round_id=event.round_id, terms=event.terms)
        case e.RoundClosed():
            return Ended(event.round_id)
    match state:
        case Betting():
            return _evolve_betting(state, event)
        case Playing():
            return _evolve_playing(state, event)
        case _:
            return state


def _evolve_betting(state: Betting, event: Any) -> RoundState:
    match event:
        case e.WagersPlaced():
            return _place(state, event)
        case e.WagersAccepted():
            return _accept(state, event.reservation)
        case e.WagersRefused():
            return _drop_bet(state, event.reservation)
        case e.WagersWithdrawn():
            return _drop_bet(state, event.reservation)
        case e.PlayerReady():
            return replace(state, ready=(*state.ready, event.player))
        case e.TermsSuperseded():
            return replace(state, superseded=True)
        case e.BettingClosed():
            return replace(state, closed=True, due_at=0)
        case e.SeedOpened():
            return _open_seed(state, event)
        case e.DecisionOpened():
            return replace(
                state,
                decision=event.decision,
                due_at=event.due_at,
                opening=event.kind == "seeds",
            )
        case e.ClockExtended():
            return _extend_betting(state, event.by_ms * 1000)
        case e.CardsRequested():
            return _evolve_playing(dealt_in(state), event)
        case e.RoundVoided():
            return _void_betting(state, event)
    return state


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


def _accept(state: Betting, reservation: str) -> Betting:
    bet = next(bet for bet in state.pending if bet.reservation == reservation)
    others = without(state.bets, bet.replaces) if bet.replaces else state.bets
    return replace(
        state,
        bets=(*others, replace(bet, funds_due_at=0)),
        pending=without(state.pending, reservation),
    )


def _drop_bet(state: Betting, reservation: str) -> Betting:
    """Without any bet the clock stops (C-11), unless somebody waits for a shuffle."""
    bets = without(state.bets, reservation)
    pending = without(state.pending, reservation)
    due_at = state.due_at if bets or pending or state.is_barring else 0
    return replace(state, bets=bets, pending=pending, due_at=due_at)


def _open_seed(state: Betting, event: e.SeedOpened) -> Betting:
    bets = tuple(
        replace(bet, seed=event.seed) if bet.box == event.box else bet
        for bet in state.bets
    )
    return replace(state, bets=bets)


def _extend_betting(state: Betting, by: int) -> Betting:
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


def _evolve_playing(state: Playing, event: Any) -> RoundState:
    match event:
        case e.Decision():
            return _decide(state, event)
        case e.DecisionOpened():
            targets = tuple(offer.target for offer in event.offers if offer.due)
            return replace(
                state,
                decision=event.decision,
                clock=Clock(targets, event.due_at),
                offered=True,
            )
        case e.CardsRequested():
            return _request(state, event)
        case e.CardsReceived():
            return _receive(state, event)
        case e.HandShown():
            face_down = tuple(x for x in state.face_down if x != event.target)
            return replace(state, face_down=face_down)
        case e.CutCardSeen():
            return replace(state, cut_card_reached=True)
        case e.HoleLookRequested():
            return replace(state, awaiting="look")
        case e.DealerChecked():
            game = machine.looked(state.game, event.natural)
            return replace(state, game=game, awaiting="")
        case e.HoleRevealRequested():
            return replace(state, awaiting="hole")
        case e.HoleCardTurned():
            game = machine.turn_hole(state.game, event.card)
            return replace(state, game=game, awaiting="", hole=None)
        case e.InsuranceClosed():
            game = machine.close_insurance(state.game)
            return replace(state, game=game, clock=None, offered=False)
    return _evolve_money(state, event)


def _evolve_money(state: Playing, event: Any) -> Playing:
    match event:
        case e.FundsRequested():
            return _await_funds(state, event)
        case e.FundsDeclined():
            return _forget_funds(state, event.reservation)
        case e.SettlementDue():
            return _settle(state, event)
        case e.PayoutsReceived():
            return _book(state, event)
        case e.RoundVoided():
            return replace(
                state,
                voiding="asked",
                parts=event.part,
                clock=None,
                offered=False,
            )
        case e.RefundsAwaited():
            awaited = (Unpaid(event.part, player) for player in event.players)
            unpaid = tuple(item for item in awaited if item not in state.refunded)
            return replace(state, voiding="refunding", unpaid=state.unpaid + unpaid)
        case e.VoidDeclined():
            return replace(state, voiding="")
        case e.ClockExtended():
            return _extend_playing(state, event.by_ms * 1000)
    return state


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


def _forget_funds(state: Playing, reservation: str) -> Playing:
    """The hand is where it was: it is asked again with what its clock had left."""
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


def _extend_playing(state: Playing, by: int) -> Playing:
    clock = state.clock and Clock(state.clock.targets, state.clock.due_at + by)
    pending = tuple(
        replace(item, funds_due_at=item.funds_due_at + by) for item in state.pending
    )
    return replace(state, clock=clock, pending=pending)
