"""Statements and reports: what is said of an interval, with a header (GLI-19 2.9.1).

Amounts are minor units, times microseconds since 1970 in UTC. An interval begins with
`since` and ends before `until`.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict, astuple, fields

from contracts.envelope import Micros
from contracts.human_columns import cells_beside, columns_beside, header_cell_beside

NO_ACTIVITY = "no activity in this interval"

What = Literal["round", "deposit", "withdrawal", "correction"]


class StatementLine(msgspec.Struct, frozen=True, kw_only=True):
    """A round, or money that came or went beside rounds.

    `change_minor` is what all of it did to the balance within the interval, and
    `balance_minor` the balance after its last movement. `result` is how the round
    stands for the player: won, lost, even, void or open.
    """

    at: Micros
    what: What
    round_id: str = ""
    result: str = ""
    staked_minor: int = 0
    returned_minor: int = 0
    paid_minor: int = 0
    correction_minor: int = 0
    cash_in_minor: int = 0
    cash_out_minor: int = 0
    change_minor: int = 0
    balance_minor: int = 0
    reference: str = ""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A player's money in one currency: the changes lead from opening to closing."""

    operator: str
    title: str
    since: Micros
    until: Micros
    made_at: Micros
    player: str
    currency: str
    opening_minor: int
    staked_minor: int
    returned_minor: int
    paid_minor: int
    correction_minor: int
    cash_in_minor: int
    cash_out_minor: int
    closing_minor: int
    rows: tuple[StatementLine, ...] = ()
    note: str = ""


class PerformanceLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule set took and gave back in rounds that were closed in the interval.

    Returns are in percent of what was staked; `None` where nothing was, or where no
    certificate of these very rules is known. Void rounds count in their own columns
    only. Funds are those in play when the report was made, whenever they were staked.
    """

    rule_set: str
    rules_sha256: str
    currency: str
    rounds: int
    stakes_minor: int
    payouts_minor: int
    net_minor: int
    actual_percent: float | None
    main_stakes_minor: int
    main_payouts_minor: int
    main_actual_percent: float | None
    main_theoretical_percent: float | None
    side_stakes_minor: int
    side_payouts_minor: int
    side_actual_percent: float | None
    side_theoretical_percent: float | None
    insurance_stakes_minor: int
    insurance_payouts_minor: int
    void_rounds: int
    void_stakes_minor: int
    void_payouts_minor: int
    open_rounds: int
    funds_in_play_minor: int
    interrupted_rounds: int
    funds_interrupted_minor: int


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    operator: str
    title: str
    since: Micros
    until: Micros
    made_at: Micros
    rows: tuple[PerformanceLine, ...] = ()
    note: str = ""


_LINES: dict[type[Any], type[Any]] = {
    Statement: StatementLine,
    Performance: PerformanceLine,
}


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: Any) -> Any:
    """Return a cell that a spreadsheet shows as it is, and never runs as a formula.

    A text that somebody else has written is kept from it by an apostrophe.
    """
    is_run = isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA)
    return f"'{value}" if is_run else value


def to_csv(report: Statement | Performance) -> str:
    """Write a report for a spreadsheet: exact columns, then the same for people.

    In the header a readable value stands behind the exact one.
    """
    columns = [field.name for field in fields(_LINES[type(report)])]
    own = report.currency if isinstance(report, Statement) else ""
    text = io.StringIO()
    out = csv.writer(text)
    for name, value in _header(report):
        told = header_cell_beside(name, value, own)
        out.writerow([name, harmless(value), *filter(None, (told,))])
    out.writerow([*columns, *columns_beside(columns)])
    for row in report.rows:
        currency = row.currency if isinstance(row, PerformanceLine) else own
        exact = map(harmless, astuple(row))
        out.writerow([*exact, *cells_beside(asdict(row), currency)])
    return _noted(out, text, report.note)


def table_csv(report: Any, columns: Sequence[str]) -> str:
    """Write the header's fields first, a line each, then the table.

    `report` is a struct with `rows` and a `note`; its `fields`, if it names them, are
    the columns.
    """
    text = io.StringIO()
    out = csv.writer(text)
    for name, value in _header(report):
        out.writerow([name, harmless(value)])
    out.writerow(columns)
    out.writerows(map(harmless, astuple(row)) for row in report.rows)
    return _noted(out, text, report.note)


def _header(report: Any) -> Iterator[tuple[str, Any]]:
    left_out = ("fields", "rows", "note")
    return (item for item in asdict(report).items() if item[0] not in left_out)


def _noted(out: Any, text: io.StringIO, note: str) -> str:
    if note:
        out.writerow([note])
    return text.getvalue()
