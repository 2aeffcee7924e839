"""Reports as tables: what somebody else has written never runs in a spreadsheet."""

import csv
import io

import pytest
from msgspec.structs import fields

from contracts.reports import Statement, StatementLine, to_csv


def cells(reference: str) -> list[str]:
    """Return the one row of a statement as a table."""
    given: dict[str, object] = dict.fromkeys((f.name for f in fields(Statement)), 0)
    texts = {"operator": "acme", "title": "statement", "player": "acme.alice"}
    row = StatementLine(at=1, what="deposit", change_minor=-5, reference=reference)
    given |= {**texts, "currency": "EUR", "rows": (row,), "note": ""}
    statement = Statement(**given)  # type: ignore[arg-type]
    row_read = list(csv.reader(io.StringIO(to_csv(statement))))[-1]
    return row_read[: len(fields(StatementLine))]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "  ="])
def test_a_reference_is_no_formula(start: str) -> None:
    """An operator names what he moves as he likes; who reads it is protected."""
    text = f'{start}HYPERLINK("http://evil.example","pay")'
    assert cells(text)[-1] == f"'{text}"


def test_other_cells_are_as_they_were() -> None:
    """Amounts stay numbers, also those below zero."""
    row = cells("INV-17 = paid")
    assert row[-1] == "INV-17 = paid"
    assert "-5" in row
