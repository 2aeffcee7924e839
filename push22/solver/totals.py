"""The play of three or more cards, by total alone.

Each hand counts by how often best play comes to it: it is dealt, hit as its cells
say, and hit again while its own cards ask for that. A total hits where that is worth
more over all its hands. Hands after splits are left out of the count.
"""

from collections.abc import Mapping

import numpy as np

from push22.solver.chances import Chances
from push22.solver.dealer_hands import NONE
from push22.solver.dealer_odds import Floats
from push22.solver.forest import BUST, forest
from push22.solver.hand_values import Values

Totals = dict[int, str]

_SELDOM = 1e-9
"""The part of hands that a player hits against the table, so that every total has a
play, also one that best play never comes to.
"""


def plays_by_total(
    found: Chances, values: Values, first_plays: Mapping[int, str]
) -> tuple[Totals, Totals]:
    """Return the plays of hard totals from 4 and of soft ones from 12."""
    trees = forest()
    gain = _reached(found, values, first_plays) * (values.hit - values.stand)
    is_soft = trees.total != trees.hard
    longer = np.zeros(len(gain), dtype=bool)
    longer[list(trees.dealt.values())] = True
    longer &= trees.size > 2
    found_plays = []
    for wanted, totals in ((~is_soft, range(4, 22)), (is_soft, range(12, 22))):
        plays = {}
        for total in totals:
            rows = longer & wanted & (trees.total == total)
            # Of totals that three cards can't have, none can bust by a hit.
            hits = not rows.any() or gain[rows].sum() > 0
            plays[total] = "H" if hits else "S"
        found_plays.append(plays)
    return found_plays[0], found_plays[1]


def _reached(found: Chances, values: Values, first_plays: Mapping[int, str]) -> Floats:
    """Return how often each hand from the deal is come to."""
    trees = forest()
    reached = np.zeros(len(trees.hard))
    reached[trees.dealt[NONE]] = 1
    hits = (values.hit > values.stand) | (trees.size < 2)
    for row, play in first_plays.items():
        hits[row] = play == "H"
    share = np.where(hits, 1.0, _SELDOM)
    for hard in range(21):
        # By cards seen so far: each grows the next ones by its own chance.
        here = (trees.hard == hard) & (reached > 0)
        for row in np.flatnonzero(here).tolist():
            grown = trees.grown[row]
            fits = grown != BUST
            chance = reached[row] * share[row] * found.next_card[row]
            np.add.at(reached, grown[fits], chance[fits])
    return reached
