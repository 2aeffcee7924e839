"""What insurance is worth to a player who has seen the cards of the own box (C-25)."""

from fractions import Fraction

import msgspec

from blackjack.house_rules import RuleSet
from blackjack.settlement import settle
from blackjack.state import Due

_ACES = 4
_TENS = 16
_DECK = 52


class InsuranceWorth(msgspec.Struct, frozen=True):
    """`completing` counts, of the `seen` cards, those that would make the natural."""

    up: str
    seen: int
    completing: int
    natural: Fraction
    value: Fraction


def insurance_worths(rules: RuleSet) -> tuple[InsuranceWorth, ...]:
    """Return the values for each up card it is offered on.

    First with no card seen but the up card, then with the box's own starting cards.
    """
    box = 2 * rules.hands_per_box
    views = [(0, 0), *((box, completing) for completing in range(box + 1))]
    ups = [up for up in "AT" if up in rules.insurance_up]
    return tuple(
        insurance_worth(rules, up, seen, completing)
        for up in ups
        for seen, completing in views
        if completing <= _completing_cards(up, rules.decks)
    )


def insurance_worth(
    rules: RuleSet, up: str, seen: int, completing: int
) -> InsuranceWorth:
    there = _completing_cards(up, rules.decks) - completing
    natural = Fraction(there, _DECK * rules.decks - 1 - seen)
    wins, loses = (_net(rules, natural=each) for each in (True, False))
    value = natural * wins + (1 - natural) * loses
    return InsuranceWorth(up, seen, completing, natural, value)


def _completing_cards(up: str, decks: int) -> int:
    """Count the cards of a shoe that make a natural of this up card."""
    return decks * (_TENS if up == "A" else _ACES)


def _net(rules: RuleSet, *, natural: bool) -> int:
    """Return what one unit of insurance wins or loses, by the settlement itself."""
    due = Due("1.1.insurance", 1, "insurance", 1, dealer_natural=natural)
    return settle(rules, due).payout_minor - due.stake_minor
