"""`push22 audit`: every cent, by rules that know nothing of how a hand is judged."""

import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from contracts import catalog
from contracts.operator_wallet import KnownTransaction
from push22.errors import Failure
from push22.given import given_bytes
from push22.inspect.counting import counted
from push22.inspect.elsewhere import readable
from push22.inspect.money import money
from push22.inspect.opening import console, opened, progress
from push22.inspect.reader import Body, Reader
from push22.inspect.verify import Tick
from services.archive.audit import CHECKS, HEEDS, Audit, Violation

_SHOWN_MAX = 200
_UNREADABLE_SHOWN = 20
_TICK = 5000
_STATEMENT = "operator_statement"


def audit(
    *,
    json: bool = False,
    data: Path | None = None,
    dsn: str = "",
    statement: Path | None = None,
) -> int:
    """Check the money in all logs. Exit 1 with each violation.

    So too where a record that matters to it can't be read: the verdict is then open,
    and a rule may be BROKEN only because that record is missing.

    Parameters
    ----------
    json
        Print one JSON document.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.
    statement
        An operator's statement, named `<operator>.jsonl`: his transactions, one a line,
        as his wallet lists them. Each is compared with what he confirmed to us.

    """
    his = [] if statement is None else _statement(statement)
    with (
        opened(readable(data, dsn)) as reader,
        progress("audit", reader.count()) as tick,
    ):
        found = audited(reader, tick, keeps_all=statement is not None)
    violations = found.finish()
    if statement is not None:
        unlike = found.operators.unlike(his, statement.stem)
        violations += tuple(Violation(_STATEMENT, statement.stem, x) for x in unlike)
    if json:
        document = {
            "checks": CHECKS,
            "rounds": found.rounds_checked,
            "open_rounds": len(found.rounds),
            "transfers": found.transfers_checked,
            "open_funds_minor": found.open_funds_minor(),
            "verdict": _verdict(found, violations),
            "unreadable": found.unreadable,
            "operator_calls": found.operators.calls_ended,
            "open_operator_calls": found.operators.open_calls,
            "violations": [item._asdict() for item in violations],
        }
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
    else:
        _show(found, violations)
    return 1 if violations or found.unreadable else 0


def _statement(path: Path) -> list[KnownTransaction]:
    lines = given_bytes(path).splitlines()
    decoder = msgspec.json.Decoder(KnownTransaction)
    try:
        return [decoder.decode(line) for line in lines if line]
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Failure(str(path), f"no statement: {error}", exit_code=2) from error


def audited(reader: Reader, tick: Tick, *, keeps_all: bool = False) -> Audit:
    """Take in every record that has to do with money."""
    found = Audit()
    found.operators.keeps_all = keeps_all
    since = 0
    for item in reader.everything():
        since += 1
        if since == _TICK:
            tick(since)
            since = 0
        if item.type in HEEDS:
            _take_in(found, item)
    return found


def _take_in(found: Audit, item: Body) -> None:
    """Take in a record; one that cannot be read leaves the verdict open."""
    body: object = item.body  # SQLite stores any value in any column.
    if not isinstance(body, bytes):
        found.unreadable.append(item.id)
        return
    try:
        envelope = catalog.decode_envelope(body)
        found.see(envelope, catalog.decode_event(envelope))
    except catalog.Undecodable:
        found.unreadable.append(item.id)


def _verdict(found: Audit, violations: tuple[Violation, ...]) -> str:
    if found.unreadable:
        return "not everything could be read"
    if violations:
        return counted(len(violations), "violation")
    return "every cent is accounted for"


def _show(found: Audit, violations: tuple[Violation, ...]) -> None:
    out = console()
    broken = {item.check for item in violations}
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check, rule in CHECKS.items():
        table.add_row("BROKEN" if check in broken else "holds", rule)
    out.print(table)
    ended = counted(found.rounds_checked, "round")
    transfers = counted(found.transfers_checked, "transfer")
    out.print(f"\n{ended} ended in order, {len(found.rounds):,} not, {transfers}")
    for currency, amount in found.open_funds_minor().items():
        out.print(f"in play: {money(amount)} {currency}")
    if found.operators.calls_ended:
        calls = counted(found.operators.calls_ended, "call")
        out.print(f"operators: {calls} ended, {found.operators.open_calls:,} open")
    for item in violations[:_SHOWN_MAX]:
        out.print(f"\n{item.check}: {item.subject}\n  {item.text}")
    if len(violations) > _SHOWN_MAX:
        out.print(f"\nand {len(violations) - _SHOWN_MAX:,} more: see --json")
    if found.unreadable:
        _show_unreadable(out, found)
    out.print(f"\n{_verdict(found, violations)}")


def _show_unreadable(out: Console, found: Audit) -> None:
    if found.violations:
        out.print(f"\n{counted(len(found.violations), 'violation')}")
    records = counted(len(found.unreadable), "record")
    out.print(f"\n{records} cannot be read: see push22 verify --all")
    for name in found.unreadable[:_UNREADABLE_SHOWN]:
        out.print(f"  {name}")
