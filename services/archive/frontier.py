"""An RFC 6962 tree that grows by one leaf after the other and keeps no leaves.

Kept are the roots of its perfect subtrees, one a binary digit of its size.
"""

from hashlib import sha256

from blackjack.commitment import node_of


def leaf_of(entry: bytes) -> bytes:
    return sha256(b"\x00" + entry).digest()


class Frontier:
    """The tree over all entries that were added."""

    __slots__ = ("_subtrees", "size")

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[bytes] = []

    def add(self, entry: bytes) -> None:
        node = leaf_of(entry)
        size = self.size
        while size & 1:
            node = node_of(self._subtrees.pop(), node)
            size >>= 1
        self._subtrees.append(node)
        self.size += 1

    def root(self) -> bytes:
        """Return the root; of no entries it is the hash of nothing, as in the RFC."""
        if not self._subtrees:
            return sha256().digest()
        *rest, root = self._subtrees
        for subtree in reversed(rest):
            root = node_of(subtree, root)
        return root
