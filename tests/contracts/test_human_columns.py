"""Reports say each time and amount twice: exactly, and so that people can read it."""

import csv
import io
from typing import Any

import pytest
from msgspec.structs import fields

from contracts.human_columns import amount
from contracts.reports import (
    Performance,
    PerformanceLine,
    Statement,
    StatementLine,
    to_csv,
)

AT = 1_793_471_400_125_999
SPAN = {"operator": "acme", "since": 0, "until": AT, "made_at": AT}
Table = list[list[str]]


def read(report: Statement | Performance) -> Table:
    return list(csv.reader(io.StringIO(to_csv(report))))


def a_statement(currency: str = "EUR") -> Statement:
    row = StatementLine(
        at=AT, what="round", staked_minor=1250, change_minor=-5, balance_minor=7
    )
    amounts = [x.name for x in fields(Statement) if x.name.endswith("_minor")]
    given = dict.fromkeys(amounts, 1234567) | SPAN
    names = {"title": "statement", "player": "acme.alice", "currency": currency}
    return Statement(**given, **names, rows=(row,))  # type: ignore[arg-type]


def a_report() -> Performance:
    whole = {x.name: 1234 for x in fields(PerformanceLine)}
    names = {"rule_set": "ny-switch-6d", "rules_sha256": "ab"}
    given: list[dict[str, Any]] = [
        whole | names | {"currency": currency} for currency in ("EUR", "JPY")
    ]
    rows = tuple(PerformanceLine(**row) for row in given)
    return Performance(**SPAN, title="performance", rows=rows)  # type: ignore[arg-type]


def split(table: Table, first: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns, and the rows below them."""
    at = next(i for i, row in enumerate(table) if row[0] == first and len(row) > 3)
    columns = table[at]
    return columns, [dict(zip(columns, x, strict=True)) for x in table[at + 1 :]]


def test_a_statement_can_be_read_and_reckoned_with() -> None:
    """What there was is where it was; what is read stands behind it."""
    columns, (row,) = split(read(a_statement()), "at")
    exact = [field.name for field in fields(StatementLine)]
    assert columns[: len(exact)] == exact
    assert columns[len(exact) :][:2] == ["at_utc", "staked"]
    assert len(set(columns)) == len(columns)
    assert (row["at"], row["at_utc"]) == (str(AT), "2026-10-31T18:30:00.125Z")
    assert (row["staked_minor"], row["staked"]) == ("1250", "EUR 12.50")
    assert (row["change_minor"], row["change"]) == ("-5", "EUR -0.05")
    amounts = {name for name in exact if name.endswith("_minor")}
    assert {f"{name}_minor" for name in columns} >= amounts


def test_a_header_says_both() -> None:
    """The exact value stays the second cell of its line."""
    header = {row[0]: row[1:] for row in read(a_statement())}
    assert header["made_at"] == [str(AT), "2026-10-31T18:30:00.125Z"]
    assert header["since"] == ["0", "1970-01-01T00:00:00.000Z"]
    assert header["opening_minor"] == ["1234567", "EUR 12345.67"]
    assert header["operator"] == ["acme"]


def test_a_report_says_each_row_in_its_currency() -> None:
    """A yen has no smaller part."""
    _, (euro, yen) = split(read(a_report()), "rule_set")
    assert (euro["stakes_minor"], euro["stakes"]) == ("1234", "EUR 12.34")
    assert (yen["stakes_minor"], yen["stakes"]) == ("1234", "JPY 1234")
    assert euro["actual_percent"] == "1234"


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (0, "EUR", "EUR 0.00"),
        (-1, "EUR", "EUR -0.01"),
        (-100, "USD", "USD -1.00"),
        (2**53 - 1, "EUR", "EUR 90071992547409.91"),
        (-7, "JPY", "JPY -7"),
        (1005, "KWD", "KWD 1.005"),
    ],
)
def test_an_amount_is_exact(minor: int, currency: str, text: str) -> None:
    """No float is involved, and nothing begins as a formula does."""
    assert amount(minor, currency) == text
