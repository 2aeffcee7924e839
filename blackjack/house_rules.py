"""A house's rules as one frozen value: table C of the rule reference.

The round machine asks these fields and nothing else; no rule set has code of its own.
"""

import hashlib
from typing import Literal

import msgspec


class SideWager(msgspec.Struct, frozen=True):
    """A side wager on the box's starting cards (C-18 to C-21).

    `pays` gives winnings per unit by category. A limit of 0 means the table's own:
    `side_min` below, `max` above; `maximum_is_table_minimum` puts the posted
    minimum above (PR-6).
    """

    name: str
    pays: dict[str, int]
    minimum_minor: int = 0
    maximum_minor: int = 0
    maximum_is_table_minimum: bool = False


class Switch(msgspec.Struct, frozen=True):
    """How the second cards may be exchanged (C-29 to C-33).

    `window`: open for all boxes after the look, or from the box's turn. `back`:
    never, until a card is dealt (NY-22), while nothing is played or kept (LS-16), or
    at any time in the window (ON-15).
    """

    window: Literal["all", "turn"]
    back: Literal["no", "until_card", "window", "always"]
    unlimited: bool = False
    makes_naturals: bool = False


class RuleSet(msgspec.Struct, frozen=True, kw_only=True):
    """Every dimension of table C. Money in minor units, ratios as two integers.

    `penetration_bp`: where the cut card lies, in basis points of the shoe; 0: no cut
    card. `mid_shoe_entry = "barred"`: who lets a round pass stays out (NY-4, LV-5).
    `second_card = "always"`: a dealer without hole card takes it even when nothing
    turns on it (ON-24). `pitch`: a player's first two cards are seen by that player
    only, until the hand is split or finished (LV-13). `player_maximum`: the house may
    record another maximum for a player (LV-8).
    """

    id: str
    decks: int
    hands_per_box: int = 1
    wagers_min: int = 1
    wagers_max: int = 1
    dealer_rounds: int = 1
    boxes: int
    boxes_per_player: int
    players_max: int = 0
    adjacent: bool = False
    floor_minor: int = 0
    ceiling_minor: int = 0
    overbet: Literal["refuse", "return_excess"] = "refuse"
    player_maximum: bool = False
    raised_minimum_binds: bool = True
    mid_shoe_entry: Literal["open", "barred"] = "open"
    entry: tuple[str, ...] = ("open",)
    burn_per_shuffle: int = 1
    burn_per_dealer: int = 0
    burn_shown: bool = True
    penetration_bp: int = 7500
    rounds_per_shuffle: tuple[int, ...] = ()
    order: Literal["U", "H", "N"]
    look: bool = True
    pitch: bool = False
    side: SideWager | None = None
    insurance_up: str = "A"
    insurance_per_box: bool = False
    even_money: bool = False
    switch: Switch | None = None
    natural_pays: tuple[int, int] = (3, 2)
    natural_paid_in_turn: bool = False
    natural_playable: bool = False
    push_22: bool = False
    surrender: bool = False
    surrender_waits: bool = False
    hands_max: int = 2
    ace_hands_max: int = 2
    double_for_less: bool = False
    hit_21: bool = False
    split_21_passes: bool = False
    hits_soft_17: bool = True
    second_card: Literal["needed", "always"] = "needed"
    natural_takes_added: bool = True
    two_card_21_pushes_natural: bool = False
    two_card_21_beats_21: bool = False
    first_natural_settles_all: bool = True
    clauses: dict[str, str]
    """The clause that decides each kind of result (section E)."""

    @property
    def has_hole_card(self) -> bool:
        return self.order != "N"


class Limits(msgspec.Struct, frozen=True):
    """A table's posted limits, minor units (rule reference, Limits)."""

    min_minor: int = 1000
    max_minor: int = 500000
    side_min_minor: int = 100


class RuleSetError(ValueError):
    """An unknown rule set, option or value; the text names it."""


def effective_limits(rules: RuleSet, limits: Limits) -> Limits:
    """Narrow posted limits to the rule set's published bounds."""
    low = max(limits.min_minor, rules.floor_minor)
    high = limits.max_minor
    if rules.ceiling_minor:
        high = min(high, rules.ceiling_minor)
    return Limits(low, high, limits.side_min_minor)


def default_limits(rules: RuleSet) -> Limits:
    """Return the limits of a table that posts none: published bounds go first."""
    plain = Limits()
    return Limits(
        rules.floor_minor or plain.min_minor,
        rules.ceiling_minor or plain.max_minor,
        plain.side_min_minor,
    )


def digest(rules: RuleSet) -> str:
    """Return the SHA-256 of the rule set's data, in hex: equal rules, equal digest."""
    return hashlib.sha256(msgspec.json.encode(rules, order="deterministic")).hexdigest()
