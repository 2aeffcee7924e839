"""From a round's events to what is shown of it: pure, and never asked twice.

Whoever calls cuts each event down to what the viewer may see first
(`contracts.sight`), so that a view can hold nothing else.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from blackjack.rule_sets import rule_set
from contracts import round_events as e
from contracts import settlement as st
from contracts import shoe as s
from contracts.table_events import RoundTerms
from services.gateway import hands
from services.gateway.betting import (
    Bets,
    accepted,
    boxes_of,
    dropped,
    placed,
    ready,
)
from services.gateway.views import (
    BoxView,
    DealerView,
    DecisionView,
    LineView,
    OfferView,
    OptionView,
    Phase,
    RoundView,
    WaitingView,
)


class Showing(msgspec.Struct, frozen=True):
    """A round's view, and what is needed to go on with it but is not shown."""

    terms: RoundTerms
    view: RoundView
    bets: Bets = Bets()
    dealer_done: bool = False


def opened(event: e.RoundOpened) -> Showing:
    terms = event.terms
    view = RoundView(event.round_id, terms.number, not_before=terms.not_before)
    return Showing(terms, view)


def versioned(showing: Showing, version: int) -> Showing:
    """Note the round's version; another log's record leaves it as it is."""
    if not version:
        return showing
    return replace(showing, view=replace(showing.view, version=version))


def project(showing: Showing, event: Any) -> Showing:
    """Show what an event changes; many change nothing that is shown."""
    handler = _HANDLERS.get(type(event))
    return showing if handler is None else handler(showing, event)


def _view(showing: Showing, **changes: Any) -> Showing:
    return replace(showing, view=replace(showing.view, **changes))


def _bets(showing: Showing, bets: Bets) -> Showing:
    return _view(replace(showing, bets=bets), boxes=boxes_of(bets))


def _placed(showing: Showing, event: e.WagersPlaced) -> Showing:
    return _bets(showing, placed(showing.bets, event))


def _accepted(showing: Showing, event: e.WagersAccepted) -> Showing:
    return _bets(showing, accepted(showing.bets, event.reservation))


def _dropped(showing: Showing, event: e.WagersRefused | e.WagersWithdrawn) -> Showing:
    return _bets(showing, dropped(showing.bets, event.reservation))


def _ready(showing: Showing, event: e.PlayerReady) -> Showing:
    return _bets(showing, ready(showing.bets, event.player))


_PHASES: dict[str, Phase] = {
    "betting": "betting",
    "seeds": "seeds",
    "insurance": "insurance",
    "turn": "turn",
}


def _decision_opened(showing: Showing, event: e.DecisionOpened) -> Showing:
    number, kind = event.decision, event.kind
    offers = tuple(
        OfferView(
            offer.target,
            offer.box,
            offer.due,
            tuple(OptionView(*astuple(option)) for option in offer.options),
        )
        for offer in event.offers
    )
    decision = DecisionView(number, kind, event.due_at, offers)
    return _view(showing, decision=decision, phase=_PHASES[kind])


def _betting_closed(showing: Showing, event: e.BettingClosed) -> Showing:
    del event
    return _view(showing, decision=None, phase="dealing")


def _cards_requested(showing: Showing, event: e.CardsRequested) -> Showing:
    is_start = event.request == 1
    is_dealer = event.places == ("dealer",)
    phase: Phase = "dealing" if is_start else showing.view.phase
    if is_dealer and not is_start:
        phase = "dealer"
    return _view(showing, decision=None, phase=phase)


def _cards_received(showing: Showing, event: e.CardsReceived) -> Showing:
    for card in event.cards:
        if card.place in ("dealer", "hole"):
            showing = _dealer_card(showing, card.card)
        else:
            showing = _hand_card(showing, card.place, card.card)
    return _view(showing, decision=None)


def _hand_card(showing: Showing, label: str, card: str) -> Showing:
    return _on_box(showing, label, lambda box: hands.with_card(box, label, card))


def _dealer_card(showing: Showing, card: str) -> Showing:
    dealer = showing.view.dealer
    rules = rule_set(showing.terms.rule_set, showing.terms.options)
    cards = dealer.cards
    if showing.dealer_done or hands.is_dealer_done(dealer, rules):
        cards = cards[:1]
    dealer = hands.dealer_of((*cards, card))
    return _view(replace(showing, dealer_done=False), dealer=dealer)


def _on_box(
    showing: Showing, target: str, change: Callable[[BoxView], BoxView]
) -> Showing:
    number = hands.box_of(target)
    boxes = tuple(
        change(box) if box.box == number else box for box in showing.view.boxes
    )
    return _view(showing, boxes=boxes)


def _hand_shown(showing: Showing, event: e.HandShown) -> Showing:
    return _on_box(
        showing,
        event.target,
        lambda box: hands.shown(box, event.target, event.cards),
    )


def _hole_turned(showing: Showing, event: e.HoleCardTurned) -> Showing:
    dealer: DealerView = hands.hole_turned(showing.view.dealer, event.card)
    return _view(showing, dealer=dealer, phase="dealer", decision=None)


def _decided(showing: Showing, event: e.Decision) -> Showing:
    target = event.target

    def change(box: BoxView) -> BoxView:
        match event:
            case e.CardsSwitched() | e.CardsReturned():
                return hands.switched(box)
            case e.HandStood():
                return hands.with_status(box, target, "stood")
            case e.HandSurrendered():
                return hands.with_status(box, target, "surrendered")
            case e.EvenMoneyTaken():
                return hands.with_status(box, target, "even_money")
            case e.HandDoubled():
                return hands.doubled(box, target, event.amount_minor)
            case e.HandSplit():
                return hands.split(box, target)
            case e.HandInsured():
                return _insured(box, target, event.amount_minor)
            case e.InsuranceDeclined():
                return _insured(box, target, 0)
        return box

    waiting = tuple(w for w in showing.view.waiting if w.target != target)
    return _view(_on_box(showing, target, change), waiting=waiting, decision=None)


def _insured(box: BoxView, target: str, amount_minor: int) -> BoxView:
    return replace(box, insurance={**box.insurance, target: amount_minor})


def _funds_requested(showing: Showing, event: e.FundsRequested) -> Showing:
    item = WaitingView(event.target, event.action, event.amount_minor)
    return _view(showing, waiting=(*showing.view.waiting, item))


def _funds_declined(showing: Showing, event: e.FundsDeclined) -> Showing:
    waiting = tuple(w for w in showing.view.waiting if w.target != event.target)
    return _view(showing, waiting=waiting)


def _due(showing: Showing, event: e.SettlementDue) -> Showing:
    dealer = showing.view.dealer.cards
    is_done = any(
        item.due.kind == "main" and item.due.dealer == dealer and len(dealer) > 1
        for item in event.dues
    )
    is_many = rule_set(showing.terms.rule_set, showing.terms.options).dealer_rounds > 1
    showing = replace(showing, dealer_done=is_done and is_many)
    if not event.final:
        return _view(showing, decision=None)
    return _view(showing, decision=None, phase="settling")


def _settled(showing: Showing, event: st.WagersSettled) -> Showing:
    lines = tuple(
        LineView(
            showing.bets.seats.get(item.player, ""),
            item.line.label,
            item.line.kind,
            item.line.stake_minor,
            item.line.result,
            item.line.payout_minor,
            item.line.clauses,
        )
        for item in event.lines
    )
    return _view(showing, lines=(*showing.view.lines, *lines))


def _voided(showing: Showing, event: e.RoundVoided) -> Showing:
    del event
    return _view(showing, decision=None, waiting=(), phase="settling")


def _refunded(showing: Showing, event: st.RoundVoidSettled) -> Showing:
    lines = tuple(
        LineView(
            showing.bets.seats.get(item.player, ""),
            item.label,
            "refund",
            item.stake_minor,
            "void",
            item.stake_minor,
        )
        for item in event.refunds
    )
    return _view(showing, lines=(*showing.view.lines, *lines))


def _extended(showing: Showing, event: e.ClockExtended) -> Showing:
    decision = showing.view.decision
    if decision is None or not decision.due_at:
        return showing
    due_at = decision.due_at + event.by_ms * 1000
    return _view(showing, decision=replace(decision, due_at=due_at))


def _burned_shown(showing: Showing, event: s.BurnedCardShown) -> Showing:
    return _view(showing, burned_card=event.card.card)


def _closed(showing: Showing, event: e.RoundClosed) -> Showing:
    return _view(showing, phase="closed", status=event.status, decision=None)


_HANDLERS: dict[type, Callable[[Showing, Any], Showing]] = {
    e.WagersPlaced: _placed,
    e.WagersAccepted: _accepted,
    e.WagersRefused: _dropped,
    e.WagersWithdrawn: _dropped,
    e.PlayerReady: _ready,
    e.DecisionOpened: _decision_opened,
    e.BettingClosed: _betting_closed,
    e.CardsRequested: _cards_requested,
    e.CardsReceived: _cards_received,
    e.HandShown: _hand_shown,
    e.HoleCardTurned: _hole_turned,
    **dict.fromkeys(e.ACTION_OF, _decided),
    e.FundsRequested: _funds_requested,
    e.FundsDeclined: _funds_declined,
    e.SettlementDue: _due,
    e.RoundVoided: _voided,
    e.ClockExtended: _extended,
    e.RoundClosed: _closed,
    st.WagersSettled: _settled,
    st.RoundVoidSettled: _refunded,
    s.BurnedCardShown: _burned_shown,
}
"""What each event changes in the view; all others change nothing in it."""
