"""`push22 script`: steps for which there is no round, or none any more."""

from pathlib import Path

import pytest

from push22.__main__ import run
from tests.rules.played import script_text

Told = pytest.CaptureFixture[str]
CARDS = "Th 9c 6d 5s Kd 6c"
LOW = "wager = 1"
REFUSED = 'expect = { bets_refused = { "1" = "below_minimum" } }'


def said_of(folder: Path, capsys: Told, text: str) -> tuple[int, str, str]:
    """Return the exit code and what stands in the two outputs."""
    file = folder / "end.round.toml"
    file.write_text(text, encoding="utf-8")
    code = run(["script", str(file)])
    told = capsys.readouterr()
    return code, told.out.replace(str(file), "").strip(), told.err.strip()


def test_steps_without_a_round_are_refused_by_the_rules(
    tmp_path: Path, capsys: Told
) -> None:
    """C-11, C-64: no bet, no round, so no action is known and no hand is there."""
    steps = ("1.1 fold !unknown_action", "1.1 hit !no_such_hand")
    text = script_text(CARDS, *steps, boxes=(LOW,), more=REFUSED)

    assert said_of(tmp_path, capsys, text) == (0, "ok", "")


def test_a_hand_that_is_not_there_comes_before_the_end(
    tmp_path: Path, capsys: Told
) -> None:
    """C-64: of a round that is settled the reasons keep their order, quietly."""
    steps = ("1.1 surrender", "1.2 surrender")
    late = ("1.3 hit !no_such_hand", "1.1 hit !round_over", "1.1 fold !unknown_action")
    text = script_text(CARDS, *steps, *late)

    assert said_of(tmp_path, capsys, text) == (0, "ok", "")
