"""A pack of each script's round verifies: all rule sets, splits, voids, many boxes."""

import asyncio
from pathlib import Path

import pytest
from played_rounds import SCRIPTS, keys_of, pack_of, play, script_of

from blackjack.rule_sets import RULE_SETS
from push22.evidence import verify

FILES = sorted(SCRIPTS.glob("*.round.toml"))
RESULTS = sorted((SCRIPTS / "results").glob("*.round.toml"))


def chosen() -> list[Path]:
    """Return our scripts, and for each rule set that they leave out one of results."""
    seen = {script_of(path).rule_set for path in FILES}
    more = []
    for path in RESULTS:
        if (name := script_of(path).rule_set) not in seen:
            seen.add(name)
            more.append(path)
    assert seen == set(RULE_SETS)
    return [*FILES, *more]


@pytest.mark.parametrize("path", chosen(), ids=lambda path: path.name)
def test_the_pack_of_a_script_is_right(path: Path, tmp_path: Path) -> None:
    """Whatever was played, everything in its pack can be checked without us."""
    asyncio.run(play(script_of(path), tmp_path))
    made = pack_of(tmp_path)

    verdict = verify.judge(verify.unzipped(made.zip), keys_of(tmp_path))

    assert made.is_match
    assert verdict.lines[-1] == "RIGHT", "\n".join(verdict.lines)
