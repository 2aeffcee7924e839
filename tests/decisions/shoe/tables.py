"""Fixed shoes of table t1: their cards, secrets and seeds, and the requests.

The order is the cards as they lie in a new pack, so that a test can say which card
is next; the seal is real AES-GCM under a fixed key and nonce.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from blackjack.cards import CODES
from contracts import round_events as e
from contracts import table_events as te
from contracts.shoe import CardsDealt, SeedShare
from services.shoe import SERVICE
from tests.spec import Given, Outcome, given

SHOE = "shoe-t1-3"
ROUND = "round-t1-7"
NEXT_ROUND = "round-t1-8"
SECRET = bytes(range(32))
RESERVE = b"".join(hashlib.sha512(bytes([n])).digest() for n in range(8))
KEY = hashlib.sha256(b"a key for tests").digest()
KEY_ID = "key-1"

SEED = b"alice's seed of 32 bytes, longer"
ALICES_SHARE = SeedShare(1, hashlib.sha256(SEED).digest(), SEED)
BOBS_SHARE = SeedShare(4, hashlib.sha256(b"bob keeps his shut").digest())


def seal(plain: bytes, about: str) -> bytes:
    return AESGCM(KEY).encrypt(bytes(12), plain, about.encode())


def unseal(sealed: bytes, about: str) -> bytes:
    return AESGCM(KEY).decrypt(bytes(12), sealed, about.encode())


def as_shuffled(order: Iterable[int]) -> bytes:
    """Cards' codes as the ambient shuffle returns them, two bytes each."""
    return b"".join(card.to_bytes(2, "big") for card in order)


def in_pack_order(decks: int) -> bytes:
    return as_shuffled(range(52 * decks))


def first_up(*cards: str) -> bytes:
    """One deck whose first dealt cards, from the middle on, are these."""
    codes = [CODES[card] for card in cards]
    rest = [code for code in range(52) if code not in codes]
    return as_shuffled([*rest[:26], *codes, *rest[26:]])


FRESH = {"order": in_pack_order(1), "secret": SECRET, "reserve": RESERVE}


def shoe_requested(
    decks: int = 1, cut_card_at: int = 0, shoe: str = SHOE
) -> te.ShoeRequested:
    return te.ShoeRequested("t1", shoe, decks, cut_card_at)


def shoe_discarded() -> te.ShoeDiscarded:
    return te.ShoeDiscarded("t1", SHOE)


def cards_requested(
    *places: str,
    request: int = 1,
    round_id: str = ROUND,
    burn: int = 0,
    shares: tuple[SeedShare, ...] | None = None,
    shoe: str = SHOE,
) -> e.CardsRequested:
    return e.CardsRequested(round_id, shoe, request, places, burn, shares)


def look_requested(
    index: int, up_card: str, *, order: int = 0, round_id: str = ROUND
) -> e.HoleLookRequested:
    return e.HoleLookRequested(round_id, SHOE, index, order, up_card)


def reveal_requested(
    index: int, *, order: int = 0, round_id: str = ROUND
) -> e.HoleRevealRequested:
    return e.HoleRevealRequested(round_id, SHOE, index, order)


def burned_requested(round_id: str = ROUND) -> e.BurnedCardRequested:
    return e.BurnedCardRequested(round_id, SHOE, "local.alice")


class Shoe:
    """A shoe that is driven by messages, as the runtime would drive it."""

    def __init__(self, stream: str = SHOE) -> None:
        self.given: Given = given(SERVICE, stream)

    @property
    def state(self) -> Any:
        return self.given.state()

    @property
    def history(self) -> tuple[Any, ...]:
        return self.given.history

    def send(
        self, message: Any, fresh: dict[str, bytes] | None = None
    ) -> tuple[Any, ...]:
        """Decide a message with the ambient values it needs; return its events."""
        events = self.outcome(message, fresh).decided()
        assert isinstance(events, tuple), f"rejected: {events}"
        self.given = self.given.and_then(*events)
        return events

    def outcome(self, message: Any, fresh: dict[str, bytes] | None = None) -> Outcome:
        ambient = {}
        for need in self.given.decider.needs(message, self.state):
            if need.kind == "unseal":
                ambient[need.name] = unseal(need.sealed, need.about)
            else:
                ambient[need.name] = (fresh or FRESH)[need.name]
        return self.given.on(message, ambient=ambient, key_id=KEY_ID, seal=seal)


def new_shoe(decks: int = 1, cut_card_at: int = 0, order: bytes | None = None) -> Shoe:
    """A committed shoe, not yet cut; in pack order unless another is given."""
    shoe = Shoe()
    fresh = FRESH | {"order": order or in_pack_order(decks)}
    shoe.send(shoe_requested(decks, cut_card_at), fresh)
    return shoe


def cards_of(events: Iterable[Any]) -> list[str]:
    """The cards that these events dealt, `??` for a hidden one."""
    dealt = (event for event in events if isinstance(event, CardsDealt))
    return [card.card or "??" for event in dealt for card in event.cards]


def indices_of(events: Iterable[Any]) -> list[tuple[int, int]]:
    """The (order, index) of the cards that these events dealt."""
    dealt = (event for event in events if isinstance(event, CardsDealt))
    return [(card.order, card.index) for event in dealt for card in event.cards]


def names_of(events: Iterable[Any]) -> list[str]:
    return [type(event).__name__ for event in events]
