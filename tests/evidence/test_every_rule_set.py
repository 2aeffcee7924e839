"""A pack of each script's round verifies: all rule sets, splits, voids, many boxes."""

import asyncio
import re
from pathlib import Path

import pytest
from played_rounds import SCRIPTS, keys_of, pack_of, play, script_of

from blackjack.rule_sets import RULE_SETS
from push22.evidence import verify

ALL = sorted(SCRIPTS.glob("**/*.round.toml"))
TELLING = re.compile(r"box|insur|split-to|surrender-a|refused|late-natural|switch-b")
"""Scripts in which more happens than one hand against the dealer's."""


def chosen() -> list[Path]:
    """Return a script of each rule set, and all those in which more happens."""
    by_rules: dict[str, Path] = {}
    for path in ALL:
        by_rules.setdefault(script_of(path).rule_set, path)
    assert set(by_rules) == set(RULE_SETS)
    telling = {path for path in ALL if TELLING.search(path.name)}
    return sorted({*by_rules.values(), *telling})


@pytest.mark.parametrize("path", chosen(), ids=lambda path: path.name)
def test_the_pack_of_a_script_is_right(path: Path, tmp_path: Path) -> None:
    """Whatever was played, everything in its pack can be checked without us."""
    asyncio.run(play(script_of(path), tmp_path))
    made = pack_of(tmp_path)

    verdict = verify.judge(verify.unzipped(made.zip), keys_of(tmp_path))

    assert made.is_match
    assert verdict.lines[-1] == "RIGHT", "\n".join(verdict.lines)
