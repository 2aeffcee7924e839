"""From a rule set and a strategy to the kernel's numbers.

Which letters are legal where is decided here, once, so that the kernel only looks up.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from blackjack.house_rules import RuleSet
from blackjack.strategy_table import StrategyTable
from push22.kernel.game import (
    BUST,
    CODES,
    DEALER_NATURAL,
    DOUBLE,
    EVEN_MONEY,
    HARDS,
    HIT,
    NATURAL,
    PAIRS,
    SPLIT,
    SPLIT_MORE,
    STAND,
    START,
    SURRENDER,
    SURRENDERED,
    TWO_CARD_21,
    TWOS,
    UPS,
    Game,
    Rules,
    Tables,
)

WAGER_MINOR = 100
"""Halves, 3:2 and 6:5 of it are whole."""

_LETTERS = {"S": STAND, "H": HIT, "D": DOUBLE, "P": SPLIT, "R": SURRENDER}
_RANKS = range(1, 11)


def compile_game(
    rules: RuleSet,
    strategy: StrategyTable,
    *,
    wager_minor: int = WAGER_MINOR,
    circles: int | None = None,
) -> Game:
    """Return the game with `wager_minor` on every starting hand or circle."""
    if circles is None:
        circles = rules.wagers_max if rules.hands_per_box == 1 else 1
    # A wager of 1 has no half to insure, and no offer to answer with even money (C-23).
    offered = rules.even_money and wager_minor >= 2
    takes_even_money = offered and strategy.takes_even_money
    return Game(
        _rules(rules, circles, takes_even_money=takes_even_money),
        _tables(rules, strategy, wager_minor),
        wager_minor,
    )


def _rules(rules: RuleSet, circles: int, *, takes_even_money: bool) -> Rules:
    switch = rules.switch
    return Rules(
        decks=rules.decks,
        hands_per_box=rules.hands_per_box,
        circles=circles,
        up_comes_last=int(rules.order == "H"),
        has_hole_card=int(rules.has_hole_card),
        looks=int(rules.look),
        takes_even_money=int(takes_even_money),
        may_switch=int(switch is not None),
        switch_makes_naturals=int(switch is not None and switch.makes_naturals),
        naturals_paid_in_turn=int(rules.natural_paid_in_turn),
        hands_max=rules.hands_max,
        ace_hands_max=rules.ace_hands_max,
        surrender_waits=int(rules.surrender_waits),
        takes_second_card_always=int(rules.second_card == "always"),
        natural_takes_added=int(rules.natural_takes_added),
        natural_settles_all=int(
            rules.first_natural_settles_all or rules.dealer_rounds == 1
        ),
    )


def _tables(rules: RuleSet, strategy: StrategyTable, wager_minor: int) -> Tables:
    letters = np.zeros(3 * TWOS, dtype=np.uint8)
    worth = np.zeros(2 * TWOS, dtype=np.float64)
    for first, second, up in _starts():
        cell = strategy.two[min(first, second), max(first, second), up]
        place = first * PAIRS + second * UPS + up
        worth[place] = cell.value
        is_natural = {first, second} == {1, 10}
        worth[TWOS + place] = strategy.natural[up] if is_natural else cell.value
        for kind in range(3):
            legal = _legal(rules, first, second, kind)
            letter = next((item for item in cell.plays if item in legal), "S")
            letters[kind * TWOS + place] = _LETTERS[letter]
    return Tables(
        letters, _hits(strategy), _draws(rules), worth, _pays(rules, wager_minor)
    )


def _starts() -> Iterator[tuple[int, int, int]]:
    for first in _RANKS:
        for second in _RANKS:
            for up in _RANKS:
                yield first, second, up


def _legal(rules: RuleSet, first: int, second: int, kind: int) -> str:
    """Return the letters that may be played on two cards (C-35 to C-48)."""
    most = rules.ace_hands_max if first == 1 else rules.hands_max
    has_room = most > 1 if kind == START else kind == SPLIT_MORE
    split = "P" if first == second and has_room else ""
    if kind != START and first == 1:
        return "S" + split
    is_21 = {first, second} == {1, 10}
    if kind != START and is_21 and rules.split_21_passes:
        return "S"
    hit = "" if is_21 and not rules.hit_21 else "H"
    surrender = "R" if kind == START and rules.surrender else ""
    return "SD" + hit + split + surrender


def _hits(strategy: StrategyTable) -> npt.NDArray[np.uint8]:
    """Tell which three or more cards take another one; 21 stands by itself."""
    hits = np.zeros(2 * HARDS * UPS, dtype=np.uint8)
    for up in _RANKS:
        for hard in range(6, 21):
            hits[hard * UPS + up] = strategy.hard[hard, up] == "H"
        for hard in range(12, 21):
            hits[(HARDS + hard) * UPS + up] = strategy.hard[hard, up] == "H"
        for hard in range(3, 11):
            hits[(HARDS + hard) * UPS + up] = strategy.soft[hard + 10, up] == "H"
    return hits


def _draws(rules: RuleSet) -> npt.NDArray[np.uint8]:
    """Tell what the dealer draws to (C-50)."""
    draws = np.zeros(2 * HARDS, dtype=np.uint8)
    draws[:17] = 1
    draws[HARDS : HARDS + 7] = 1
    draws[HARDS + 7] = rules.hits_soft_17
    draws[HARDS + 12 : HARDS + 17] = 1
    return draws


def _pays(rules: RuleSet, wager_minor: int) -> npt.NDArray[np.int64]:
    """Return the net of each code of a hand against each code of a dealer (C-55)."""
    pays = np.zeros((CODES, CODES), dtype=np.int64)
    for dealer in range(CODES):
        for code in range(1, TWO_CARD_21 + 1):
            pays[dealer, code] = wager_minor * _sign(rules, dealer, code)
    numerator, denominator = rules.natural_pays
    pays[:, BUST] = -wager_minor
    pays[:, NATURAL] = -(-wager_minor * numerator // denominator)
    pays[:, SURRENDERED] = -(wager_minor // 2)
    pays[:, EVEN_MONEY] = wager_minor
    pays[DEALER_NATURAL, NATURAL] = 0
    if rules.surrender_waits:
        pays[DEALER_NATURAL, SURRENDERED] = -wager_minor
    return pays.ravel()


def _sign(rules: RuleSet, dealer: int, code: int) -> int:
    """Return 1, 0 or -1 for a hand of this total, or of 21 in two cards."""
    two_card_21 = code == TWO_CARD_21
    if dealer == DEALER_NATURAL:
        return 0 if two_card_21 and rules.two_card_21_pushes_natural else -1
    if dealer == 22 and rules.push_22:
        return 0
    if dealer > 21:
        return 1
    total = 21 if two_card_21 else code
    if total == dealer == 21 and two_card_21 and rules.two_card_21_beats_21:
        return 1
    return (total > dealer) - (total < dealer)
