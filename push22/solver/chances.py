"""What the player may expect of the next card and of the dealer, in every hand.

After a look the hole card is known not to make a natural. That makes the barred rank
a little likelier for the next card, since it isn't the hole card.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from blackjack.strategy_game import Game
from push22.solver.dealer_hands import NATURAL, dealer_lines
from push22.solver.dealer_odds import Floats, Ints, dealer_odds
from push22.solver.forest import forest

_KEPT = 24
"""Columns of odds that are kept for the next game with the same dealer."""


class Chances(NamedTuple):
    """By row of the forest: the next card's rank, and the dealer's result.

    In multiple action the result is the mean of all circles.
    """

    next_card: Floats
    dealer: Floats


def barred_rank(up: int) -> int:
    """Return the rank that makes the up card a natural, 0 if none does."""
    return {1: 10, 10: 1}.get(up, 0)


def full_shoe(decks: int, up: int) -> Ints:
    """Return the counts of a shoe without the up card."""
    counts = np.array([4] * 9 + [16]) * decks
    counts[up - 1] -= 1
    return counts


def chances(game: Game, up: int) -> Chances:
    shoes = np.maximum(full_shoe(game.decks, up) - forest().gone, 0)
    barred = barred_rank(up) if game.look else 0
    odds = _odds(game.decks, up, 0, hits_soft_17=game.hits_soft_17)
    if not barred:
        return Chances(_next_card(shoes), odds)
    looked = _without_natural(odds)
    if game.circles > 1:
        later = _later_circle(game, up, shoes)
        looked = (looked + (game.circles - 1) * later) / game.circles
    return Chances(_next_card_after_look(shoes, barred), looked)


@lru_cache(maxsize=_KEPT)
def _odds(decks: int, up: int, also_gone: int, *, hits_soft_17: bool) -> Floats:
    shoes = full_shoe(decks, up) - forest().gone
    if also_gone:
        shoes[:, also_gone - 1] -= 1
    lines = dealer_lines(up, hits_soft_17=hits_soft_17)
    return dealer_odds(lines, np.maximum(shoes, 0))


def _without_natural(odds: Floats) -> Floats:
    without = odds / (1 - odds[:, [NATURAL]])
    without[:, NATURAL] = 0
    return without


def _later_circle(game: Game, up: int, shoes: Ints) -> Floats:
    """Return the odds of a circle without look, the first dealer hand having had one.

    The first hole card is gone and not of the barred rank. A shoe's odds are the mean
    of those with the barred rank gone and those with another one gone.
    """
    barred = barred_rank(up)
    odds = _odds(game.decks, up, 0, hits_soft_17=game.hits_soft_17)
    fewer = _odds(game.decks, up, barred, hits_soft_17=game.hits_soft_17)
    chance = (shoes[:, barred - 1] / shoes.sum(axis=1))[:, np.newaxis]
    return np.asarray((odds - chance * fewer) / (1 - chance))


def _next_card(shoes: Ints) -> Floats:
    return np.asarray(shoes / shoes.sum(axis=1, keepdims=True))


def _next_card_after_look(shoes: Ints, barred: int) -> Floats:
    size = shoes.sum(axis=1, keepdims=True)
    kept = shoes[:, [barred - 1]]
    others = shoes * (size - 1 - kept) / ((size - 1) * (size - kept))
    others[:, barred - 1] = (kept / (size - 1))[:, 0]
    return np.asarray(others)
