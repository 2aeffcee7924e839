"""`push22 statement`: a player's money, from the opening to the closing balance."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from contracts.reports import to_csv
from push22.errors import Failure
from push22.inspect.elsewhere import readable
from push22.inspect.filters import whole_player
from push22.inspect.interval import Asked, span_of
from push22.inspect.opening import opened
from push22.round_index import OutOfDate
from push22.statements import Wallet, currencies_of, statement_of
from runtime.ambient import SystemClock
from services.archive.statement import adds_up


def statement(  # noqa: PLR0913 - these are the command's options
    player: str,
    *,
    asked: Annotated[Asked | None, Parameter(name="*")] = None,
    currency: str = "",
    form: Annotated[Literal["csv", "json"], Parameter(name="--format")] = "csv",
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """Write a player's statement of an interval.

    Exit 1 if what the records say does not add up.

    Parameters
    ----------
    player
        `<operator>.<player>`, or `<player>` of the built-in operator.
    asked
        Which interval.
    currency
        Which wallet, where the player has several.
    form
        As a table for spreadsheets, or as one JSON document.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.

    """
    now = SystemClock().now()
    name, span = whole_player(player), span_of(asked or Asked(), now)
    with opened(readable(data, dsn)) as reader:
        wallet = Wallet(
            reader.file, name, currency or _only(currencies_of(reader.file, name), name)
        )
        if not wallet.newest:
            raise Failure(name, f"has no wallet in {wallet.currency}", exit_code=2)
        try:
            found = statement_of(wallet, span, now)
        except OutOfDate as error:
            raise Failure(name, str(error), exit_code=2) from error
    if form == "json":
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        sys.stdout.write(to_csv(found))
    if not adds_up(found):
        sys.stderr.write("push22: the statement does not add up: see push22 audit\n")
        return 1
    return 0


def _only(currencies: list[str], player: str) -> str:
    if len(currencies) == 1:
        return currencies[0]
    if not currencies:
        raise Failure(player, "there is no wallet of this player", exit_code=2)
    reason = f"has several wallets, name one by --currency: {', '.join(currencies)}"
    raise Failure(player, reason, exit_code=2)
