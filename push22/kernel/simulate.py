"""Playing many rounds, each from a full shoe of its own."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from push22.kernel.compiled import compiled
from push22.kernel.draws import (
    BASE,
    NATURALS,
    PLACE,
    ROUND_CARDS_MAX,
    STAKED,
    SWITCHES,
    WORDS,
    Work,
    new_work,
    refill,
    seeded_state,
)
from push22.kernel.game import DEALER_NATURAL, Game
from push22.kernel.rounds import play_round

DECK = np.array([min(rank, 10) for rank in range(1, 14)] * 4, dtype=np.uint8)

# Columns of a batch's sums.
ROUNDS, NET, NET_SQUARED, STAKE = range(4)


class Batch(NamedTuple):
    rounds: int
    net_minor: int
    net_squared: int


class Sample(NamedTuple):
    """What a number of rounds came to, in minor units.

    `initial_minor` are the wagers of the starting hands or circles, `staked_minor` all
    stakes; `net_squared` sums the squares of the rounds' nets. `naturals` are the
    player's, as the cards finally lay. `dealer_totals` counts dealer rounds by total,
    22 to 26 as they fall; `dealer_naturals` those with a natural, and
    `dealer_not_played` those in which the dealer's total did not matter.
    """

    rounds: int
    initial_minor: int
    staked_minor: int
    net_minor: int
    net_squared: int
    switches: int
    naturals: int
    dealer_totals: dict[int, int]
    dealer_naturals: int
    dealer_not_played: int
    batches: tuple[Batch, ...]


def simulate(game: Game, *, rounds: int, seed: int, batches: int = 100) -> Sample:
    """Play rounds, each from a full shoe; equal arguments, equal sample."""
    if not 1 <= batches <= rounds:
        raise ValueError(f"{rounds} rounds can't be {batches} batches")
    work = new_work(np.tile(DECK, game.rules.decks), seeded_state(seed))
    work.run[BASE] = WORDS
    sums = np.zeros((batches, 4), dtype=np.int64)
    sums[:, ROUNDS] = np.diff(np.arange(batches + 1) * rounds // batches)
    play_batches(game, work, sums)
    return _sample(game, sums, work.counts)


@compiled
def play_batches(game: Game, work: Work, sums: npt.NDArray[np.int64]) -> None:
    run = work.run
    for batch in range(len(sums)):
        net = 0
        squared = 0
        staked = 0
        for _ in range(sums[batch, ROUNDS]):
            if run[BASE] > WORDS - ROUND_CARDS_MAX:
                refill(work)
            run[PLACE] = 0
            won = play_round(game, work)
            run[BASE] += run[PLACE]
            net += won
            squared += won * won
            staked += run[STAKED]
        sums[batch, NET] = net
        sums[batch, NET_SQUARED] = squared
        sums[batch, STAKE] = staked * game.wager_minor


def _sample(
    game: Game, sums: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
) -> Sample:
    rules = game.rules
    rounds, net, squared, staked = (int(column.sum()) for column in sums.T)
    return Sample(
        rounds,
        rounds * game.wager_minor * rules.hands_per_box * rules.circles,
        staked,
        net,
        squared,
        int(counts[SWITCHES]),
        int(counts[NATURALS]),
        {total: int(counts[total]) for total in range(17, DEALER_NATURAL)},
        int(counts[DEALER_NATURAL]),
        int(counts[0]),
        tuple(Batch(*map(int, row[:3])) for row in sums),
    )
