"""Round scripts: one round written down (docs/rules.md, Round scripts).

Reads the notation into values and says what is wrong with a script that can't be
read. What comes of a script is another matter: `push22/script_runner.py` plays it.
"""

import re
import tomllib
from collections import Counter
from typing import Any

import msgspec

from blackjack.cards import Card, parse_cards
from blackjack.rule_sets import (
    Limits,
    RuleSet,
    RuleSetError,
    default_limits,
    rule_set,
)

DEFAULT_BALANCE_MINOR = 10_000_000
SIDE_WAGERS = ("super_match", "bet_the_set")
_TOP_KEYS = {
    "title": str,
    "rules": str,
    "options": dict,
    "cards": str,
    "limits": dict,
    "play": list,
    "box": list,
    "expect": dict,
}
_BOX_KEYS = {"box", "player", "balance", "wager", *SIDE_WAGERS}
_EXPECT_KEYS = {
    "dealer": str,
    "net": dict,
    "outcome": dict,
    "balance": dict,
    "cards_used": int,
    "pending": str,
    "bets_refused": dict,
}
_ACTIONS = {
    "insure",
    "decline",
    "even_money",
    "switch",
    "switch_back",
    "keep",
    "hit",
    "stand",
    "surrender",
    "double",
    "split",
}
_WITH_AMOUNT = {"insure", "double"}
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_PLAYER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,63}")


class ScriptError(ValueError):
    """A script that can't be read: `place` is its key or step."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class ScriptBox(msgspec.Struct, frozen=True):
    box: int
    player: str
    balance_minor: int
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int]


class ScriptStep(msgspec.Struct, frozen=True):
    """`<target> <action> [amount]`, and whether it must be refused, and why."""

    text: str
    target: str
    action: str
    amount_minor: int | None = None
    must_refuse: bool = False
    reason: str = ""


class RoundScript(msgspec.Struct, frozen=True):
    title: str
    rule_set: str
    options: dict[str, Any]
    rules: RuleSet
    cards: tuple[Card, ...]
    limits: Limits
    boxes: tuple[ScriptBox, ...]
    steps: tuple[ScriptStep, ...]
    expect: dict[str, Any]

    def balances(self) -> dict[str, int]:
        """Return each player's balance before betting: the first box names it."""
        found: dict[str, int] = {}
        for box in self.boxes:
            found.setdefault(box.player, box.balance_minor)
        return found


def read_script(text: str) -> RoundScript:
    """Read a script. Raises ScriptError naming the key and what is wrong."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Not only TOMLDecodeError: too many digits or brackets are refused by Python.
        raise ScriptError("toml", str(error)) from error
    _check_keys(document)
    rules = _rules(document)
    return RoundScript(
        title=document.get("title", ""),
        rule_set=document["rules"],
        options=document.get("options", {}),
        rules=rules,
        cards=_cards(document, rules),
        limits=_limits(document, rules),
        boxes=_boxes(document, rules),
        steps=tuple(
            _step(item, f"play[{number}]")
            for number, item in enumerate(document.get("play", []), 1)
        ),
        expect=_expect(document),
    )


def _check_keys(document: dict[str, Any]) -> None:
    for key, value in document.items():
        kind = _TOP_KEYS.get(key)
        if kind is None:
            raise ScriptError(key, "unknown key")
        if not isinstance(value, kind):
            raise ScriptError(key, f"must be a {kind.__name__}")
    for key in ("rules", "cards", "box"):
        if key not in document:
            raise ScriptError(key, "is missing")


def _rules(document: dict[str, Any]) -> RuleSet:
    try:
        rule_set(document["rules"])
    except RuleSetError as error:
        raise ScriptError("rules", str(error)) from error
    try:
        return rule_set(document["rules"], document.get("options", {}))
    except RuleSetError as error:
        raise ScriptError("options", str(error)) from error


def _cards(document: dict[str, Any], rules: RuleSet) -> tuple[Card, ...]:
    try:
        cards = parse_cards(document["cards"])
    except ValueError as error:
        raise ScriptError("cards", str(error)) from error
    for card, count in Counter(cards).items():
        if count > rules.decks:
            raise ScriptError(
                "cards", f"{card} appears {count} times in {rules.decks} deck(s)"
            )
    return cards


def _limits(document: dict[str, Any], rules: RuleSet) -> Limits:
    given = document.get("limits", {})
    for key, value in given.items():
        if key not in ("min", "max", "side_min"):
            raise ScriptError(f"limits.{key}", "unknown key")
        _amount(f"limits.{key}", value, least=1)
    usual = default_limits(rules)
    limits = Limits(
        given.get("min", usual.min_minor),
        given.get("max", usual.max_minor),
        given.get("side_min", usual.side_min_minor),
    )
    if limits.min_minor > limits.max_minor:
        raise ScriptError("limits", "min exceeds max")
    return limits


def _amount(place: str, value: object, *, least: int | None = None) -> int:
    if type(value) is not int:
        raise ScriptError(place, f"must be an integer, not {value!r}")
    if least is not None and value < least:
        raise ScriptError(place, f"must be at least {least}, not {value}")
    return value


def _boxes(document: dict[str, Any], rules: RuleSet) -> tuple[ScriptBox, ...]:
    boxes = tuple(
        _box(item, f"box[{number}]", rules)
        for number, item in enumerate(document["box"], 1)
    )
    for number, count in Counter(box.box for box in boxes).items():
        if count > 1:
            raise ScriptError("box", f"box {number} appears {count} times")
    if not boxes:
        raise ScriptError("box", "there is none")
    return boxes


def _box(item: Any, place: str, rules: RuleSet) -> ScriptBox:
    if not isinstance(item, dict):
        raise ScriptError(place, "must be a table")
    for key in item:
        if key not in _BOX_KEYS:
            raise ScriptError(f"{place}.{key}", "unknown key")
    if "box" not in item:
        raise ScriptError(f"{place}.box", "is missing")
    number = _amount(f"{place}.box", item["box"])
    player = item.get("player", f"p{number}")
    if not isinstance(player, str) or not _PLAYER.fullmatch(player):
        raise ScriptError(f"{place}.player", f"is no player's name: {player!r}")
    balance = item.get("balance", DEFAULT_BALANCE_MINOR)
    return ScriptBox(
        box=number,
        player=player,
        balance_minor=_amount(f"{place}.balance", balance, least=0),
        wagers_minor=_wagers(item, f"{place}.wager", rules),
        side_wagers_minor={
            name: _amount(f"{place}.{name}", item[name])
            for name in SIDE_WAGERS
            if name in item
        },
    )


def _wagers(item: dict[str, Any], place: str, rules: RuleSet) -> tuple[int, ...]:
    """One number stands for every main wager of the box, circles included."""
    if "wager" not in item:
        return ()
    wager = item["wager"]
    if not isinstance(wager, list):
        return (_amount(place, wager),) * rules.wagers_max
    return tuple(
        _amount(f"{place}[{number}]", amount) for number, amount in enumerate(wager, 1)
    )


def _step(item: Any, place: str) -> ScriptStep:
    if not isinstance(item, str):
        raise ScriptError(place, f"must be a text, not {item!r}")
    text, mark, reason = item.partition("!")
    words = text.split()
    if len(words) not in (2, 3) or len(reason.split()) > 1:
        raise ScriptError(place, f"is not '<target> <action> [amount]': {item!r}")
    action = words[1]
    if action not in _ACTIONS and not mark:
        raise ScriptError(place, f"unknown action {action!r}")
    amount = None
    if len(words) == 3:
        amount = _step_amount(words[2], action, place)
    return ScriptStep(item, words[0], action, amount, bool(mark), reason.strip())


def _step_amount(word: str, action: str, place: str) -> int:
    if action not in _WITH_AMOUNT:
        raise ScriptError(place, f"{action} takes no amount")
    if not _INTEGER.fullmatch(word):
        raise ScriptError(place, f"{word!r} is no amount")
    return int(word)


def _expect(document: dict[str, Any]) -> dict[str, Any]:
    expect: dict[str, Any] = document.get("expect", {})
    for key, value in expect.items():
        kind = _EXPECT_KEYS.get(key)
        if kind is None:
            raise ScriptError(f"expect.{key}", "unknown key")
        if type(value) is not kind:
            raise ScriptError(f"expect.{key}", f"must be a {kind.__name__}")
        if key == "dealer":
            _expected_cards(value)
        if isinstance(value, dict):
            _check_values(f"expect.{key}", key, value)
    return expect


def _expected_cards(text: object) -> None:
    try:
        parse_cards(str(text))
    except ValueError as error:
        raise ScriptError("expect.dealer", str(error)) from error


def _check_values(place: str, key: str, values: dict[str, Any]) -> None:
    wanted = int if key in ("net", "balance") else str
    for label, value in values.items():
        if type(value) is not wanted:
            raise ScriptError(f"{place}.{label}", f"must be a {wanted.__name__}")
