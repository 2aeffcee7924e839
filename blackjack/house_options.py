"""House options: what a house may choose, and which fields that changes (section F).

An option or value that is not listed for the rule set is an error.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from blackjack.house_rules import RuleSet, RuleSetError
from blackjack.rule_data import MATCH_8, RULE_SETS

_Apply = Callable[[RuleSet, Any], RuleSet]


def with_options(rules: RuleSet, options: Mapping[str, object]) -> RuleSet:
    """Return the rule set with these options set. Raises RuleSetError."""
    allowed = OPTIONS[rules.id]
    for name, value in options.items():
        if name not in allowed:
            raise RuleSetError(f"{rules.id} has no option {name!r}")
        is_valid, apply = allowed[name]
        if not is_valid(value):
            raise RuleSetError(f"{rules.id}: option {name} can't be {value!r}")
        rules = apply(rules, value)
    if rules.order == "N" and "natural_in_round_one" in options:
        raise RuleSetError(f"{rules.id}: natural_in_round_one needs a hole card")
    return rules


def _one_of(*values: object) -> Callable[[object], bool]:
    # Compared by type too: 1 is not true here, and 5.0 is no count of boxes.
    return lambda value: any(
        value == item and type(value) is type(item) for item in values
    )


def _soft17(rules: RuleSet, value: str) -> RuleSet:
    return replace(rules, hits_soft_17=value == "hit")


def _hole_card(rules: RuleSet, value: str) -> RuleSet:
    if value == "dealt":
        return rules
    return replace(
        rules,
        order="N",
        look=False,
        surrender_waits=True,
        natural_takes_added=False,
        two_card_21_pushes_natural=True,
    )


def _mid_shoe_entry(rules: RuleSet, value: Any) -> RuleSet:
    return replace(rules, mid_shoe_entry=value)


def _boxes_per_player(rules: RuleSet, value: int) -> RuleSet:
    return replace(rules, boxes_per_player=value)


def _delivery(rules: RuleSet, value: str) -> RuleSet:
    return rules if value == "hole" else replace(rules, order="N", look=False)


def _natural_in_round_one(rules: RuleSet, value: str) -> RuleSet:
    return replace(rules, first_natural_settles_all=value == "settle_all")


_MID_SHOE = ("no_mid_shoe_entry", "mid_shoe_minimum_only")
_RETURN = ("no_return", "return_minimum_only")


def _is_entry(value: object) -> bool:
    if value in ("open", *_MID_SHOE, *_RETURN):
        return True
    if not isinstance(value, list) or len(value) != 2:
        return False
    first = [item for item in value if item in _MID_SHOE]
    second = [item for item in value if item in _RETURN]
    return len(first) == 1 and len(second) == 1


def _entry(rules: RuleSet, value: str | list[str]) -> RuleSet:
    chosen = (value,) if isinstance(value, str) else tuple(value)
    return replace(rules, entry=chosen)


def _decks(rules: RuleSet, value: int) -> RuleSet:
    side = rules.side
    if side is not None and value == 8:
        side = MATCH_8
    return replace(rules, decks=value, side=side)


def _switch_back(rules: RuleSet, value: bool) -> RuleSet:  # noqa: FBT001 - an option
    assert rules.switch is not None
    back = "window" if value else "no"
    return replace(rules, switch=replace(rules.switch, back=back))


def _double_for_less(rules: RuleSet, value: bool) -> RuleSet:  # noqa: FBT001 - likewise
    return replace(rules, double_for_less=value)


def _overbet(rules: RuleSet, value: Any) -> RuleSet:
    return replace(rules, overbet=value)


def _is_penetration(value: object) -> bool:
    if not isinstance(value, float):
        return False
    return 0.5 <= value <= 0.9 and abs(value * 10000 - round(value * 10000)) < 1e-6


def _penetration(rules: RuleSet, value: float) -> RuleSet:
    return replace(rules, penetration_bp=round(value * 10000))


_Option = tuple[Callable[[object], bool], _Apply]
_SOFT17: _Option = (_one_of("hit", "stand"), _soft17)
_PENETRATION: _Option = (_is_penetration, _penetration)
_BOXES: _Option = (_one_of(1, 2, 3, 4, 5), _boxes_per_player)
_OVERBET: _Option = (_one_of("refuse", "return_excess"), _overbet)
_DECKS: _Option = (_one_of(6, 8), _decks)

_NEW_YORK: dict[str, _Option] = {
    "soft17": _SOFT17,
    "hole_card": (_one_of("dealt", "late"), _hole_card),
    "mid_shoe_entry": (_one_of("open", "barred"), _mid_shoe_entry),
    "boxes_per_player": _BOXES,
    "penetration": _PENETRATION,
}
_MULTIPLE_ACTION: dict[str, _Option] = {
    "soft17": _SOFT17,
    "delivery": (_one_of("hole", "determinate_first"), _delivery),
    "natural_in_round_one": (
        _one_of("settle_all", "first_circle"),
        _natural_in_round_one,
    ),
    "entry": (_is_entry, _entry),
    "decks": _DECKS,
    "penetration": _PENETRATION,
}
_PUERTO_RICO: dict[str, _Option] = {
    "soft17": _SOFT17,
    "boxes_per_player": _BOXES,
    "switch_back": (_one_of(False, True), _switch_back),
    "double_for_less": (_one_of(False, True), _double_for_less),
    "penetration": _PENETRATION,
}
_TWO_DECKS: dict[str, _Option] = {"overbet": _OVERBET, "penetration": _PENETRATION}
_SHOES: dict[str, _Option] = {"soft17": _SOFT17, **_TWO_DECKS}

OPTIONS: dict[str, dict[str, _Option]] = {
    "ny-switch-6d": _NEW_YORK,
    "ny-switch-8d": _NEW_YORK,
    "ny-multiple-action": _MULTIPLE_ACTION,
    "pr-switch-6d": _PUERTO_RICO,
    "pr-switch-8d": _PUERTO_RICO,
    "lv-8d": _SHOES,
    "lv-6d": _SHOES,
    "lv-6d-high-limit": _SHOES,
    "lv-2d-pitch": _TWO_DECKS,
    "lv-2d": _TWO_DECKS,
    "lv-1d": {"overbet": _OVERBET},
    "lv-switch": {"decks": _DECKS, **_TWO_DECKS},
    "online-switch": {},
}

assert OPTIONS.keys() == RULE_SETS.keys(), "every rule set has its options"
