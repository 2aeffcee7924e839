"""The commitment to a shoe's order: salted leaves, an RFC 6962 tree, the cut.

Byte layouts are given so that a stranger can write a verifier from them;
`push22/verify_cards.py` is one. A leaf hides its card until its salt is known.
Below, number(n) is n as 4 bytes, big-endian; field(x) is number(len(x)) || x; text
is UTF-8; A is field("push22-shoe-v1"), S is field(shoe id).
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from blackjack.shuffle import below, shake_words, shuffled

ALGORITHM = "push22-shoe-v1"
SECRET_BYTES = 32
RESERVE_BYTES = 512

Tree = tuple[tuple[bytes, ...], ...]
"""The levels of a hash tree, leaves first, the root alone last."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a shoe: `order` 0, or 1 for the shuffled discards (C-17)."""

    shoe: str
    order: int
    index: int


class Share(Protocol):
    """A box's share in the cut; an empty `seed` was not opened (H12)."""

    @property
    def box(self) -> int: ...
    @property
    def seed_hash(self) -> bytes: ...
    @property
    def seed(self) -> bytes: ...


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _field(value: bytes) -> bytes:
    return _number(len(value)) + value


_A = _field(ALGORITHM.encode())
_SALT = _A + _field(b"salt")
_CUT = _A + _field(b"cut")
_DISCARDS = _A + _field(b"discards")


def _place(slot: Slot) -> bytes:
    shoe = _field(slot.shoe.encode())
    return shoe + _number(slot.order) + _number(slot.index)


def salt_of(secret: bytes, slot: Slot) -> bytes:
    """Return a card's salt, 32 bytes; one salt tells nothing of another.

    HMAC-SHA-256, key: the shoe's secret; text: A || field("salt") || S ||
    number(order) || number(index).
    """
    return hmac.digest(secret, _SALT + _place(slot), "sha256")


def leaf_of(slot: Slot, card: str, salt: bytes) -> bytes:
    """Return a card's leaf.

    SHA-256(0x00 || A || S || number(order) || number(index) ||
    field(card, two characters) || field(salt)).
    """
    entry = _A + _place(slot) + _field(card.encode()) + _field(salt)
    return hashlib.sha256(b"\x00" + entry).digest()


def node_of(left: bytes, right: bytes) -> bytes:
    """Return the inner node over two: SHA-256(0x01 || left || right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_of(leaves: Sequence[bytes]) -> Tree:
    """Build the RFC 6962 tree: an inner node is SHA-256(0x01 || left || right).

    A level's odd last node moves up as it is, which is the RFC's split at the
    largest power of two.
    """
    assert leaves, "a tree has at least one leaf"
    levels = [tuple(leaves)]
    while len(levels[-1]) > 1:
        below_it = levels[-1]
        pairs = zip(below_it[::2], below_it[1::2], strict=False)
        above = [node_of(left, right) for left, right in pairs]
        odd = below_it[-1:] if len(below_it) % 2 else ()
        levels.append((*above, *odd))
    return tuple(levels)


def root_of(tree: Tree) -> bytes:
    return tree[-1][0]


def proof_of(tree: Tree, index: int) -> tuple[bytes, ...]:
    """Return the inclusion proof: the sibling hashes from leaf to root."""
    assert 0 <= index < len(tree[0]), f"no leaf {index} among {len(tree[0])}"
    proof = []
    for level in tree[:-1]:
        sibling = index ^ 1
        if sibling < len(level):
            proof.append(level[sibling])
        index >>= 1
    return tuple(proof)


def is_included(
    leaf: bytes, at: tuple[int, int], proof: Sequence[bytes], root: bytes
) -> bool:
    """Say whether `leaf` is number `at[0]` of the `at[1]` leaves under `root`.

    The steps are those of RFC 9162, 2.1.3.2; of a wrong length, no proof holds.
    """
    index, size = at
    if not 0 <= index < size:
        return False
    last, node = size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if index % 2 or index == last:
            node = node_of(sibling, node)
            while index % 2 == 0 and index:
                index, last = index >> 1, last >> 1
        else:
            node = node_of(node, sibling)
        index, last = index >> 1, last >> 1
    return last == 0 and node == root


def reserve_hash_of(reserve: bytes) -> bytes:
    """Return the published hash of the reserve secret: SHA-256(reserve)."""
    return hashlib.sha256(reserve).digest()


def _shares_text(shares: Sequence[Share]) -> bytes:
    """Encode the shares in box order.

    Per share: number(box) || 0x01 || field(seed) where the seed was opened,
    number(box) || 0x00 || field(seed hash) where it was not.
    """
    boxes = [share.box for share in shares]
    assert boxes == sorted(set(boxes)), f"not one share a box, in order: {boxes}"
    return b"".join(
        _number(share.box)
        + (
            b"\x01" + _field(share.seed)
            if share.seed
            else b"\x00" + _field(share.seed_hash)
        )
        for share in shares
    )


def cut_of(shoe: str, root: bytes, cards: int, shares: Sequence[Share]) -> int:
    """Return the index at which dealing begins; the middle where nobody shares.

    `shuffle.below(cards)` on the words of prefix A || field("cut") and data
    S || field(root) || the shares.
    """
    if not shares:
        return cards // 2
    data = _field(shoe.encode()) + _field(root) + _shares_text(shares)
    return below(cards, shake_words(_CUT, data))


def reshuffled(
    shoe: str, reserve: bytes, shares: Sequence[Share], discards: Sequence[_Item]
) -> tuple[_Item, ...]:
    """Return the second order: the discards, given in index order, shuffled (C-17).

    `shuffle.shuffled` on the words of prefix A || field("discards") and data
    S || field(reserve) || the cut's shares.
    """
    data = _field(shoe.encode()) + _field(reserve) + _shares_text(shares)
    return shuffled(discards, shake_words(_DISCARDS, data))
