"""`push22 strategy`: print the best play of a rule set, or solve its games again."""

import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from blackjack.rule_sets import RULE_SETS, RuleSetError, rule_set
from blackjack.strategy_game import game_of
from blackjack.strategy_table import MARKS, UP_CARDS, StrategyTable, table_of
from push22.errors import Failure
from push22.house_option import options_of

FOLDER = Path(__file__).parents[2] / "blackjack" / "strategy_data"


def strategy(  # noqa: PLR0913 - these are the command's options
    rules: str = "",
    *,
    option: list[str] | None = None,
    values: bool = False,
    json: bool = False,
    solve: bool = False,
    all: bool = False,  # noqa: A002 - the option's name
    out: Path = FOLDER,
) -> int:
    """Print the best play of a rule set, or solve its games and write their tables.

    Parameters
    ----------
    rules
        The rule set, for example ny-switch-6d or lv-1d.
    option
        A house option as name=value, for example soft17=stand; may be repeated.
    values
        Print what each hand of two cards is worth in place of its plays.
    json
        Print the table as one JSON document.
    solve
        Solve the rule set's games, under all options, and write their tables.
    all
        With --solve: the games of all rule sets.
    out
        The folder to write to, by default the one inside the package.

    """
    if bool(rules) == all or (all and not solve):
        reason = "name a rule set; --solve takes --all in its place"
        raise Failure("strategy", reason, exit_code=2)
    if rules and rules not in RULE_SETS:
        raise Failure("strategy", f"unknown rule set {rules!r}", exit_code=2)
    if solve:
        return _solve(list(RULE_SETS) if all else [rules], out)
    options = options_of(option)
    try:
        game = game_of(rule_set(rules, options))
    except RuleSetError as error:
        raise Failure("--option", str(error), exit_code=2) from error
    table = table_of(game)
    if json:
        named = {"rules": rules, "options": options, "game": game.name}
        document = named | _as_json(table)
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
    else:
        _show(Console(), table, f"{rules}: {game.name}", values=values)
    return 0


def _solve(names: list[str], out: Path) -> int:
    # Imported here: the solver takes a while to load, and printing doesn't need it.
    from push22.solver.games import games_of  # noqa: PLC0415
    from push22.solver.table_text import table_text  # noqa: PLC0415

    games = games_of(names)
    out.mkdir(parents=True, exist_ok=True)
    for name, game in games.items():
        (out / f"{name}.txt").write_text(table_text(game))
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(games)} tables written to {out}\n")
    return 0


def _as_json(table: StrategyTable) -> dict[str, object]:
    def row(rank: int, other: int) -> dict[str, object]:
        cells = ((up, table.two[rank, other, up]) for up in UP_CARDS)
        return {MARKS[up]: {"plays": c.plays, "value": c.value} for up, c in cells}

    def total_row(totals: dict[tuple[int, int], str], total: int) -> dict[str, str]:
        return {MARKS[up]: totals[total, up] for up in UP_CARDS}

    return {
        "digest": table.digest,
        "takes_even_money": table.takes_even_money,
        "natural": {MARKS[up]: table.natural[up] for up in UP_CARDS},
        "two": {f"{MARKS[a]},{MARKS[b]}": row(a, b) for a, b in _pairs(table)},
        "hard": {total: total_row(dict(table.hard), total) for total in range(4, 22)},
        "soft": {total: total_row(dict(table.soft), total) for total in range(12, 22)},
    }


def _pairs(table: StrategyTable) -> list[tuple[int, int]]:
    return list(dict.fromkeys((low, high) for low, high, _ in table.two))


def _show(out: Console, table: StrategyTable, title: str, *, values: bool) -> None:
    out.print(title, highlight=False, soft_wrap=True)
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("", *(MARKS[up] for up in UP_CARDS)):
        grid.add_column(heading, no_wrap=True)
    for low, high in _pairs(table):
        cells = [table.two[low, high, up] for up in UP_CARDS]
        words = [f"{c.value:+.3f}" if values else c.plays for c in cells]
        grid.add_row(f"{MARKS[low]},{MARKS[high]}", *words)
    if not values:
        for kind, totals in (("hard", table.hard), ("soft", table.soft)):
            for total in sorted({total for total, _ in totals}):
                row = (totals[total, up] for up in UP_CARDS)
                grid.add_row(f"{kind} {total}", *row)
    out.print(grid, highlight=False)
    taken = "taken" if table.takes_even_money else "declined"
    out.print(f"insurance declined, even money {taken}", highlight=False)
    out.print(f"digest {table.digest}", highlight=False, soft_wrap=True)
