"""Reading a table's text."""

import pytest

from blackjack.strategy_table import Cell, parse

ROW = "2, 2 " + " ".join(["PH+0.1"] * 10)


def test_rows_are_read_and_comments_are_not() -> None:
    """Ten columns, from 2 to the ace; a reference file's last line is a remark."""
    table = parse(
        f"# Best play\n{ROW}\nhard 12 H H S S S H H H H H\n"
        "soft 18 S S S S S S S H H H\n"
        "natural +1 +1 +1 +1 +1 +1 +1 +1 +0.9 +0.7\neven_money taken\nSWITCH 6D\n"
    )

    assert table.two[2, 2, 1] == Cell("PH", 0.1)
    assert (table.hard[12, 4], table.soft[18, 9]) == ("S", "H")
    assert (table.natural[10], table.natural[1]) == (0.9, 0.7)
    assert table.takes_even_money


def test_the_digest_is_of_the_rows_alone() -> None:
    """Comments and spaces change nothing, a play does."""
    assert parse(ROW).digest == parse(f"# More\n  {ROW}  \n").digest
    assert parse(ROW).digest != parse(ROW.replace("PH", "HP", 1)).digest


@pytest.mark.parametrize(
    "line",
    [
        "2, 2 PH+0.1",
        ROW.replace("PH", "X", 1),
        ROW.replace("+0.1", "", 1),
        ROW.replace("2, 2", "2, Z"),
        "hard 12 H H",
        "even_money perhaps",
        "natural +1",
        "hard",
    ],
)
def test_a_broken_line_is_named(line: str) -> None:
    """With its number, so that it can be mended."""
    with pytest.raises(ValueError, match=r"^line 2 is no row"):
        parse(f"# Best play\n{line}\n")
