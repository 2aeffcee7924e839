"""The order of a shoe and its cut, as pure functions of random words.

With unbiased words every order and every cut is equally likely (C-1): a number out
of range is dropped, never folded back (R2). No random number is drawn here; the
words come from outside, or from SHAKE-256 over committed secrets (C-17, H12).
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

CARDS_PER_DECK = 52
WORD_BITS = 32
_BLOCK_BYTES = 64

_Item = TypeVar("_Item")


def below(limit: int, words: Iterator[int]) -> int:
    """Return an unbiased number in 0..limit - 1 out of 32-bit words.

    The lowest bits of a word, just enough to write `limit - 1`, are the candidate;
    a candidate that is not below `limit` is dropped and the next word is taken.
    """
    assert 1 <= limit <= 1 << WORD_BITS, f"no word can be below {limit}"
    mask = (1 << (limit - 1).bit_length()) - 1
    while (candidate := next(words) & mask) >= limit:
        pass
    return candidate


def shuffled(items: Sequence[_Item], words: Iterator[int]) -> tuple[_Item, ...]:
    """Return the items in Fisher-Yates order, last place first."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def shake_words(prefix: bytes, data: bytes) -> Iterator[int]:
    """Stretch `data` into endless 32-bit words.

    Block k = 0, 1, 2 ... is the first 64 bytes of
    SHAKE-256(prefix || k as 4 bytes || data); a word is 4 bytes, big-endian.

    Each block absorbs all of `data` after its own number. One long SHAKE-256 output
    would pass through a state of 1,600 bits, too few to reach every order of a shoe
    (416! needs 3,025: R3).
    """
    for block in count():
        text = prefix + block.to_bytes(4, "big") + data
        digest = hashlib.shake_256(text).digest(_BLOCK_BYTES)
        for start in range(0, _BLOCK_BYTES, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
