"""Every requirement of the regulators' list has its row, and names tests that exist."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_PAGE = _ROOT / "docs" / "requirements.md"
_GROUPS = {"G": 19, "R": 7, "H": 13, "X": 9, "L": 6, "A": 9}
_IDS = {f"{group}{n}" for group, last in _GROUPS.items() for n in range(1, last + 1)}
_ROW = re.compile(r"^\| ([A-Z]\d+) \|(.*)\|$", re.MULTILINE)
_NAMED = re.compile(r"`(test_\w+)`")
_DEFINED = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)


def _rows() -> list[tuple[str, str]]:
    return _ROW.findall(_PAGE.read_text())


def _tests() -> set[str]:
    files = (_ROOT / "tests").rglob("test_*.py")
    return {name for file in files for name in _DEFINED.findall(file.read_text())}


def test_every_requirement_has_one_row() -> None:
    """No id is left out, none is listed twice, and none is made up."""
    assert sorted(name for name, _ in _rows()) == sorted(_IDS)


def test_every_named_test_exists() -> None:
    """A requirement is met as long as its tests are there."""
    tests = _tests()
    missing = {
        (row, name)
        for row, text in _rows()
        for name in _NAMED.findall(text)
        if name not in tests
    }
    assert not missing


def test_every_requirement_names_a_test_or_whose_it_is() -> None:
    """What we do not do ourselves is said to be the operator's."""
    unmet = [
        row
        for row, text in _rows()
        if not _NAMED.search(text) and "*Operator*" not in text
    ]
    assert not unmet
