"""What splitting a pair is worth, up to the game's limit of hands.

A hand played without regard to the others has the same chances whether they drew
before it or not, so all second cards may be taken as drawn first: the number of hands
is exact, and so is what each is worth. A hand plays by its own cards, all cards of
the pair's rank that became hands, and the up card.
"""

from functools import cache
from typing import NamedTuple

from blackjack.strategy_game import Game
from push22.solver.chances import Chances, barred_rank, full_shoe
from push22.solver.forest import forest
from push22.solver.hand_values import Values


class Pair(NamedTuple):
    game: Game
    up: int
    rank: int

    @property
    def hands_max(self) -> int:
        return self.game.ace_hands_max if self.rank == 1 else self.game.hands_max


def split_value(pair: Pair, found: Chances, original: Values, added: Values) -> float:
    """Return the worth of all hands that come from splitting this pair."""
    first = _Halves(pair, found, original)
    others = first if added is original else _Halves(pair, found, added)

    def worth(hands: int, kept: int, waiting: int) -> float:
        """Go on with `kept` hands that drew no pair and `waiting` for a card."""
        if hands == pair.hands_max or not waiting:
            return _settled(first, others, hands, (kept, waiting))
        chance = again(pair, hands, kept)
        value = (1 - chance) * worth(hands, kept + 1, waiting - 1)
        return value + chance * worth(hands + 1, kept, waiting + 1)

    return worth(2, 0, 2)


def _settled(
    first: "_Halves", others: "_Halves", hands: int, drawn: tuple[int, int]
) -> float:
    """Add up all hands, the one on the original wager apart: it drew first."""
    kept, waiting = drawn
    if not kept:
        return first.free(hands, 0) + (waiting - 1) * others.free(hands, 0)
    one = first.unpaired(hands, kept - 1)
    rest = (kept - 1) * others.unpaired(hands, kept - 1) if kept > 1 else 0.0
    return one + rest + (waiting * others.free(hands, kept) if waiting else 0.0)


class _Halves:
    """The worth of one hand of a split: by the hands there are, each of the pair's
    rank, and the other second cards known to be of another rank.
    """

    def __init__(self, pair: Pair, found: Chances, values: Values) -> None:
        self._pair, self._found, self._values = pair, found, values
        self._mean = cache(self._mean_worth)

    def free(self, hands: int, others: int) -> float:
        """Any second card may come."""
        return self._mean(hands, others, unpaired=False)

    def unpaired(self, hands: int, others: int) -> float:
        """A second card came, and it made no pair."""
        value = self._mean(hands, others, unpaired=True)
        return value / (1 - again(self._pair, hands, others))

    def _mean_worth(self, gone: int, others: int, *, unpaired: bool) -> float:
        """Return the worth over second cards; of those that pair, none if `unpaired`.

        To remove a random card changes nothing: the worth with a card of another
        rank gone follows from that with a random one and one of the rank gone.
        """
        if not others:
            return self._worth_in_forest(gone, unpaired=unpaired)
        value = self._mean(gone, others - 1, unpaired=unpaired)
        chance = again(self._pair, gone, others - 1)
        if chance:
            fewer = self._mean(gone + 1, others - 1, unpaired=unpaired)
            value = (value - chance * fewer) / (1 - chance)
        return value

    def _worth_in_forest(self, gone: int, *, unpaired: bool) -> float:
        row = forest().begun[self._pair.rank, gone]
        value = 0.0
        for rank, follower in enumerate(forest().grown[row], 1):
            if not (unpaired and rank == self._pair.rank):
                chance = self._found.next_card[row, rank - 1]
                value += float(chance * self._worth_of(follower))
        return value

    def _worth_of(self, row: int) -> float:
        # A split ace stands: neither hit nor double is open to it (C-45).
        is_ace = self._pair.rank == 1
        return float((self._values.stand if is_ace else self._values.best)[row])


def again(pair: Pair, gone: int, others: int) -> float:
    """Return the chance of another card of the pair's rank.

    `gone` cards of the rank and `others` of other ranks are known to be gone.
    """
    shoe = full_shoe(pair.game.decks, pair.up)
    of_rank = max(int(shoe[pair.rank - 1]) - gone, 0)
    size = int(shoe.sum()) - gone - others
    barred = barred_rank(pair.up) if pair.game.look else 0
    if not barred:
        return of_rank / size
    if barred == pair.rank:
        return of_rank / (size - 1)
    of_others = size + others - of_rank
    kept = int(shoe[barred - 1]) * (1 - others / of_others)
    return of_rank * (size - 1 - kept) / ((size - 1) * (size - kept))
