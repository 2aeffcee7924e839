"""`push22 script`: a bet that is refused unforeseen is what the error names."""

from pathlib import Path

import pytest

from push22.__main__ import run
from tests.rules.played import script_text

Told = pytest.CaptureFixture[str]
CARDS = "Th 9c 6d 5s Kd 6c"
LOW = "wager = 1"


def said_of(folder: Path, capsys: Told, text: str) -> str:
    """Return what stands in the way of a script, which must be in error."""
    file = folder / "low.round.toml"
    file.write_text(text, encoding="utf-8")
    assert run(["script", str(file)]) == 2
    return capsys.readouterr().err.removeprefix(f"push22: {file}: ").strip()


def test_the_refused_bet_is_named_and_not_its_first_step(
    tmp_path: Path, capsys: Told
) -> None:
    """Law 8: without cards every step is refused, which explains nothing."""
    text = script_text(CARDS, "1 switch", boxes=(LOW,))

    assert said_of(tmp_path, capsys, text) == "[[box]] 1: refused: below_minimum"


def test_it_is_named_of_a_box_beside_others(tmp_path: Path, capsys: Told) -> None:
    """The bet of the box whose step can't count, though the round is played."""
    boxes = ("wager = 1000", LOW)
    text = script_text(CARDS, "1 keep", "2 switch", boxes=boxes)

    assert said_of(tmp_path, capsys, text) == "[[box]] 2: refused: below_minimum"


@pytest.mark.parametrize("reason", ["below_minimum", "*"])
def test_where_the_refusal_is_expected_the_step_is_wrong(
    reason: str, tmp_path: Path, capsys: Told
) -> None:
    """A script that knows of the refusal has no business with the box."""
    expected = f'expect = {{ bets_refused = {{ "1" = "{reason}" }} }}'
    text = script_text(CARDS, "1 switch", boxes=(LOW,), more=expected)

    assert said_of(tmp_path, capsys, text).startswith("play: '1 switch' was refused")
