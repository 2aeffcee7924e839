"""`push22 rounds`: find rounds by player, table, time, status or transfer."""

import sys
from pathlib import Path
from typing import Literal

import msgspec
from rich.table import Table

from contracts.identities import DEFAULT_OPERATOR
from push22.errors import Failure
from push22.inspect.elsewhere import readable
from push22.inspect.index import Found, Query, behind, find_rounds, has_index
from push22.inspect.money import moment, money, parse_moment
from push22.inspect.opening import console, opened
from push22.inspect.rebuilding import rebuild_index
from runtime.log import LogError

Status = Literal["open", "settled", "void", "abandoned"]


def rounds(  # noqa: PLR0913 - each is a way to search
    *,
    player: str = "",
    table: str = "",
    status: Status | None = None,
    transfer: str = "",
    since: str = "",
    until: str = "",
    limit: int = 50,
    json: bool = False,
    rebuild: bool = False,
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """List rounds, newest first.

    Parameters
    ----------
    player
        Only rounds this player bet on: `<operator>.<player>`, or `<player>` of the
        built-in operator.
    table
        Only rounds of this table.
    status
        Only open, settled, void or abandoned rounds.
    transfer
        The round that this wallet transfer belongs to.
    since
        Opened at this time or later, UTC: 2026-10-31 or 2026-10-31T18:30.
    until
        Opened before this time, UTC.
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
    query = Query(
        player=_whole(player),
        table=table,
        status=status or "",
        transfer=transfer,
        since=_micros("--since", since),
        until=_micros("--until", until),
        limit=limit,
    )
    directory = readable(data, dsn)
    if rebuild:
        _rebuild(directory)
    with opened(directory) as reader:
        if not has_index(reader):
            reason = "has no index of rounds yet: open the casino once"
            raise Failure(reader.file.path, reason, exit_code=2)
        found, missing = find_rounds(reader, query), behind(reader)
    if json:
        for item in found:
            sys.stdout.write(msgspec.json.encode(item).decode() + "\n")
    else:
        _show(found)
    if missing:
        sys.stderr.write(f"push22: the index is {missing} records behind the logs\n")
    return 0


def _whole(player: str) -> str:
    """Complete the name of a player of the built-in operator."""
    is_whole = "." in player or not player
    return player if is_whole else f"{DEFAULT_OPERATOR}.{player}"


def _rebuild(data: Path) -> None:
    try:
        rebuild_index(data)
    except LogError as error:
        raise Failure(str(data), str(error)) from error


def _micros(option: str, text: str) -> int:
    if not text:
        return 0
    try:
        return parse_moment(text)
    except ValueError as error:
        raise Failure(option, str(error), exit_code=2) from error


def _show(found: list[Found]) -> None:
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
        if not item.players:
            table.add_row(*head)
        for seat in item.players:
            net = money(seat.net_minor, signed=True) if item.closed_at else ""
            table.add_row(*head, seat.player, money(seat.staked_minor), net)
            head = ("", "", "")
    console().print(table)
