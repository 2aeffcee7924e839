"""A game as the kernel plays it: numbers and tables, no names.

Cards are ranks of 1 to 10, ace 1 and every ten-value 10. A finished hand is a code: its
total, or one of those below; 0 is a bust.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(5)

BUST = 0
TWO_CARD_21 = 22
NATURAL = 23
SURRENDERED = 24
EVEN_MONEY = 25
CODES = 32

DEALER_NATURAL = 27
"""A dealer's code: the total of the cards, up to 26, or this."""

START, SPLIT_MORE, SPLIT_LAST = range(3)
"""What a hand of two cards is: a starting hand, or split and with or without room."""

UPS = 11
PAIRS = 11 * UPS
TWOS = 11 * PAIRS
HARDS = 32


class Rules(NamedTuple):
    """The rule set's parameters; a yes or no is 1 or 0."""

    decks: int
    hands_per_box: int
    circles: int
    up_comes_last: int
    has_hole_card: int
    looks: int
    takes_even_money: int
    may_switch: int
    switch_makes_naturals: int
    naturals_paid_in_turn: int
    hands_max: int
    ace_hands_max: int
    surrender_waits: int
    takes_second_card_always: int
    natural_takes_added: int
    natural_settles_all: int


class Tables(NamedTuple):
    """Everything that can be looked up, flat.

    `letters`: the play of two cards by what the hand is, both cards and the up card.
    `hits`: one more card, by soft or hard and hard total, and the up card. `draws`: the
    same for the dealer. `worth`: of two cards by both and the up card, as a natural
    counts 21 and as it is one. `pays`: net on a unit by dealer's and hand's code.
    """

    letters: npt.NDArray[np.uint8]
    hits: npt.NDArray[np.uint8]
    draws: npt.NDArray[np.uint8]
    worth: npt.NDArray[np.float64]
    pays: npt.NDArray[np.int64]


class Game(NamedTuple):
    """What `compile_game` makes. `wager_minor` lies on each hand or circle."""

    rules: Rules
    tables: Tables
    wager_minor: int
