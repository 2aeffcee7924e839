"""The thirteen rule sets of the house, as data (table C)."""

from msgspec.structs import replace

from blackjack import clauses
from blackjack.house_rules import RuleSet, SideWager, Switch

_SIX_DECKS = {"pair": 1, "three": 5, "two_pairs": 8, "four": 40}
_EIGHT_DECKS = {"pair": 1, "three": 5, "two_pairs": 7, "four": 50}
_MATCH_6 = SideWager("super_match", _SIX_DECKS)
_MATCH_8 = SideWager("super_match", _EIGHT_DECKS)
_MATCH_PR = SideWager(
    "super_match", _SIX_DECKS, minimum_minor=100, maximum_is_table_minimum=True
)
_MATCH_ONLINE = SideWager("super_match", _SIX_DECKS, maximum_minor=20000)
_SET = SideWager("bet_the_set", {"pair": 10, "suited": 15}, 100, 10000)
_SET_2 = SideWager("bet_the_set", {"pair": 10, "suited": 25}, 100, 10000)

_NEW_YORK = RuleSet(
    id="ny-switch-6d",
    decks=6,
    hands_per_box=2,
    wagers_min=2,
    wagers_max=2,
    boxes=5,
    boxes_per_player=5,
    burn_per_dealer=1,
    order="U",
    side=_MATCH_6,
    insurance_up="ATJQK",
    switch=Switch("all", "until_card"),
    natural_pays=(1, 1),
    push_22=True,
    surrender=True,
    hands_max=4,
    double_for_less=True,
    clauses=clauses.NEW_YORK,
)

_MULTIPLE_ACTION = RuleSet(
    id="ny-multiple-action",
    decks=8,
    wagers_min=2,
    wagers_max=3,
    dealer_rounds=3,
    boxes=6,
    boxes_per_player=1,
    burn_per_dealer=1,
    order="U",
    surrender=True,
    hits_soft_17=False,
    two_card_21_beats_21=True,
    clauses=clauses.MULTIPLE_ACTION,
)

_PUERTO_RICO = RuleSet(
    id="pr-switch-6d",
    decks=6,
    hands_per_box=2,
    wagers_min=2,
    wagers_max=2,
    boxes=5,
    boxes_per_player=5,
    burn_shown=False,
    order="U",
    side=_MATCH_PR,
    switch=Switch("all", "no"),
    natural_pays=(1, 1),
    push_22=True,
    clauses=clauses.PUERTO_RICO,
)

_LAS_VEGAS = RuleSet(
    id="lv-8d",
    decks=8,
    boxes=7,
    boxes_per_player=3,
    adjacent=True,
    player_maximum=True,
    raised_minimum_binds=False,
    order="H",
    side=_SET,
    even_money=True,
    natural_paid_in_turn=True,
    natural_playable=True,
    surrender=True,
    hands_max=4,
    ace_hands_max=4,
    double_for_less=True,
    hit_21=True,
    clauses=clauses.LAS_VEGAS,
)

_TWO_DECKS = replace(
    _LAS_VEGAS,
    id="lv-2d",
    decks=2,
    boxes=6,
    boxes_per_player=2,
    mid_shoe_entry="barred",
    side=_SET_2,
    surrender=False,
    ace_hands_max=2,
    clauses=clauses.LAS_VEGAS_TWO_DECKS,
)

_ONE_DECK = replace(
    _TWO_DECKS,
    id="lv-1d",
    decks=1,
    penetration_bp=0,
    rounds_per_shuffle=(5, 4, 3, 2, 2, 2),
    side=None,
    even_money=False,
    natural_pays=(6, 5),
    clauses=clauses.LAS_VEGAS_ONE_DECK,
)

_LAS_VEGAS_SWITCH = replace(
    _LAS_VEGAS,
    id="lv-switch",
    decks=6,
    hands_per_box=2,
    wagers_min=2,
    wagers_max=2,
    boxes=5,
    boxes_per_player=1,
    adjacent=False,
    ceiling_minor=250000,
    side=_MATCH_6,
    switch=Switch("turn", "window"),
    natural_pays=(1, 1),
    push_22=True,
    surrender=False,
    clauses=clauses.LAS_VEGAS_SWITCH,
)

_ONLINE = RuleSet(
    id="online-switch",
    decks=8,
    hands_per_box=2,
    wagers_min=2,
    wagers_max=2,
    boxes=3,
    boxes_per_player=3,
    players_max=1,
    floor_minor=100,
    ceiling_minor=20000,
    burn_per_shuffle=0,
    burn_shown=False,
    penetration_bp=5000,
    order="N",
    look=False,
    side=_MATCH_ONLINE,
    insurance_per_box=True,
    switch=Switch("turn", "always", unlimited=True, makes_naturals=True),
    natural_pays=(1, 1),
    push_22=True,
    split_21_passes=True,
    second_card="always",
    clauses=clauses.ONLINE,
)

_ALL = (
    _NEW_YORK,
    replace(_NEW_YORK, id="ny-switch-8d", decks=8, side=_MATCH_8),
    _MULTIPLE_ACTION,
    _PUERTO_RICO,
    replace(_PUERTO_RICO, id="pr-switch-8d", decks=8),
    _LAS_VEGAS,
    replace(_LAS_VEGAS, id="lv-6d", decks=6),
    replace(_LAS_VEGAS, id="lv-6d-high-limit", decks=6, hits_soft_17=False),
    replace(_TWO_DECKS, id="lv-2d-pitch", hits_soft_17=False, pitch=True),
    _TWO_DECKS,
    _ONE_DECK,
    _LAS_VEGAS_SWITCH,
    _ONLINE,
)

RULE_SETS: dict[str, RuleSet] = {rules.id: rules for rules in _ALL}
"""Every rule set by its id, with the house options at their defaults."""

MATCH_8 = _MATCH_8
"""Super Match as eight decks pay it, for options that change the decks."""
