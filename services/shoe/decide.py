"""What the shoe answers: cards, one fact about the hole card, and in the end all.

A request that has been answered is quiet. One that cannot come from a sound table
stops the stream (law 8); no card is shown to find out what was meant.
"""

from collections.abc import Iterator

from blackjack import commitment
from blackjack.hands import is_natural
from blackjack.shuffle import CARDS_PER_DECK
from contracts import shoe as s
from contracts.round_events import (
    BurnedCardRequested,
    CardsRequested,
    HoleLookRequested,
    HoleRevealRequested,
)
from contracts.table_events import ShoeDiscarded, ShoeRequested
from runtime.service import AmbientRequest, Context, Decided
from services.shoe import contents
from services.shoe.contents import Order
from services.shoe.dealing import deal
from services.shoe.state import Awaited, Hole, InUse, Retired, ShoeState, is_earlier

RoundRequest = (
    CardsRequested | HoleLookRequested | HoleRevealRequested | BurnedCardRequested
)
Message = ShoeRequested | ShoeDiscarded | RoundRequest


def needs(message: Message, state: ShoeState) -> tuple[AmbientRequest, ...]:
    """Ask for a fresh order, or for the sealed one; for nothing on a repeat.

    The order comes from the operating system's generator, whole (R3, R4), and is
    recorded sealed, so that it is never drawn again (R7).
    """
    if is_answered(message, state):
        return ()
    if isinstance(message, ShoeRequested):
        cards = message.decks * CARDS_PER_DECK
        about = message.shoe
        return (
            AmbientRequest("shuffle", "order", cards, about=about),
            AmbientRequest("random", "secret", commitment.SECRET_BYTES, about=about),
            AmbientRequest("random", "reserve", commitment.RESERVE_BYTES, about=about),
        )
    if not isinstance(state, InUse):
        return ()
    return (
        AmbientRequest(
            "unseal",
            "contents",
            sealed=state.sealed,
            key_id=state.key_id,
            about=state.shoe,
        ),
    )


def decide(message: Message, state: ShoeState, context: Context) -> Decided:
    if is_answered(message, state):
        return ()
    if isinstance(message, ShoeRequested):
        return (_commit(message, context),)
    assert isinstance(state, InUse), f"asked of a shoe that is not in use: {message}"
    plain = context.ambient["contents"]
    first = contents.first_order(state.shoe, plain)
    assert first.root == state.root, "the sealed contents are not the committed ones"
    match message:
        case CardsRequested():
            return deal(message, state, plain)
        case HoleLookRequested():
            return (_look(message, state, plain),)
        case HoleRevealRequested():
            return (_reveal(message, state, plain),)
        case BurnedCardRequested():
            return (_show_burned(message, state, first),)
        case ShoeDiscarded():
            contents.ORDERS.forget(state.shoe)
            return (_retire(state, plain),)


def is_answered(message: Message, state: ShoeState) -> bool:
    """Say whether the message is a repeat of one that was answered."""
    match state:
        case Awaited():
            return False
        case InUse():
            return _is_answered_in_use(message, state)
        case Retired():
            return _is_answered_by_retired(message, state)


def _is_answered_by_retired(message: Message, state: Retired) -> bool:
    if isinstance(message, ShoeRequested | ShoeDiscarded):
        return True
    if message.round_id != state.round_id:
        return is_earlier(message.round_id, state.round_id)
    if isinstance(message, CardsRequested):
        return message.request <= state.request
    return True


def _is_answered_in_use(message: Message, state: InUse) -> bool:
    if isinstance(message, ShoeRequested):
        return True
    if isinstance(message, ShoeDiscarded):
        return False
    current = state.current
    if is_earlier(message.round_id, current.round_id):
        return True
    if message.round_id != current.round_id:
        return False
    match message:
        case CardsRequested():
            return message.request <= current.request
        case HoleLookRequested():
            return any(hole.looked for hole in _holes(message, state))
        case HoleRevealRequested():
            return any(hole.revealed for hole in _holes(message, state))
        case BurnedCardRequested():
            return current.burned_shown


def _holes(
    message: HoleLookRequested | HoleRevealRequested, state: InUse
) -> Iterator[Hole]:
    at = (message.index, message.order)
    return (hole for hole in state.current.holes if (hole.index, hole.order) == at)


def _commit(message: ShoeRequested, context: Context) -> s.ShoeCommitted:
    order, secret, reserve = (
        context.ambient[name] for name in ("order", "secret", "reserve")
    )
    assert len(order) == 2 * message.decks * CARDS_PER_DECK, "not all cards"
    plain = contents.pack(order, secret, reserve)
    assert context.key_id, "an order is never recorded unsealed"
    sealed = context.seal(plain, message.shoe)
    assert plain not in sealed, "an order is never recorded unsealed"
    return s.ShoeCommitted(
        shoe=message.shoe,
        table=message.table,
        decks=message.decks,
        cut_card_at=message.cut_card_at,
        algorithm=commitment.ALGORITHM,
        root=contents.first_order(message.shoe, plain).root,
        reserve_hash=commitment.reserve_hash_of(reserve),
        sealed=sealed,
        key_id=context.key_id,
        demonstration=context.demonstration,
    )


def _order_of(
    message: HoleLookRequested | HoleRevealRequested, state: InUse, plain: bytes
) -> Order:
    """Return the order that the hole card lies in, if one lies there unseen."""
    assert message.round_id == state.current.round_id, "a round that is not dealt"
    assert any(_holes(message, state)), "no card lies face down there"
    if message.order == 0:
        return contents.first_order(state.shoe, plain)
    discards = state.discards(message.round_id)
    return contents.second_order(state.shoe, plain, state.shares, discards)


def _look(message: HoleLookRequested, state: InUse, plain: bytes) -> s.HoleLooked:
    """Say natural or not, and nothing else (C-14).

    The up card must lie open before the dealer: asked with a made-up one, the answer
    would tell more of the hole card than the look may.
    """
    assert message.up_card in state.current.dealer, "not the dealer's up card"
    hole = _order_of(message, state, plain).cards[message.index]
    return s.HoleLooked(
        shoe=state.shoe,
        round_id=message.round_id,
        index=message.index,
        natural=is_natural((message.up_card, hole)),
        order=message.order,
    )


def _reveal(message: HoleRevealRequested, state: InUse, plain: bytes) -> s.HoleRevealed:
    card = _order_of(message, state, plain).face_up("hole", message.index)
    return s.HoleRevealed(state.shoe, message.round_id, card)


def _show_burned(
    message: BurnedCardRequested, state: InUse, order: Order
) -> s.BurnedCardShown:
    """Show the card that was burned last (NY-5)."""
    assert message.round_id == state.current.round_id, "a round that is not dealt"
    assert state.burned, "no card was burned"
    card = order.face_up("burned", state.burned[-1])
    return s.BurnedCardShown(state.shoe, message.round_id, card)


def _retire(state: InUse, plain: bytes) -> s.ShoeRetired:
    found = contents.unpack(plain)
    return s.ShoeRetired(
        shoe=state.shoe,
        order="".join(found.cards),
        secret=found.secret,
        reserve=found.reserve,
    )
