"""`push22 strategy`: print a table, or solve it again."""

import json
from pathlib import Path

import pytest

from push22.__main__ import run

FOLDER = Path(__file__).parents[2] / "blackjack" / "strategy_data"


def test_a_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Plays by row, and what the bot does with insurance and even money."""
    assert run(["strategy", "lv-switch"]) == 0

    printed = capsys.readouterr().out
    rows = {line.split()[0]: line.split()[1:] for line in printed.splitlines() if line}
    assert rows["8,8"] == ["PS", "PS", "PS", "PS", "PS", "PH", "PH", "PH", "H", "H"]
    assert "even money taken" in printed


def test_values_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """In place of plays."""
    assert run(["strategy", "ny-switch-6d", "--values"]) == 0

    assert "T,T +0.483" in capsys.readouterr().out


def test_a_table_is_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With the options that it was asked for."""
    words = ["strategy", "lv-switch", "--option", "decks=8", "--json"]
    assert run(words) == 0

    document = json.loads(capsys.readouterr().out)
    assert document["options"] == {"decks": 8}
    assert document["game"].startswith("8d-h17-push22-look")
    assert document["two"]["T,T"]["6"]["plays"] == "S"
    assert document["hard"]["16"]["T"] == "H"
    assert document["natural"]["A"] == 1
    assert len(document["two"]) == 55


def test_one_rule_set_is_solved_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same bytes as the committed file."""
    assert run(["strategy", "lv-1d", "--solve", "--out", str(tmp_path)]) == 0

    (written,) = tmp_path.iterdir()
    assert written.read_bytes() == (FOLDER / written.name).read_bytes()
    assert "1 tables written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "name a rule set"),
        (["--all"], "name a rule set"),
        (["lv-6d", "--solve", "--all"], "name a rule set"),
        (["nowhere"], "unknown rule set 'nowhere'"),
        (["lv-6d", "--option", "soft17"], "'soft17' is not name=value"),
        (["lv-6d", "--option", "soft17=both"], "option soft17 can't be 'both'"),
    ],
)
def test_a_wrong_request_is_a_usage_error(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2 and one line."""
    assert run(["strategy", *words]) == 2

    assert reason in capsys.readouterr().err
