"""`push22 play`: play rounds at a table in this terminal, by hand or by the bot."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from blackjack.rule_sets import RuleSetError, rule_set
from contracts import identities
from push22.casino import LOG_NAME, Casino
from push22.errors import Failure
from push22.garbage import keep_what_stands
from push22.hand_play import HandPlayer
from push22.inspect.opening import data_directory
from push22.inspect.transcript import print_round
from push22.session import Session, Table, table_id
from push22.stopping import run_until_stopped
from push22.wagering import wagers_for
from runtime.log import LogError

_PRINTED_MAX = 20
"""With more rounds than this a progress bar takes the place of transcripts."""
_SEED_MAX = 2**64 - 1
_SEED_IS_LATE = (
    "push22: --seed: the table's shoe is in use: no effect until a new one; "
    "with another --data it has\n"
)


def play(  # noqa: PLR0913 - these are the command's options
    *,
    rules: str = "ny-switch-6d",
    rounds: int = 5,
    boxes: int = 1,
    wager: int = 1000,
    super_match: int = 100,
    seed: int | None = None,
    auto: bool = False,
    data: Path | None = None,
    kafka: str = "",
    door: str = "",
    launch: str = "",
) -> int:
    """Play rounds at a table in this terminal.

    Parameters
    ----------
    rules
        The rule set, for example ny-switch-6d or ny-switch-8d.
    rounds
        How many rounds to play.
    boxes
        How many boxes to bet on.
    wager
        Minor units on each main wager.
    super_match
        Minor units on Super Match, where the rule set has it; 0 for none.
    seed
        Fix the shoe, for demonstration only; the log says so.
    auto
        Let the bot play: basic strategy with switching.
    data
        The data directory; default PUSH22_DATA, else ./push22-data.
    kafka
        Play at the distributed casino behind this cluster, host:port[,host:port...];
        without --data else $PUSH22_KAFKA. Only with --auto; each round's id is printed.
    door
        Play as a player at this gateway, http://HOST:PORT, or a player's whole link.
        Only with --auto; the table's rules hold.
    launch
        The launch token for --door, if it is not in the link.

    """
    if not auto and not sys.stdin.isatty():
        raise Failure("play", "no terminal to play at; try --auto", exit_code=2)
    _check_numbers(rounds, seed)
    if door:
        if not auto or seed is not None or kafka or data:
            raise Failure("--door", "only --auto plays there, with its cards", 2)
        return _play_at_door((door, launch), (boxes, wager, super_match), rounds)
    table = _table(rules, boxes, wager, super_match)
    elsewhere = kafka or (os.environ.get("PUSH22_KAFKA", "") if data is None else "")
    if elsewhere:
        if not auto or seed is not None:
            reason = f"at {elsewhere} only --auto plays, without --seed; see --data"
            raise Failure("--kafka", reason, exit_code=2)
        return _play_elsewhere(elsewhere, table, rounds)
    directory = data_directory(data)
    try:
        return run_until_stopped(_play(directory, table, (rounds, seed, auto)))
    except LogError as error:
        raise Failure(str(directory), str(error)) from error


def _table(rules: str, boxes: int, wager: int, super_match: int) -> Table:
    try:
        chosen = rule_set(rules)
    except RuleSetError as error:
        raise Failure("--rules", str(error), exit_code=2) from error
    wagers = wagers_for(chosen, boxes, wager, super_match)
    player = f"{identities.DEFAULT_OPERATOR}.you"
    return Table(table_id(rules), rules, player, wagers)


def _play_elsewhere(bootstrap: str, table: Table, rounds: int) -> int:
    """Play at a casino in other processes; the client libraries come only here."""
    from push22.remote_play import play_remote  # noqa: PLC0415 - they take a second

    return play_remote(bootstrap, table, rounds)


def _play_at_door(
    place: tuple[str, str], stakes: tuple[int, int, int], rounds: int
) -> int:
    """Play as a guest; the client libraries come only here."""
    from push22.door_play import play_at_door  # noqa: PLC0415 - they take a second

    return play_at_door(*place, stakes, rounds)


def _check_numbers(rounds: int, seed: int | None) -> None:
    if rounds < 1:
        raise Failure("--rounds", "must be at least 1", exit_code=2)
    if seed is not None and not 0 <= seed <= _SEED_MAX:
        raise Failure("--seed", f"must be 0 to {_SEED_MAX}", exit_code=2)


async def _play(
    directory: Path, table: Table, how: tuple[int, int | None, bool]
) -> int:
    rounds, seed, auto = how
    casino = await Casino.open(directory, seed=seed)
    console = Console()
    session = Session(casino, table)
    try:
        if seed is not None and await session.has_shoe():
            sys.stderr.write(_SEED_IS_LATE)
        await session.open()
        keep_what_stands()
        mover: Any = session.bot if auto else HandPlayer(session, console).move
        if rounds > _PRINTED_MAX:
            await _play_many(session, mover, rounds)
        else:
            await _play_printed(session, mover, (rounds, console))
    except asyncio.CancelledError:
        console.print(f"stopped  after {len(session.closed)} rounds", highlight=False)
        _say_where(console, directory, session.closed)
        raise
    finally:
        await casino.close()
    _say_where(console, directory, session.closed)
    return 0


def _say_where(console: Console, directory: Path, closed: list[str]) -> None:
    """Say where the log is, and how the last round can be seen again."""
    console.print(f"log      {directory / LOG_NAME}", highlight=False, soft_wrap=True)
    if not closed:
        return
    again = f"push22 replay {closed[-1]}"
    if directory != data_directory(None):
        again += f" --data {directory}"
    console.print(f"replay   {again}", highlight=False, soft_wrap=True)


async def _play_printed(
    session: Session, mover: Any, what: tuple[int, Console]
) -> None:
    rounds, console = what
    for _ in range(rounds):
        round_id = await session.play(mover)
        print_round(session.casino.host.file, round_id, console)


async def _play_many(session: Session, mover: Any, rounds: int) -> None:
    shown = Console(stderr=True)
    with Progress(console=shown, disable=not shown.is_terminal) as progress:
        task = progress.add_task("rounds", total=rounds)
        for _ in range(rounds):
            await session.play(mover)
            progress.advance(task)
