"""The report says of a switch that was offered and not asked for that it lapsed."""

import asyncio
from pathlib import Path

import pytest
from played_rounds import ROUND, SCRIPTS, play, script_of

from push22.evidence.gather import gather
from push22.evidence.telling import happened
from push22.inspect.reader import Reader

KEPT = "keeps its cards: no switch was asked for"
AS_NOW = "keeps its cards as they are now"


def told(name: str, data: Path) -> list[str]:
    (path,) = SCRIPTS.glob(f"**/{name}.round.toml")
    asyncio.run(play(script_of(path), data))
    reader = Reader.open(data)
    try:
        return [row[2] for row in happened(gather(reader, ROUND))]
    finally:
        reader.close()


@pytest.mark.parametrize(
    ("name", "lapsed"),
    [
        ("surrender-before-the-switch", [f"Box 1 {KEPT}"]),
        (
            "three-boxes-of-two-players",
            [f"Box 1 {KEPT}", f"Box 2 {KEPT}", f"Box 3 {AS_NOW}"],
        ),
        ("puerto-rico-box-2-switches-first", [f"Box 1 {KEPT}"]),
        ("online-switches-again-and-again", []),
        ("switch-taken-back-after-standing", []),
    ],
)
def test_a_switch_that_nobody_asked_for_lapses(
    name: str, lapsed: list[str], tmp_path: Path
) -> None:
    """Once for each box; where the player answered, his answer says it."""
    found = told(name, tmp_path)
    assert [text for text in found if KEPT in text or AS_NOW in text] == lapsed


def test_it_stands_right_after_what_let_it_lapse(tmp_path: Path) -> None:
    """Before whatever the table offers next."""
    found = told("later-box-switches-early", tmp_path)
    at = found.index(f"Box 1 {KEPT}")
    assert found[at - 1].startswith("Box 1, hand 1 stands")
    assert found[at + 1].startswith("Open: box 1, hand 2 may hit")
