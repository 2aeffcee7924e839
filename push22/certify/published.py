"""Edges that others have published, and how far ours may lie from them (G.6).

In percent of the initial wager, as they were printed; switch games per hand.
"""

from typing import Literal

import msgspec

from blackjack.house_rules import RuleSet, digest
from blackjack.rule_sets import RULE_SETS
from push22.certify.reference_games import REFERENCE_GAMES

_SWITCH_SOURCE = "Wizard of Odds, as restated by several authors"
_DOUBTFUL_SOURCE = "one second-hand statement, a change of -0.30; in doubt"
_LAS_VEGAS_SOURCE = (
    "H. Hoppe's published analysis and Wizard of Odds; fresh shoe, basic strategy"
)


Verdict = Literal["inside", "outside", "open", "another_game"]
"""Of a whole interval; `open` while it lies across an end of the range."""


class Published(msgspec.Struct, frozen=True):
    """A printed figure and the range in which an honest engine's edge lies."""

    game: str
    figure: str
    low: float
    high: float
    source: str


def _around(game: str, figure: float, points: float) -> Published:
    low, high = round(figure - points, 3), round(figure + points, 3)
    return Published(game, f"{figure:.3f}", low, high, _LAS_VEGAS_SOURCE)


_ALL = (
    Published("reference-6d", "0.58", 0.50, 0.63, _SWITCH_SOURCE),
    Published("reference-8d", "0.60", 0.53, 0.67, _SWITCH_SOURCE),
    Published(
        "reference-6d-natural-by-switch", "0.16-0.18", 0.10, 0.22, _SWITCH_SOURCE
    ),
    Published(
        "reference-8d-natural-by-switch", "0.18-0.20", 0.12, 0.24, _SWITCH_SOURCE
    ),
    Published("reference-6d-soft-17-stand", "0.28", 0.10, 0.32, _DOUBTFUL_SOURCE),
    _around("lv-8d", 0.484, 0.03),
    _around("lv-6d", 0.462, 0.03),
    _around("lv-6d-high-limit", 0.264, 0.03),
    _around("lv-2d-pitch", 0.192, 0.04),
    _around("lv-2d", 0.391, 0.04),
    _around("lv-1d", 1.438, 0.06),
)

PUBLISHED: dict[str, Published] = {each.game: each for each in _ALL}
"""By the name of the rule set or reference game that was analysed."""


_NEAREST = {
    "ny-switch-6d": ("reference-6d", "surrender lowers the edge"),
    "ny-switch-8d": ("reference-8d", "surrender lowers the edge"),
    "pr-switch-6d": ("reference-6d", "splitting once raises the edge slightly"),
    "pr-switch-8d": ("reference-8d", "splitting once raises the edge slightly"),
    "lv-switch": (
        "reference-6d",
        "splitting aces again and even money lower the edge",
    ),
    "online-switch": (
        "reference-8d-natural-by-switch",
        "switched naturals push a late dealer natural, which lowers the edge",
    ),
}
"""Of each switch rule set: the published game nearest to it, and what differs."""


class Comparison(msgspec.Struct, frozen=True):
    """A printed figure beside a rule set; it judges only the very game it is of."""

    published: Published
    difference: str = ""

    def verdict(self, low: float, high: float) -> Verdict:
        """Judge an edge by its interval, not by the point that chance has put it at."""
        if self.difference:
            return "another_game"
        accepted = self.published
        if accepted.low <= low and high <= accepted.high:
            return "inside"
        if high < accepted.low or low > accepted.high:
            return "outside"
        return "open"


def comparison_for(rules: RuleSet) -> Comparison | None:
    """Return the figure of exactly this game or, without options, the nearest one."""
    plain = RULE_SETS.get(rules.id) or REFERENCE_GAMES.get(rules.id)
    if plain is None or digest(plain) != digest(rules):
        return None
    if rules.id in PUBLISHED:
        return Comparison(PUBLISHED[rules.id])
    if rules.id in _NEAREST:
        game, difference = _NEAREST[rules.id]
        return Comparison(PUBLISHED[game], difference)
    return None
