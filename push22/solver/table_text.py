"""A table as the text of its file: the layout of the reference, and rows of totals."""

import textwrap

from blackjack.strategy_game import Game
from blackjack.strategy_table import MARKS, UP_CARDS
from push22.solver.column import Column, solve_column

VERSION = 1
"""Of the solver: goes up when a table may change."""

_HEAD = """\
Best play: {name}. Solver {version}.
Parameters: {parameters}.
A row: the hand's two cards; columns: dealer's up card 2 3 4 5 6 7 8 9 T A.
A cell: plays in order of preference, H hit, S stand, D double, P split, R surrender,
then expected value per unit of the hand's wager, after a look that found no natural.
The row 'A, T' is {ace_ten}.
Rows 'hard', 'soft': three or more cards, by total. Row 'natural': what one is worth.
Own cards and up card known, no other information, full shoe."""


def table_text(game: Game) -> str:
    """Solve a game and return its file's text."""
    columns = [solve_column(game, up) for up in UP_CARDS]
    lines = _head(game)
    for low in range(1, 11):
        lines.extend(_pair_row(columns, low, high) for high in range(low, 11))
    for kind in ("hard", "soft"):
        lines.extend(_total_rows(columns, kind))
    lines.append("natural " + " ".join(f"{column.natural:+.5f}" for column in columns))
    lines.append("even_money " + ("taken" if _takes(game, columns) else "declined"))
    return "\n".join(lines) + "\n"


def _head(game: Game) -> list[str]:
    parameters = ", ".join(f"{field} {_shown(game, field)}" for field in _FIELDS)
    ace_ten = "a switched ace-ten (counts 21)" if game.switched_is_21 else "a natural"
    lines: list[str] = []
    for paragraph in _HEAD.splitlines():
        text = paragraph.format(
            name=game.name, version=VERSION, parameters=parameters, ace_ten=ace_ten
        )
        lines += textwrap.wrap(text, 88, break_on_hyphens=False)
    return [f"# {line}" for line in lines]


_FIELDS = Game.__struct_fields__


def _shown(game: Game, field: str) -> str:
    value = getattr(game, field)
    if isinstance(value, tuple):
        return ":".join(map(str, value))
    return str(value).lower()


def _pair_row(columns: list[Column], low: int, high: int) -> str:
    cells = (column.two[low, high] for column in columns)
    texts = (f"{cell.plays + f'{cell.value:+.5f}':>11}" for cell in cells)
    return f"    {MARKS[low]}, {MARKS[high]} {' '.join(texts)}"


def _total_rows(columns: list[Column], kind: str) -> list[str]:
    rows = [column.hard if kind == "hard" else column.soft for column in columns]
    return [
        f"{kind} {total:2d}  " + "  ".join(row[total] for row in rows)
        for total in rows[0]
    ]


def _takes(game: Game, columns: list[Column]) -> bool:
    """Take even money, one unit, where to wait is worth less against an ace."""
    against_ace = columns[UP_CARDS.index(1)]
    return game.even_money and against_ace.unlooked_natural < 1
