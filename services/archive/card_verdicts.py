"""Each card of a round by itself: does its proof lead to the committed root?"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from blackjack import commitment
from blackjack.commitment import Slot
from blackjack.shuffle import CARDS_PER_DECK
from contracts import shoe as s


class CardVerdict(msgspec.Struct, frozen=True):
    """A card, where it went, and what its proof says."""

    place: str
    index: int
    order: int
    card: str
    verdict: Literal["proved", "refuted", "face down", "burned"]
    text: str


def card_verdicts(
    committed: s.ShoeCommitted, events: Iterable[Any]
) -> tuple[CardVerdict, ...]:
    """Judge the cards of one round's events of the shoe, as they left it.

    A card that was turned over later stands once, as it was then.
    """
    roots = {0: (committed.root, committed.decks * CARDS_PER_DECK)}
    found: dict[tuple[int, int], CardVerdict] = {}
    for event in events:
        if isinstance(event, s.DiscardsShuffled):
            roots[event.order] = (event.root, event.cards)
        for place, card in _cards_in(event):
            item = _judged(committed.shoe, roots, (place, card))
            before = found.get((card.order, card.index))
            if before is not None and before.place != "burned":
                item = msgspec.structs.replace(item, place=before.place)
            found[card.order, card.index] = item
    return tuple(found.values())


def _cards_in(event: Any) -> Iterator[tuple[str, s.DealtCard]]:
    match event:
        case s.CardsDealt():
            yield from ((card.place, card) for card in event.cards)
        case s.HoleRevealed() | s.BurnedCardShown():
            yield event.card.place, event.card
        case s.CardBurned():
            yield (
                "burned",
                s.DealtCard("burned", event.index, event.leaf, order=event.order),
            )


def _judged(
    shoe: str, roots: dict[int, tuple[bytes, int]], placed: tuple[str, s.DealtCard]
) -> CardVerdict:
    place, card = placed
    at = (place, card.index, card.order, card.card)
    if not card.card:
        if place == "burned":
            return CardVerdict(*at, "burned", "left the shoe unseen")
        return CardVerdict(*at, "face down", "only its sealed leaf is known")
    if card.order not in roots:
        return CardVerdict(*at, "refuted", "its order was never committed")
    root, cards = roots[card.order]
    slot = Slot(shoe, card.order, card.index)
    if commitment.leaf_of(slot, card.card, card.salt) != card.leaf:
        return CardVerdict(*at, "refuted", "its leaf is another card's")
    if not commitment.is_included(card.leaf, (card.index, cards), card.proof, root):
        return CardVerdict(*at, "refuted", "its proof does not lead to the root")
    return CardVerdict(*at, "proved", "its salted leaf leads to the committed root")
