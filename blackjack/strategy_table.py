"""Best play as a table: two cards by rank, three or more by total, and their values.

A table is data, one file per game, written by `push22 strategy --solve`. Values are
expected net per unit of the hand's wager, given that a dealer who looked has no
natural. Nothing here decides what is legal.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from blackjack.house_rules import RuleSet
from blackjack.strategy_game import Game, game_of

UP_CARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The columns of a table: ranks by points, ace 1, all ten-values 10."""

MARKS = "?A23456789T"
"""A rank's mark by its points."""


class Cell(NamedTuple):
    """Plays in order of preference, the first legal one is played; and their value.

    `H` hit, `S` stand, `D` double, `P` split, `R` surrender.
    """

    plays: str
    value: float


Pairs = Mapping[tuple[int, int, int], Cell]
Totals = Mapping[tuple[int, int], str]


class StrategyTable(msgspec.Struct, frozen=True):
    """The best play of one game.

    `two`: by low rank, high rank and up card, for the first two cards of a hand; the
    row (1, 10) is a switched ace and ten where that counts 21, else a natural.
    `hard` and `soft`: by total and up card, for three or more cards, `H` or `S`.
    `natural`: what a natural is worth by up card; without a look that is less than it
    pays, for the dealer may have one too. `digest`: SHA-256 of the file's rows.
    """

    two: Pairs
    hard: Totals
    soft: Totals
    natural: Mapping[int, float]
    takes_even_money: bool
    digest: str


def strategy_for(rules: RuleSet) -> StrategyTable:
    """Return the table of a rule set with its options; equal games share one."""
    return table_of(game_of(rules))


@cache
def table_of(game: Game) -> StrategyTable:
    """Return the table of a game. Every game of the house has one."""
    file = resources.files("blackjack") / "strategy_data" / f"{game.name}.txt"
    table = parse(file.read_text())
    sizes = (len(table.two), len(table.hard), len(table.soft), len(table.natural))
    assert sizes == (550, 180, 100, 10), f"{game.name}: {sizes}"
    return table


def parse(text: str) -> StrategyTable:
    """Read a table's text; what follows `#` on a line is a comment.

    The reference tables have no rows of totals and naturals; then these are empty.
    Raises ValueError with the number of the line that can't be read.
    """
    two: dict[tuple[int, int, int], Cell] = {}
    totals: dict[str, dict[tuple[int, int], str]] = {"hard": {}, "soft": {}}
    natural: dict[int, float] = {}
    even_money = False
    rows: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words or words[0] == "SWITCH":
            continue
        rows.append(" ".join(words))
        try:
            if words[0] in totals:
                total, plays = int(words[1]), words[2:]
                row = zip(UP_CARDS, plays, strict=True)
                totals[words[0]].update({(total, up): play for up, play in row})
            elif words[0] == "natural":
                values = (float(word) for word in words[1:])
                natural = dict(zip(UP_CARDS, values, strict=True))
            elif words[0] == "even_money":
                even_money = {"taken": True, "declined": False}[words[1]]
            else:
                two.update(_pair_row(words))
        except (ValueError, KeyError, IndexError) as error:
            raise ValueError(f"line {number} is no row of a table: {line}") from error
    digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return StrategyTable(
        two, totals["hard"], totals["soft"], natural, even_money, digest
    )


def _pair_row(words: list[str]) -> dict[tuple[int, int, int], Cell]:
    first, second = (MARKS.index(mark, 1) for mark in words[:2])
    low, high = min(first, second), max(first, second)
    row = {}
    for up, cell in zip(UP_CARDS, words[2:], strict=True):
        plays = cell.rstrip("+-.0123456789")
        if not plays or set(plays) - set("HSDPR"):
            raise ValueError(cell)
        row[low, high, up] = Cell(plays, float(cell[len(plays) :]))
    return row
