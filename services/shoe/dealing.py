"""How cards leave the shoe: cut, burn, deal, and the discards when it runs out.

What leaves is the next card of the committed order, whoever it is for. A second
order's root is appended before its first card (C-17, H12).
"""

from blackjack import commitment
from contracts import shoe as s
from contracts.round_events import CardsRequested
from runtime.service import Decided
from services.shoe import contents
from services.shoe.contents import Order
from services.shoe.evolve import ShoeEvent, evolve
from services.shoe.state import InUse

HOLE = "hole"
"""The one place whose card lies face down."""


def deal(message: CardsRequested, state: InUse, plain: bytes) -> Decided:
    """Answer the next request of a round; it is no repeat.

    A request out of turn, a second cut, or a shoe without a card left is a bug of
    the table or of its rules.
    """
    _check_turn(message, state)
    made: list[ShoeEvent] = []
    for step in (_cut, _burn, _shuffle_discards, _deal, _reach_cut_card):
        for event in step(message, state, plain):
            made.append(event)
            after = evolve(state, event)
            assert isinstance(after, InUse), "dealing does not end a shoe"
            state = after
    return tuple(made)


def _check_turn(message: CardsRequested, state: InUse) -> None:
    assert message.places, "a request asks for at least one card"
    is_new = message.round_id != state.current.round_id
    expected = 1 if is_new else state.current.request + 1
    assert message.request == expected, f"request {message.request}, not {expected}"
    assert not (is_new and state.second_root), "the shoe ran out a round ago"
    assert message.shares is None or state.cut is None, "a shoe is cut once"


def _cut(message: CardsRequested, state: InUse, plain: bytes) -> tuple[s.ShoeCut, ...]:
    del plain
    if state.cut is not None:
        return ()
    shares = message.shares or ()
    cut = commitment.cut_of(state.shoe, state.root, state.cards, shares)
    return (s.ShoeCut(state.shoe, cut, shares),)


def _burn(
    message: CardsRequested, state: InUse, plain: bytes
) -> tuple[s.CardBurned, ...]:
    """Burn from order 0 only: the discards are dealt without a new burn (C-17)."""
    order = contents.first_order(state.shoe, plain)
    burns = min(message.burn, state.cards - state.out)
    indices = (state.index_of(state.out + number) for number in range(burns))
    return tuple(
        s.CardBurned(state.shoe, message.round_id, index, order.leaf(index))
        for index in indices
    )


def _shuffle_discards(
    message: CardsRequested, state: InUse, plain: bytes
) -> tuple[s.DiscardsShuffled, ...]:
    is_enough = state.out + len(message.places) <= state.cards
    if is_enough or state.second_root:
        return ()
    discards = state.discards(message.round_id)
    assert discards, "the shoe ran out and no earlier round left a card"
    order = contents.second_order(state.shoe, plain, state.shares, discards)
    return (
        s.DiscardsShuffled(
            shoe=state.shoe,
            round_id=message.round_id,
            order=order.number,
            cards=len(order.cards),
            root=order.root,
        ),
    )


def _deal(
    message: CardsRequested, state: InUse, plain: bytes
) -> tuple[s.CardsDealt, ...]:
    """Deal what is left of order 0 first, then from order 1."""
    left = min(state.cards - state.out, len(message.places))
    order = contents.first_order(state.shoe, plain)
    cards = [
        _card(order, place, state.index_of(state.out + number))
        for number, place in enumerate(message.places[:left])
    ]
    if left < len(message.places):
        cards += _deal_second(message, state, plain)
    dealt = s.CardsDealt(
        shoe=state.shoe,
        round_id=message.round_id,
        request=message.request,
        cards=tuple(cards),
        cards_out=state.cards_out + len(cards),
    )
    return (dealt,)


def _deal_second(
    message: CardsRequested, state: InUse, plain: bytes
) -> list[s.DealtCard]:
    places = message.places[max(state.cards - state.out, 0) :]
    discards = state.discards(message.round_id)
    order = contents.second_order(state.shoe, plain, state.shares, discards)
    assert order.root == state.second_root, "the second order is another one"
    enough = state.second_out + len(places) <= len(order.cards)
    assert enough, "the shuffled discards ran out too"
    return [
        _card(order, place, state.second_out + number)
        for number, place in enumerate(places)
    ]


def _card(order: Order, place: str, index: int) -> s.DealtCard:
    if place == HOLE:
        return order.face_down(place, index)
    return order.face_up(place, index)


def _reach_cut_card(
    message: CardsRequested, state: InUse, plain: bytes
) -> tuple[s.CutCardReached, ...]:
    """Call once for a shuffle: at the cut card, or out of cards (C-16, C-17)."""
    del plain
    is_past = 0 < state.cut_card_at <= state.cards_out
    if state.cut_card_reached or not (is_past or state.second_root):
        return ()
    return (s.CutCardReached(state.shoe, message.round_id, state.cards_out),)
