"""What is known of a shoe in use: how far it is dealt, never what is in it.

Cards leave order 0 from `cut` on and around, so a count says which indices are out.
"""

from typing import Any

import msgspec

from blackjack.shuffle import CARDS_PER_DECK
from contracts.identities import number_of_round
from contracts.shoe import SeedShare


class Hole(msgspec.Struct, frozen=True):
    """A card that was dealt face down in the current round."""

    index: int
    order: int
    looked: bool = False
    revealed: bool = False


class Current(msgspec.Struct, frozen=True):
    """The round that is being dealt. `first`: cards out of order 0 before it."""

    round_id: str = ""
    first: int = 0
    request: int = 0
    holes: tuple[Hole, ...] = ()
    dealer: tuple[str, ...] = ()
    """The dealer's open cards."""
    burned_shown: bool = False
    """The last burned card has been shown in this round."""


class Awaited(msgspec.Struct, frozen=True, tag="awaited"):
    """No order has been committed yet."""

    shoe: str


class InUse(msgspec.Struct, frozen=True, tag="in_use"):
    shoe: str
    decks: int
    cut_card_at: int
    root: bytes
    sealed: bytes
    key_id: str
    cut: int | None = None
    shares: tuple[SeedShare, ...] = ()
    out: int = 0
    """How many cards have left order 0, burned ones counted."""
    second_out: int = 0
    second_root: bytes = b""
    """Empty until the discards are shuffled (C-17)."""
    burned: tuple[int, ...] = ()
    """Indices, in the order of burning; only order 0 is burned from."""
    cut_card_reached: bool = False
    current: Current = Current()

    @property
    def cards(self) -> int:
        return self.decks * CARDS_PER_DECK

    @property
    def cards_out(self) -> int:
        return self.out + self.second_out

    def index_of(self, position: int) -> int:
        """Return the index of the card that leaves order 0 after `position` others."""
        assert self.cut is not None, "nothing leaves a shoe that is not cut"
        return (self.cut + position) % self.cards

    def current_of(self, round_id: str) -> Current:
        """Return that round, new if nothing has been dealt to it yet."""
        if self.current.round_id == round_id:
            return self.current
        return Current(round_id, first=self.out)

    def discards(self, round_id: str) -> tuple[int, ...]:
        """Return the indices of the cards that earlier rounds used, ascending.

        Burned cards took part in no hand and are not among them (C-15, C-17).
        """
        earlier = range(self.current_of(round_id).first)
        used = {self.index_of(position) for position in earlier}
        return tuple(sorted(used.difference(self.burned)))


class Retired(msgspec.Struct, frozen=True, tag="retired"):
    """Everything is revealed; the last round and request tell a repeat from a bug."""

    shoe: str
    round_id: str
    request: int


ShoeState = Awaited | InUse | Retired
SNAPSHOT: Any = ShoeState


def is_earlier(round_id: str, than: str) -> bool:
    """Say whether a round came before another one of the same table.

    `than` is empty while no round has been dealt from the shoe.
    """
    return than != "" and number_of_round(round_id) < number_of_round(than)
