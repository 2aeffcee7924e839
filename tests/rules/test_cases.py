"""Every round script, handed or our own: on the rule book alone and as production.

`tests/scripts` holds the handed cases, `tests/scripts/results` a script for each row
of the settlement tables; the title of such a script names the clauses that decide it.
"""

import asyncio
import re
from pathlib import Path

import pytest

from blackjack.rule_sets import RULE_SETS
from blackjack.script import read_script
from push22.commands.script import play_file
from tests.rules.pure_table import PureTable

HANDED = Path(__file__).parents[2].parent / "shared" / "rules" / "cases"
OWN = Path(__file__).parents[1] / "scripts"
RESULTS = sorted((OWN / "results").glob("*.round.toml"))
FILES = sorted(
    {
        path.name: path for folder in (HANDED, OWN) for path in folder.glob("*.toml")
    }.values()
)
DECIDING = {clause for rules in RULE_SETS.values() for clause in rules.clauses.values()}
"""Every clause that decides a wager (section E)."""

_CLAUSE = re.compile(r"\b[A-Z]{2}-\d+\b")


def played(path: Path) -> PureTable:
    table = PureTable(read_script(path.read_text("utf-8")))
    table.play()
    return table


def cited(path: Path) -> set[str]:
    lines = played(path).lines.values()
    return {clause for line in lines for clause in line.clauses}


@pytest.mark.parametrize("path", [*FILES, *RESULTS], ids=lambda path: path.name)
def test_case(path: Path) -> None:
    """What the case expects is what the rule book makes of it."""
    assert played(path).differences() == []


@pytest.mark.parametrize("path", [*FILES, *RESULTS], ids=lambda path: path.name)
def test_case_in_the_casino(path: Path) -> None:
    """Deciders, shoe, settlement and wallet make the same of it."""
    assert asyncio.run(play_file(path)).failures == []


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.name)
def test_the_clauses_of_a_title_decide_its_round(path: Path) -> None:
    """A result that a title names by its clause stands in the settlement lines."""
    title = read_script(path.read_text("utf-8")).title
    assert set(_CLAUSE.findall(title)) & DECIDING <= cited(path)


def test_every_deciding_clause_decides_in_a_script() -> None:
    """Each row of the settlement tables has a round in which its clause is cited."""
    reached = set().union(*map(cited, [*FILES, *RESULTS]))
    assert DECIDING - reached == set()


def test_the_handed_cases_are_ours_too() -> None:
    """Where they lie beside the repository, each has an equal copy here."""
    for handed in HANDED.glob("*.toml"):
        assert (OWN / handed.name).read_bytes() == handed.read_bytes()
