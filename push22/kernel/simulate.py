"""Playing many rounds: from random shoes, or from shoes that are given."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from push22.kernel.compiled import compiled
from push22.kernel.draws import (
    BASE,
    COUNTS,
    NATURALS,
    PLACE,
    ROUND_CARDS_MAX,
    RUN_SLOTS,
    SIZE,
    STAKED,
    SWITCHES,
    WORDS,
    Work,
    refill,
    seeded_state,
)
from push22.kernel.game import DEALER_NATURAL, Game
from push22.kernel.rounds import play_round

HANDS_MAX = 8
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


def play_shoe(game: Game, cards: npt.ArrayLike) -> int:
    """Return the net of the round that these ranks deal, 1 to 10 in order."""
    return int(play_shoes(game, np.asarray(cards)[np.newaxis])[0])


def play_shoes(game: Game, shoes: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the net of one round from each row of ranks.

    Raises ValueError for what is no rank, and where a round needs more cards.
    """
    ranks = np.asarray(shoes)
    if ranks.ndim != 2 or ranks.min(initial=1) < 1 or ranks.max(initial=1) > 10:
        raise ValueError("shoes are rows of ranks from 1 to 10")
    rows, width = ranks.shape
    # Whatever comes after the last card is never looked at: a round that would use it
    # is refused below.
    cards = np.full((rows, max(width, ROUND_CARDS_MAX)), 10, dtype=np.uint8)
    cards[:, :width] = ranks
    nets = np.zeros(rows, dtype=np.int64)
    work = new_work(np.zeros(cards.shape[1], dtype=np.uint8))
    used = _play_rows(game, work, cards, nets)
    if used > width:
        raise ValueError(f"a round took {used} cards of a shoe of {width}")
    return nets


@compiled
def _play_rows(
    game: Game,
    work: Work,
    shoes: npt.NDArray[np.uint8],
    nets: npt.NDArray[np.int64],
) -> int:
    """Play a round from each row; return the most cards that one took."""
    most = 0
    for row in range(len(shoes)):
        for place in range(shoes.shape[1]):
            work.cards[place] = shoes[row, place]
        work.run[PLACE] = 0
        nets[row] = play_round(game, work)
        most = max(most, work.run[PLACE])
    return most
