"""All that a table says of one up card: its plays and values, hand by hand."""

from typing import NamedTuple

from blackjack.strategy_game import Game
from blackjack.strategy_table import Cell
from push22.solver.chances import barred_rank, chances, full_shoe
from push22.solver.dealer_hands import NATURAL, NONE, with_card
from push22.solver.forest import forest
from push22.solver.hand_values import Values, hand_values
from push22.solver.splits import Pair, split_value
from push22.solver.totals import Totals, plays_by_total

_PREFERENCE = "SHDPR"
"""Plays of one value keep this order, so that a table never hangs on rounding."""

_SAME = 9
"""Decimals in which values are compared."""


class Column(NamedTuple):
    """`natural` is worth that after the look, `unlooked_natural` before it."""

    two: dict[tuple[int, int], Cell]
    hard: Totals
    soft: Totals
    natural: float
    unlooked_natural: float


def solve_column(game: Game, up: int) -> Column:
    found = chances(game, up)
    values = hand_values(game, found)
    added = values
    if not (game.look or game.late_natural_takes_added):
        added = hand_values(game, found, original=False)
    two = {}
    first_plays = {}
    for low in range(1, 11):
        for high in range(low, 11):
            row = row_of(low, high)
            worths = _worths(game, up, values, row)
            if low == high:
                pair = Pair(game, up, low)
                worths["P"] = split_value(pair, found, values, added)
            two[low, high] = _cell(worths)
            first_plays[row] = two[low, high].plays[0]
    naturals = game.natural_pays[0] / game.natural_pays[1]
    natural = naturals * (1 - float(found.dealer[row_of(1, 10), NATURAL]))
    if not game.switched_is_21:
        two[1, 10] = Cell("S", natural)
    hard, soft = plays_by_total(found, values, first_plays)
    unlooked = naturals * (1 - late_natural(game, up, row_of(1, 10)))
    return Column(two, hard, soft, natural, unlooked)


def row_of(low: int, high: int) -> int:
    return forest().dealt[with_card(with_card(NONE, low), high)]


def _worths(game: Game, up: int, values: Values, row: int) -> dict[str, float]:
    worths = {
        "S": float(values.stand[row]),
        "H": float(values.hit[row]),
        "D": float(values.double[row]),
    }
    if game.surrender != "no":
        worths["R"] = -0.5
    if game.surrender == "waits" and not game.look:
        worths["R"] = -0.5 - 0.5 * late_natural(game, up, row)
    return worths


def late_natural(game: Game, up: int, row: int) -> float:
    """Return the chance of a natural that nobody looked for, the hand's cards gone."""
    barred = barred_rank(up)
    if not barred:
        return 0.0
    shoe = full_shoe(game.decks, up) - forest().gone[row]
    return float(shoe[barred - 1] / shoe.sum())


def _cell(worths: dict[str, float]) -> Cell:
    """Name plays from the best down to the first that is always legal."""

    def rank(letter: str) -> tuple[float, int]:
        return -round(worths[letter], _SAME), _PREFERENCE.index(letter)

    plays = ""
    for letter in sorted(worths, key=rank):
        plays += letter
        if letter in "HS":
            break
    return Cell(plays, worths[plays[0]])
