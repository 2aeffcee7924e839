"""The help of every command: wrapped by the terminal alone, each option told apart."""

import re
from collections import Counter

import pytest

from push22.__main__ import COMMANDS, run
from push22.help_text import joined

_BOX = re.compile(r"^│ (.*) │$", re.MULTILINE)
_BY_DEFAULT = re.compile(r" *\[(?:default|choices|required|env var).*")
_GAP = "  "


def helped(
    name: str,
    columns: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run([name, "--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_breaks_no_line_that_has_room(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a terminal without an end every option and every paragraph is one line."""
    text = helped(name, 2000, monkeypatch, capsys)
    rows = _BOX.findall(text)
    paragraphs = text.partition("╭")[0].strip().split("\n\n")

    assert [row.strip() for row in rows if row.startswith(8 * " ")] == []
    assert [lines for lines in paragraphs if "\n" in lines] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_tells_each_option_apart(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No two options of a command have the same words, and none has none."""
    rows = _BOX.findall(helped(name, 2000, monkeypatch, capsys))
    told = [_BY_DEFAULT.sub("", row.strip()).rpartition(_GAP)[2] for row in rows]

    assert [words for words, count in Counter(told).items() if count > 1] == []
    assert [words for words in told if not words or words.startswith("-")] == []


def test_help_fits_eighty_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The longest help, in the narrowest terminal that is spoken of."""
    lines = helped("load", 80, monkeypatch, capsys).splitlines()
    assert len(lines) > len(COMMANDS)
    assert max(map(len, lines)) <= 80


def test_paragraphs_are_joined_and_kept_apart() -> None:
    """What is indented on purpose, or a paragraph of its own, stays so."""
    text = "one\ntwo\n\nthree\n    four\nfive"
    assert joined(text) == "one two\n\nthree\n    four five"
