"""`push22 audit`: every cent, by rules that know nothing of how a hand is judged."""

import sys
from pathlib import Path

import msgspec
from rich.table import Table

from contracts import catalog
from push22.inspect.money import money
from push22.inspect.opening import console, opened, progress
from push22.inspect.reader import Reader
from push22.inspect.verify import Tick
from services.archive.audit import CHECKS, HEEDS, Audit, Violation

_SHOWN_MAX = 200
_TICK = 5000


def audit(*, json: bool = False, data: Path | None = None) -> int:
    """Check the money in all logs. Exit 1 with each violation.

    Parameters
    ----------
    json
        Print one JSON document.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.

    """
    with opened(data) as reader, progress("audit", reader.count()) as tick:
        found = audited(reader, tick)
    violations = found.finish()
    if found.unreadable:
        sys.stderr.write(f"push22: {found.unreadable} records cannot be read\n")
    if json:
        document = {
            "checks": CHECKS,
            "rounds": found.rounds_checked,
            "open_rounds": len(found.rounds),
            "transfers": found.transfers_checked,
            "open_funds_minor": found.open_funds_minor(),
            "violations": [item._asdict() for item in violations],
        }
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
    else:
        _show(found, violations)
    return 1 if violations or found.unreadable else 0


def audited(reader: Reader, tick: Tick) -> Audit:
    """Take in every record that has to do with money."""
    found = Audit()
    since = 0
    for item in reader.everything():
        since += 1
        if since == _TICK:
            tick(since)
            since = 0
        if item.type in HEEDS:
            _take_in(found, item.body)
    return found


def _take_in(found: Audit, body: bytes) -> None:
    """Take in a record; one that cannot be read is missed where it belongs."""
    try:
        envelope = catalog.decode_envelope(body)
        found.see(envelope, catalog.decode_event(envelope))
    except catalog.Undecodable:
        found.unreadable += 1


def _show(found: Audit, violations: tuple[Violation, ...]) -> None:
    out = console()
    broken = {item.check for item in violations}
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check, rule in CHECKS.items():
        table.add_row("BROKEN" if check in broken else "holds", rule)
    out.print(table)
    open_rounds = len(found.rounds)
    out.print(
        f"\n{found.rounds_checked} rounds ended in order, {open_rounds} not ended, "
        f"{found.transfers_checked} transfers"
    )
    for currency, amount in found.open_funds_minor().items():
        out.print(f"in play: {money(amount)} {currency}")
    for item in violations[:_SHOWN_MAX]:
        out.print(f"\n{item.check}: {item.subject}\n  {item.text}")
    if len(violations) > _SHOWN_MAX:
        out.print(f"\nand {len(violations) - _SHOWN_MAX} more: see --json")
    count = len(violations)
    out.print(f"\n{count} violations" if count else "\nevery cent is accounted for")
