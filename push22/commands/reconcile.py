"""`push22 reconcile`: what an operator confirmed to us, asked of him entry by entry."""

import asyncio
import sys
from pathlib import Path

import msgspec

from contracts import catalog
from push22.errors import Failure
from push22.inspect.blocks import block
from push22.inspect.elsewhere import readable
from push22.inspect.money import moment, money, parse_moment
from push22.inspect.opening import console, opened
from push22.operator.settings import load
from push22.operator.statement import NoStatement, all_known
from services.archive.entries import HEEDS, Entries, Entry

_WALLET = "wallet"


def reconcile(  # noqa: PLR0913 - each is a way to choose
    operator: str,
    /,
    *,
    round_id: str = "",
    since: str = "",
    until: str = "",
    operators: Path | None = None,
    json: bool = False,
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """Compare our books of an operator with his, one transaction after the other.

    Exit 1 if one differs. What only he knows of is found by `push22 audit
    --statement`, with all that he lists.

    Parameters
    ----------
    operator
        The operator's name.
    round_id
        Only what belongs to this round.
    since
        Only what he confirmed at this time or later, UTC: 2026-10-31T18:30.
    until
        Only what he confirmed before this time, UTC.
    operators
        How operators are reached; else $PUSH22_OPERATORS.
    json
        Print one JSON object per entry that differs.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.

    """
    settings = load(operators).get(operator)
    if settings is None:
        raise Failure(operator, "no such operator in $PUSH22_OPERATORS", exit_code=2)
    chosen = {"since": _micros("--since", since), "until": _micros("--until", until)}
    ours = _entries(readable(data, dsn), operator)
    entries = list(ours.of(round_id=round_id, **chosen))
    try:
        his = asyncio.run(all_known(settings, [x.transaction_id for x in entries]))
    except NoStatement as error:
        raise Failure(settings.url, str(error)) from error
    pairs = zip(entries, his, strict=True)
    found = [(entry, why) for entry, it in pairs if (why := entry.differs_from(it))]
    for entry, why in found:
        if json:
            sys.stdout.write(_as_json(entry, why) + "\n")
        else:
            _show(entry, why)
    if not json:
        sys.stdout.write(f"{len(entries):,} entries asked for, {len(found):,} differ\n")
    return 1 if found else 0


def _entries(directory: Path, operator: str) -> Entries:
    found = Entries(operator)
    with opened(directory) as reader:
        for item in reader.everything():
            if item.service == _WALLET and item.type in HEEDS:
                envelope = catalog.decode_envelope(item.body)
                found.see(envelope, catalog.decode_event(envelope))
    return found


def _micros(option: str, text: str) -> int:
    try:
        return parse_moment(text) if text else 0
    except ValueError as error:
        raise Failure(option, str(error), exit_code=2) from error


def _as_json(entry: Entry, why: str) -> str:
    return msgspec.json.encode({**msgspec.to_builtins(entry), "differs": why}).decode()


def _show(entry: Entry, why: str) -> None:
    amount = f"{money(entry.amount_minor)} {entry.currency}"
    block(
        console(),
        entry.transaction_id,
        (f"{entry.kind} {amount}", f"of {entry.player_id}", f"in {entry.round_id}"),
        (f"confirmed {moment(entry.confirmed_at)} UTC",),
        tuple(why.split("; ")),
    )
