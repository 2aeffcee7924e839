"""`push22 rounds`: find rounds by whatever is known of them."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.table import Table

from contracts.round_search import RoundRow
from push22.errors import Failure
from push22.inspect.elsewhere import readable
from push22.inspect.filters import Filters, query_of
from push22.inspect.money import moment, money
from push22.inspect.opening import console, opened
from push22.inspect.rebuilding import rebuild_index
from push22.round_index import OutOfDate, behind, find_all_rounds
from runtime.log import LogError


def rounds(  # noqa: PLR0913 - these are the command's options
    *,
    filters: Annotated[Filters | None, Parameter(name="*")] = None,
    limit: int = 50,
    json: bool = False,
    rebuild: bool = False,
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """List rounds, newest first.

    Parameters
    ----------
    filters
        What the rounds have in common.
    limit
        At most so many.
    json
        Print one JSON object per round.
    rebuild
        Drop the index and fill it again from the logs first; needs the casino to be
        stopped. Where a record can't be read, the old index stays.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.

    """
    # One more than is shown tells whether there is more.
    query = query_of(filters or Filters(), limit + 1)
    directory = readable(data, dsn)
    if rebuild:
        _rebuild(directory)
    with opened(directory) as reader:
        try:
            found = find_all_rounds(reader.file, query)
        except OutOfDate as error:
            raise Failure("rounds", str(error), exit_code=2) from error
        missing = behind(reader.file)
    found, more = found[:limit], found[limit:]
    if json:
        for item in found:
            sys.stdout.write(msgspec.json.encode(item).decode() + "\n")
    else:
        _show(found)
    if more:
        sys.stderr.write(f"push22: {limit} shown; --limit for more\n")
    if missing:
        sys.stderr.write(f"push22: the index is {missing} records behind the logs\n")
    return 0


def _rebuild(data: Path) -> None:
    try:
        rebuild_index(data)
    except LogError as error:
        raise Failure(str(data), str(error)) from error


def _show(found: tuple[RoundRow, ...]) -> None:
    if not found:
        sys.stdout.write("no rounds match\n")
        return
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("round", overflow="fold")
    table.add_column("opened (UTC)", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("player", overflow="fold")
    table.add_column("staked", justify="right", no_wrap=True)
    table.add_column("net", justify="right", no_wrap=True)
    for item in found:
        head = (item.round_id, moment(item.opened_at), item.status)
        if not item.seats:
            table.add_row(*head)
        for seat in item.seats:
            net = money(seat.net_minor, signed=True) if item.closed_at else ""
            table.add_row(*head, seat.player, money(seat.staked_minor), net)
            head = ("", "", "")
    console().print(table)
