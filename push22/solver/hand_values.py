"""What each play of each hand is worth, exactly, by its very cards.

Values are expected net per unit of the hand's wager. The forest is solved from its
longest hands back, since every card adds to the hard total.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from blackjack.strategy_game import Game
from push22.solver.chances import Chances
from push22.solver.dealer_hands import NATURAL, OUTCOMES
from push22.solver.dealer_odds import Floats, Ints
from push22.solver.forest import BUST, forest

NEVER = -np.inf
"""The worth of a play that there is not."""


class Values(NamedTuple):
    """By row of the forest: what each play is worth; `best` leaves out splits."""

    stand: Floats
    hit: Floats
    double: Floats
    best: Floats


def hand_values(game: Game, found: Chances, *, original: bool = True) -> Values:
    """Value all hands; `original` is false for a hand on added stake alone."""
    trees = forest()
    against_natural = found.dealer[:, NATURAL]
    plain = (_payoffs(game)[trees.total] * found.dealer).sum(axis=1)
    is_two_card_21 = (trees.size == 2) & (trees.total == 21)
    if game.two_card_21_beats_21:
        plain += is_two_card_21 * found.dealer[:, OUTCOMES.index(21)]
    stand = plain - against_natural * _lost(game, original=original, doubled=False)
    if game.two_card_21_pushes_natural:
        stand = np.where(is_two_card_21, plain, stand)
    lost = _lost(game, original=original, doubled=True)
    doubled = 2 * plain - against_natural * lost
    double = np.full(len(stand), NEVER)
    two = np.flatnonzero(trees.size == 2)
    double[two] = _expected(found, two, doubled, bust=-2)
    return _best(found, stand, double)


def _lost(game: Game, *, original: bool, doubled: bool) -> int:
    """Return the wagers that a late natural takes from a hand that isn't bust."""
    if game.late_natural_takes_added:
        return 2 if doubled else 1
    return 1 if original else 0


@cache
def _payoffs(game: Game) -> Floats:
    """Return what a total wins of one unit by the dealer's outcome, naturals apart."""
    payoffs = np.zeros((22, len(OUTCOMES)))
    for total in range(22):
        for column, outcome in enumerate(OUTCOMES):
            if outcome == 22:
                payoffs[total, column] = 0 if game.push_22 else 1
            elif outcome:
                payoffs[total, column] = _compared(total, outcome)
    return payoffs


def _compared(total: int, outcome: int) -> int:
    if outcome > 22:
        return 1
    return (total > outcome) - (total < outcome)


def _best(found: Chances, stand: Floats, double: Floats) -> Values:
    trees = forest()
    best = np.maximum(stand, double)
    hit = np.empty(len(stand))
    for hard in range(21, -1, -1):
        rows = np.flatnonzero(trees.hard == hard)
        hit[rows] = _expected(found, rows, best, bust=-1)
        best[rows] = np.maximum(best[rows], hit[rows])
    return Values(stand, hit, double, best)


def _expected(found: Chances, rows: Ints, worth: Floats, *, bust: int) -> Floats:
    """Return the mean worth of hands with one more card."""
    grown = forest().grown[rows]
    worths = np.where(grown == BUST, bust, worth[grown])
    return np.asarray((found.next_card[rows] * worths).sum(axis=1))
