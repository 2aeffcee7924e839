"""Every handed case on the rule book alone."""

from pathlib import Path

import pytest

from blackjack.script import read_script
from tests.rules.pure_table import PureTable

HANDED = Path(__file__).parents[2].parent / "shared" / "rules" / "cases"
OWN = Path(__file__).parents[1] / "scripts"
FILES = sorted(
    {
        path.name: path for folder in (HANDED, OWN) for path in folder.glob("*.toml")
    }.values()
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_case(path: Path) -> None:
    """What the case expects is what the rule book makes of it."""
    table = PureTable(read_script(path.read_text()))

    table.play()

    assert table.differences() == []
