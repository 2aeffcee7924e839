"""Playing shoes that are given: what the kernel makes of cards that are known."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from push22.kernel.compiled import compiled
from push22.kernel.draws import (
    PLACE,
    ROUND_CARDS_MAX,
    STAKED,
    SWITCHES,
    Work,
    new_work,
)
from push22.kernel.game import Game
from push22.kernel.rounds import play_round

Column = npt.NDArray[np.int64]


class Outcomes(NamedTuple):
    """What one round from each shoe came to; amounts in minor units."""

    nets: Column
    staked: Column
    cards_used: Column
    switched: Column


def play_shoe(game: Game, cards: npt.ArrayLike) -> int:
    """Return the net of the round that these ranks deal, 1 to 10 in order."""
    return int(play_shoes(game, np.asarray(cards)[np.newaxis])[0])


def play_shoes(game: Game, shoes: npt.ArrayLike) -> Column:
    """Return the net of one round from each row of ranks."""
    return outcomes(game, shoes).nets


def outcomes(game: Game, shoes: npt.ArrayLike) -> Outcomes:
    """Play one round from each row of ranks.

    Raises ValueError for what is no rank, and where a round needs more cards.
    """
    ranks = np.asarray(shoes)
    is_whole = ranks.ndim == 2 and ranks.dtype.kind in "iu"
    if not is_whole or ranks.min(initial=1) < 1 or ranks.max(initial=1) > 10:
        raise ValueError("shoes are rows of ranks from 1 to 10")
    rows, width = ranks.shape
    # A round that comes to the cards put here after the last one is refused below.
    cards = np.full((rows, max(width, ROUND_CARDS_MAX)), 10, dtype=np.uint8)
    cards[:, :width] = ranks
    found = Outcomes(*np.zeros((4, rows), dtype=np.int64))
    _play_rows(game, new_work(np.zeros_like(cards[0])), cards, found)
    if rows and found.cards_used.max() > width:
        most = found.cards_used.max()
        raise ValueError(f"a round took {most} cards of a shoe of {width}")
    return found


@compiled
def _play_rows(
    game: Game, work: Work, shoes: npt.NDArray[np.uint8], found: Outcomes
) -> None:
    for row in range(len(shoes)):
        for place in range(shoes.shape[1]):
            work.cards[place] = shoes[row, place]
        work.run[PLACE] = 0
        work.counts[SWITCHES] = 0
        found.nets[row] = play_round(game, work)
        found.staked[row] = work.run[STAKED] * game.wager_minor
        found.cards_used[row] = work.run[PLACE]
        found.switched[row] = work.counts[SWITCHES]
