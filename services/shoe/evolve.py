"""What each event makes of a shoe's state. It never fails and never decides."""

from typing import assert_never

from msgspec.structs import replace

from contracts import shoe as s
from services.shoe.state import Awaited, Hole, InUse, Retired, ShoeState

ShoeEvent = (
    s.ShoeCommitted
    | s.ShoeCut
    | s.CardBurned
    | s.BurnedCardShown
    | s.CardsDealt
    | s.CutCardReached
    | s.DiscardsShuffled
    | s.HoleLooked
    | s.HoleRevealed
    | s.ShoeRetired
)


def initial(stream: str) -> ShoeState:
    return Awaited(stream)


def evolve(state: ShoeState, event: ShoeEvent) -> ShoeState:
    if isinstance(event, s.ShoeCommitted):
        return InUse(
            shoe=event.shoe,
            decks=event.decks,
            cut_card_at=event.cut_card_at,
            root=event.root,
            sealed=event.sealed,
            key_id=event.key_id,
        )
    if isinstance(state, InUse):
        return _evolve_in_use(state, event)
    return state


def _evolve_in_use(
    state: InUse,
    event: s.ShoeCut
    | s.CardBurned
    | s.BurnedCardShown
    | s.CardsDealt
    | s.CutCardReached
    | s.DiscardsShuffled
    | s.HoleLooked
    | s.HoleRevealed
    | s.ShoeRetired,
) -> ShoeState:
    match event:
        case s.ShoeCut():
            return replace(state, cut=event.cut, shares=event.shares)
        case s.CardBurned():
            return _burn(state, event)
        case s.BurnedCardShown():
            current = replace(state.current, burned_shown=True)
            return replace(state, current=current)
        case s.CardsDealt():
            return _deal(state, event)
        case s.CutCardReached():
            return replace(state, cut_card_reached=True)
        case s.DiscardsShuffled():
            current = state.current_of(event.round_id)
            return replace(state, second_root=event.root, current=current)
        case s.HoleLooked():
            return _turn(state, event.index, event.order, looked=True)
        case s.HoleRevealed():
            card = event.card
            return _turn(state, card.index, card.order, revealed=True)
        case s.ShoeRetired():
            current = state.current
            return Retired(state.shoe, current.round_id, current.request)
        case _:
            assert_never(event)


def _burn(state: InUse, event: s.CardBurned) -> InUse:
    return replace(
        state,
        out=state.out + 1,
        burned=(*state.burned, event.index),
        current=state.current_of(event.round_id),
    )


def _deal(state: InUse, event: s.CardsDealt) -> InUse:
    current = state.current_of(event.round_id)
    again = sum(card.order for card in event.cards)
    hidden = tuple(
        Hole(card.index, card.order) for card in event.cards if not card.card
    )
    open_cards = tuple(
        card.card for card in event.cards if card.card and card.place == "dealer"
    )
    return replace(
        state,
        out=state.out + len(event.cards) - again,
        second_out=state.second_out + again,
        current=replace(
            current,
            request=event.request,
            holes=(*current.holes, *hidden) if hidden else current.holes,
            dealer=(*current.dealer, *open_cards) if open_cards else current.dealer,
        ),
    )


def _turn(state: InUse, index: int, order: int, **changes: bool) -> InUse:
    holes = tuple(
        replace(hole, **changes) if (hole.index, hole.order) == (index, order) else hole
        for hole in state.current.holes
    )
    return replace(state, current=replace(state.current, holes=holes))
