"""Every clause of the implemented rules is named by a test.

Named is what stands in a test's name (`test_ny_24_...`, `test_c55_...`), in a
docstring or comment (`NY-24`, `NY-24 to NY-26`) or in a round script; a test's data
names nothing.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
IMPLEMENTED = ("C", "NY", "MA", "PR", "LV", "LS", "ON")
"""Families of clauses each of which a test names."""

_LISTED = TESTS / "rules" / "clause_ids.txt"
_NAMED = re.compile(r"\b([A-Z]{1,2})-(\d+)(?: to (?:\1-)(\d+))?\b")
_TEST_NAME = re.compile(r"test_([a-z]{1,2})_?(\d+)(?:_|$)")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def clause_ids() -> list[str]:
    return _LISTED.read_text().split()


def said_in(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of a test file, and its tests' names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED):
            yield ast.get_docstring(node) or ""
        name = getattr(node, "name", None) or ""
        if match := _TEST_NAME.match(name):
            yield f"{match[1].upper()}-{match[2]}"
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def named_in(text: str) -> set[str]:
    """Find the clauses that a text names, those inside of a range as well."""
    found = set()
    for match in _NAMED.finditer(text):
        first, last = int(match[2]), int(match[3] or match[2])
        found |= {f"{match[1]}-{number}" for number in range(first, last + 1)}
    return found


def named_by_tests() -> set[str]:
    files = [file for file in TESTS.rglob("*.py") if file != Path(__file__)]
    texts = [text for file in files for text in said_in(file.read_text("utf-8"))]
    texts += [file.read_text("utf-8") for file in TESTS.rglob("*.round.toml")]
    return set().union(*(named_in(text) for text in texts))


def test_the_clause_list_is_whole() -> None:
    """Each family is numbered from 1 without a gap, and no clause stands twice."""
    families: dict[str, list[int]] = {}
    for clause in clause_ids():
        family, _, number = clause.partition("-")
        families.setdefault(family, []).append(int(number))

    for family, numbers in families.items():
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), family


def test_names_of_clauses_are_found_in_every_form() -> None:
    """A test's name, a comment and a range name clauses; a value does not."""
    source = (
        "def test_c55_stands_alone(): ...\n"
        "def test_ny_24_switches():\n"
        '    """C-5 holds; so do NY-30 to NY-32."""\n'
        '    clauses = "NY-1"  # and C-9\n'
    )

    found = set().union(*(named_in(text) for text in said_in(source)))

    assert found == {"C-55", "NY-24", "C-5", "NY-30", "NY-31", "NY-32", "C-9"}


@pytest.mark.parametrize("family", IMPLEMENTED)
def test_every_implemented_clause_is_named_by_a_test(family: str) -> None:
    """No rule is only believed to hold."""
    due = [clause for clause in clause_ids() if clause.startswith(f"{family}-")]
    named = named_by_tests()
    missing = [clause for clause in due if clause not in named]

    assert not missing, f"{len(missing)} clauses without a test: {' '.join(missing)}"


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    """A mistyped clause would look like a tested one."""
    known = set(clause_ids())
    families = {clause.partition("-")[0] for clause in known}
    unknown = {
        name for name in named_by_tests() - known if name.partition("-")[0] in families
    }

    assert unknown == set()
