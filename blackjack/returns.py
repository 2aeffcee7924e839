"""What a game returns in theory: figures as data, one file per rule set and options.

Written by `push22 certify RULES --figure blackjack/returns_data`; a file is named by
the digest of its rules, so a changed rule has no figure until one is made for it.
"""

from functools import cache
from importlib import resources

import msgspec

from blackjack.house_rules import RuleSet, digest

_DIGITS = 16


class SideReturn(msgspec.Struct, frozen=True, kw_only=True):
    """A side wager's return per unit staked, counted: `n/d` in lowest terms."""

    name: str
    fraction: str
    percent: float


class Returns(msgspec.Struct, frozen=True, kw_only=True):
    """The main game is sampled with the strategy of that digest, from full shoes.

    Percentages of the initial wagers; `margin_percent` is half a 95 % interval.
    """

    rules: str
    options: dict[str, object]
    engine: str
    rules_sha256: str
    strategy_sha256: str
    rounds: int
    seed: int
    main_percent: float
    margin_percent: float
    side: SideReturn | None


def file_name(rules_id: str, rules_sha256: str) -> str:
    return f"{rules_id}.{rules_sha256[:_DIGITS]}.json"


def returns_of(rules: RuleSet) -> Returns | None:
    """Return the figures of exactly this game, if there are any."""
    return _read(rules.id, digest(rules))


@cache
def _read(rules_id: str, rules_sha256: str) -> Returns | None:
    folder = resources.files("blackjack") / "returns_data"
    file = folder / file_name(rules_id, rules_sha256)
    if not file.is_file():
        return None
    found = msgspec.json.decode(file.read_bytes(), type=Returns)
    assert found.rules_sha256 == rules_sha256, file
    return found
