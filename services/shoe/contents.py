"""What lies sealed in a shoe, and the hash tree over each of its orders.

The sealed text is one byte per card (its code 0..51, in order), then the salts'
secret (32 bytes), then the reserve for a second order (512 bytes). Plain contents
live only in a decision's memory: no state, event or `repr` ever holds them.
"""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from blackjack import commitment
from blackjack.cards import FULL_DECK
from blackjack.commitment import RESERVE_BYTES, SECRET_BYTES, Slot
from blackjack.shuffle import CARDS_PER_DECK
from contracts.shoe import DealtCard, SeedShare

_SHOES_REMEMBERED = 1024
"""So many in use at once; 60 kB each. One built again costs a millisecond."""

_ORDERS_OF_A_SHOE = 2
"""The first, and the one that its last round shuffled again."""


@dataclass(frozen=True, slots=True, repr=False)
class Contents:
    codes: bytes
    secret: bytes
    reserve: bytes

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(FULL_DECK[code] for code in self.codes)


def pack(shuffled: bytes, secret: bytes, reserve: bytes) -> bytes:
    """Lay out a sealed text; `shuffled` is physical cards, two bytes each."""
    assert len(secret) == SECRET_BYTES, "the secret has another length"
    assert len(reserve) == RESERVE_BYTES, "the reserve has another length"
    physical = [
        int.from_bytes(shuffled[at : at + 2], "big")
        for at in range(0, len(shuffled), 2)
    ]
    assert sorted(physical) == list(range(len(physical))), "not an order of all cards"
    codes = bytes(card % CARDS_PER_DECK for card in physical)
    return codes + secret + reserve


def unpack(plain: bytes) -> Contents:
    secret_at = len(plain) - SECRET_BYTES - RESERVE_BYTES
    reserve_at = len(plain) - RESERVE_BYTES
    assert secret_at > 0, "too short for a shoe's contents"
    return Contents(plain[:secret_at], plain[secret_at:reserve_at], plain[reserve_at:])


@dataclass(frozen=True, slots=True, repr=False)
class Order:
    """One order of a shoe's cards, with its tree: what a card is dealt from."""

    shoe: str
    number: int
    cards: tuple[str, ...]
    secret: bytes
    tree: commitment.Tree

    @property
    def root(self) -> bytes:
        return commitment.root_of(self.tree)

    def leaf(self, index: int) -> bytes:
        return self.tree[0][index]

    def face_up(self, place: str, index: int) -> DealtCard:
        return DealtCard(
            place=place,
            index=index,
            leaf=self.tree[0][index],
            card=self.cards[index],
            salt=commitment.salt_of(self.secret, Slot(self.shoe, self.number, index)),
            proof=commitment.proof_of(self.tree, index),
            order=self.number,
        )

    def face_down(self, place: str, index: int) -> DealtCard:
        return DealtCard(place, index, self.tree[0][index], order=self.number)


def _order(shoe: str, number: int, cards: tuple[str, ...], secret: bytes) -> Order:
    leaves = []
    for index, card in enumerate(cards):
        slot = Slot(shoe, number, index)
        salt = commitment.salt_of(secret, slot)
        leaves.append(commitment.leaf_of(slot, card, salt))
    return Order(shoe, number, cards, secret, commitment.tree_of(leaves))


class Orders:
    """Remembers what pure functions gave: the same contents always give the same tree.

    Building it for every card dealt would cost a hundred times the rest of the
    decision. A shoe out of use is forgotten at once; were one asked for after that,
    or too many in use, it is built again. Rounds are executed again in threads, so
    another may have forgotten it at any moment: no step here minds.
    """

    def __init__(self, shoes_max: int) -> None:
        self._shoes_max = shoes_max
        self._of: OrderedDict[str, dict[tuple[object, ...], Order]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._of)

    def get(
        self, shoe: str, given: tuple[object, ...], build: Callable[[], Order]
    ) -> Order:
        """Return the order that is built of what is given."""
        orders = self._of.setdefault(shoe, {})
        with suppress(KeyError):
            self._of.move_to_end(shoe)
        if len(self._of) > self._shoes_max:
            self._of.popitem(last=False)
        found = orders.get(given)
        if found is None:
            found = orders[given] = build()
            for old in list(orders)[:-_ORDERS_OF_A_SHOE]:
                orders.pop(old, None)
        return found

    def forget(self, shoe: str) -> None:
        """Keep nothing of a shoe that is out of use."""
        self._of.pop(shoe, None)


ORDERS = Orders(_SHOES_REMEMBERED)


def first_order(shoe: str, plain: bytes) -> Order:
    def build() -> Order:
        contents = unpack(plain)
        return _order(shoe, 0, contents.cards, contents.secret)

    return ORDERS.get(shoe, (plain,), build)


def second_order(
    shoe: str,
    plain: bytes,
    shares: tuple[SeedShare, ...],
    discards: tuple[int, ...],
) -> Order:
    """Return the shuffled discards; `discards` are their indices, ascending (C-17)."""

    def build() -> Order:
        contents = unpack(plain)
        cards = contents.cards
        again = commitment.reshuffled(shoe, contents.reserve, shares, discards)
        chosen = tuple(cards[index] for index in again)
        return _order(shoe, 1, chosen, contents.secret)

    return ORDERS.get(shoe, (plain, shares, discards), build)
