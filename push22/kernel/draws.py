"""Cards from a shoe without replacement, by an own generator inside the kernel.

xoshiro256** (Blackman and Vigna, 2018) seeded by SplitMix64. A card is a step of
Fisher-Yates on demand: from whatever order earlier rounds left behind, every next
card is equally likely, so nothing is put back.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from push22.kernel.compiled import compiled

WORDS = 2048
"""Random words of 32 bits made at a time."""

ROUND_CARDS_MAX = 256
"""More than a round can take: eight hands of 21 cards and three dealer rounds."""

# Places of `Work.run`: where the shoe stands, and what the round has come to.
PLACE, BASE, SIZE, UP, HANDS, OPEN, STAKED, FLAGS = range(8)
RUN_SLOTS = 8

HANDS_MAX = 8

# Places of `Work.counts`: the dealer's codes come first.
SWITCHES, NATURALS = 28, 29
COUNTS = 30

_WORD = 0xFFFFFFFF
_5 = np.uint64(5)
_7 = np.uint64(7)
_9 = np.uint64(9)
_17 = np.uint64(17)
_19 = np.uint64(19)
_32 = np.uint64(32)
_45 = np.uint64(45)
_57 = np.uint64(57)
_LOW = np.uint64(_WORD)
_GAMMA = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_MASK = 2**64 - 1


class Work(NamedTuple):
    """What a round writes to, made once.

    `cards` are the shoe's ranks, `words` the random words of its next cards, `state`
    the generator's; `run` is the round in progress, `hands` its finished hands;
    `counts` adds up over all rounds.
    """

    cards: npt.NDArray[np.uint8]
    words: npt.NDArray[np.uint32]
    state: npt.NDArray[np.uint64]
    run: npt.NDArray[np.int64]
    hands: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


def new_work(
    cards: npt.NDArray[np.uint8], state: npt.NDArray[np.uint64] | None = None
) -> Work:
    """Make what a round writes to; without a state the cards come as they lie.

    A word of 1 makes a draw choose the first of the cards left, whatever their number.
    """
    work = Work(
        cards,
        np.ones(WORDS, dtype=np.uint32),
        np.zeros(4, dtype=np.uint64) if state is None else state,
        np.zeros(RUN_SLOTS, dtype=np.int64),
        np.zeros(3 * HANDS_MAX, dtype=np.int64),
        np.zeros(COUNTS, dtype=np.int64),
    )
    work.run[SIZE] = len(cards)
    return work


def seeded_state(seed: int) -> npt.NDArray[np.uint64]:
    """Return a generator's state by SplitMix64, as its authors advise."""
    state = []
    for step in range(1, 5):
        mixed = (seed + step * _GAMMA) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * _MIX_1) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * _MIX_2) & _MASK
        state.append(mixed ^ (mixed >> 31))
    return np.array(state, dtype=np.uint64)


@compiled
def next_word(state: npt.NDArray[np.uint64]) -> np.uint64:
    """Return the generator's next 64 bits."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    product = s1 * _5
    result = ((product << _7) | (product >> _57)) * _9
    s2 ^= s0
    s3 ^= s1
    state[0] = s0 ^ s3
    state[1] = s1 ^ s2
    state[2] = s2 ^ (s1 << _17)
    state[3] = (s3 << _45) | (s3 >> _19)
    return np.uint64(result)


@compiled
def refill(work: Work) -> None:
    """Make new words and begin again at the first."""
    words = work.words
    for place in range(0, WORDS, 2):
        word = next_word(work.state)
        words[place] = np.uint32(word & _LOW)
        words[place + 1] = np.uint32(word >> _32)
    work.run[BASE] = 0


@compiled
def fair(product: int, left: int, state: npt.NDArray[np.uint64]) -> int:
    """Draw again while the product falls into the part that would favour some cards.

    Lemire, "Fast random integer generation in an interval", 2019.
    """
    least = (_WORD + 1) % left
    while (product & _WORD) < least:
        product = int(np.int64(next_word(state) >> _32)) * left
    return product


@compiled
def draw(work: Work) -> int:
    """Take the next card: one of those left, all equally likely."""
    run, cards = work.run, work.cards
    place = run[PLACE]
    run[PLACE] = place + 1
    left = run[SIZE] - place
    product = int(np.int64(work.words[run[BASE] + place])) * left
    if (product & _WORD) < left:
        product = fair(product, left, work.state)
    chosen = place + (product >> 32)
    card = cards[chosen]
    cards[chosen] = cards[place]
    cards[place] = card
    return int(np.int64(card))
