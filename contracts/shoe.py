"""The shoe's events. A card is in them only when it may be known (law 5).

Hashes, salts and proofs are bytes (base64 on the wire). An inclusion proof is the
list of sibling hashes from leaf to root of an RFC 6962 tree.
"""

from contracts.base import Event, Value


class DealtCard(Value, frozen=True):
    """A card that left the shoe: `card` and `salt` are absent while it lies face down.

    `order` counts the shuffles of one shoe: 0, and 1 after C-17. `index` is the
    position in that order, before the cut. `leaf` stands in for an unseen card.
    """

    place: str
    index: int
    leaf: bytes
    card: str = ""
    salt: bytes = b""
    proof: tuple[bytes, ...] = ()
    order: int = 0


class SeedShare(Value, frozen=True):
    """A box's share in the cut: the opened seed, or its hash where it stayed shut."""

    box: int
    seed_hash: bytes
    seed: bytes = b""


class ShoeCommitted(Event, frozen=True, tag="shoe.shoe_committed.v1"):
    """A shuffled order is fixed and sealed, before any wager (H12).

    `sealed` holds order and secret, AES-GCM under key `key_id`. `demonstration`
    marks an order that came from a seed and must never be played for money.
    """

    shoe: str
    table: str
    decks: int
    cut_card_at: int
    """The number of the card at which the cut card lies; 0: none (C-16)."""
    algorithm: str
    root: bytes
    reserve_hash: bytes
    sealed: bytes
    key_id: str
    demonstration: bool = False


class ShoeCut(Event, frozen=True, tag="shoe.shoe_cut.v1"):
    """Dealing begins at index `cut` of the order and runs around."""

    shoe: str
    cut: int
    shares: tuple[SeedShare, ...] = ()


class CardBurned(Event, frozen=True, tag="shoe.card_burned.v1"):
    """A card left the shoe unseen and takes part in no hand (C-15)."""

    shoe: str
    round_id: str
    index: int
    leaf: bytes
    order: int = 0


class BurnedCardShown(Event, frozen=True, tag="shoe.burned_card_shown.v1"):
    """A player asked to see the burned card (NY-5)."""

    shoe: str
    round_id: str
    card: DealtCard


class CardsDealt(Event, frozen=True, tag="shoe.cards_dealt.v1"):
    """The answer to `table.cards_requested.v1`, in the order that was asked."""

    shoe: str
    round_id: str
    request: int
    cards: tuple[DealtCard, ...]
    cards_out: int
    """How many cards have left the shoe since the shuffle, burned ones counted."""


class CutCardReached(Event, frozen=True, tag="shoe.cut_card_reached.v1"):
    shoe: str
    round_id: str
    cards_out: int


class DiscardsShuffled(Event, frozen=True, tag="shoe.discards_shuffled.v1"):
    """The shoe ran out in mid-round: a second order, committed before use (C-17)."""

    shoe: str
    round_id: str
    order: int
    cards: int
    root: bytes


class HoleLooked(Event, frozen=True, tag="shoe.hole_looked.v1"):
    """One fact only: natural or not (C-14, C-26)."""

    shoe: str
    round_id: str
    index: int
    natural: bool
    order: int = 0


class HoleRevealed(Event, frozen=True, tag="shoe.hole_revealed.v1"):
    shoe: str
    round_id: str
    card: DealtCard


class ShoeRetired(Event, frozen=True, tag="shoe.shoe_retired.v1"):
    """Everything is revealed: anyone can rebuild root, cut and every card."""

    shoe: str
    order: str
    """The cards in their order, two characters each, without spaces."""
    secret: bytes
    reserve: bytes
