"""From a decided wager to its result, its payout and the clauses (section E).

A pure function of the rule set and the due; it knows no round and no money but the
wager's own.
"""

from typing import Literal

import msgspec

from blackjack.hands import total
from blackjack.house_rules import RuleSet
from blackjack.state import Due

Result = Literal["blackjack", "win", "push", "lose", "bust", "surrender", "even_money"]


class Line(msgspec.Struct, frozen=True, gc=False):
    """A settled wager. `payout_minor` is all that comes back: net = payout - stake."""

    label: str
    box: int
    kind: Literal["main", "side", "insurance"]
    stake_minor: int
    result: Result
    payout_minor: int
    clauses: tuple[str, ...]


def settle(rules: RuleSet, due: Due) -> Line:
    """Decide one wager by the first line of C-55 that applies."""
    match due.kind:
        case "side":
            return _settle_side(rules, due)
        case "insurance":
            return _settle_insurance(rules, due)
        case "main":
            return _settle_main(rules, due)


def _line(rules: RuleSet, due: Due, result: Result, payout: int, *reasons: str) -> Line:
    clauses = tuple([rules.clauses[reason] for reason in reasons])
    return Line(due.label, due.box, due.kind, due.stake_minor, result, payout, clauses)


def _settle_side(rules: RuleSet, due: Due) -> Line:
    assert rules.side is not None, "a side wager was accepted"
    category = (
        match_category(due.cards) if len(due.cards) == 4 else pair_category(due.cards)
    )
    odds = rules.side.pays.get(category, 0)
    if not odds:
        return _line(rules, due, "lose", 0, category)
    return _line(rules, due, "win", due.stake_minor * (1 + odds), category)


def match_category(cards: tuple[str, ...]) -> str:
    """Sort four cards by rank alone (C-20)."""
    ranks = [card[0] for card in cards]
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    match counts:
        case [4]:
            return "four"
        case [3, 1]:
            return "three"
        case [2, 2]:
            return "two_pairs"
        case [2, 1, 1]:
            return "pair"
    return "no_match"


def pair_category(cards: tuple[str, ...]) -> str:
    """Sort two cards: a suited pair, a pair of one rank, or neither (C-21)."""
    first, second = cards
    if first == second:
        return "suited"
    return "pair" if first[0] == second[0] else "no_match"


def _settle_insurance(rules: RuleSet, due: Due) -> Line:
    if due.dealer_natural:
        return _line(rules, due, "win", due.stake_minor * 3, "insurance_win")
    return _line(rules, due, "lose", 0, "insurance_lose")


def _settle_main(rules: RuleSet, due: Due) -> Line:
    match due.state:
        case "bust":
            return _line(rules, due, "bust", 0, "bust")
        case "surrendered":
            return _settle_surrender(rules, due)
        case "even_money":
            return _line(rules, due, "even_money", due.stake_minor * 2, "even_money")
    if due.natural:
        return _settle_natural(rules, due)
    if due.dealer_natural:
        return _settle_against_natural(rules, due)
    return _compare(rules, due)


def _settle_surrender(rules: RuleSet, due: Due) -> Line:
    """Give half the wager back, rounded up; nothing against a late natural (NY-34)."""
    if due.dealer_natural and rules.surrender_waits:
        return _line(rules, due, "lose", 0, "surrender_lost")
    half_up = due.stake_minor - due.stake_minor // 2
    return _line(rules, due, "surrender", half_up, "surrender")


def _settle_natural(rules: RuleSet, due: Due) -> Line:
    if due.dealer_natural:
        later = due.by_look and due.circle > 1
        reason = "later_circle_push" if later else "natural_push"
        return _line(rules, due, "push", due.stake_minor, reason)
    numerator, denominator = rules.natural_pays
    # Exact, then rounded once, up to the player (C-58).
    winnings = -(-due.stake_minor * numerator // denominator)
    return _line(rules, due, "blackjack", due.stake_minor + winnings, "natural")


def _settle_against_natural(rules: RuleSet, due: Due) -> Line:
    if due.by_look and due.circle > 1:
        return _line(rules, due, "lose", 0, "later_circle_lost")
    points = total(due.cards)
    if points == 21 and len(due.cards) == 2 and rules.two_card_21_pushes_natural:
        reason = "two_card_21_pushes_natural"
        return _line(rules, due, "push", due.stake_minor, reason)
    reason = "lost_to_natural"
    if points == 21:
        reason = _first_known(
            rules, "three_card_21_lost_to_natural", "21_lost_to_natural"
        )
    if rules.natural_takes_added or not due.added_minor:
        return _line(rules, due, "lose", 0, reason)
    # Only original wager is lost; a hand on added stake alone gets all of it back.
    result: Result = "push" if due.added_minor == due.stake_minor else "lose"
    return _line(rules, due, result, due.added_minor, reason, "added_returned")


def _first_known(rules: RuleSet, *reasons: str) -> str:
    """Return the first kind of result that the rule set tells apart."""
    for reason in reasons:
        if reason in rules.clauses:
            return reason
    return "lost_to_natural"


def _compare(rules: RuleSet, due: Due) -> Line:
    mine, theirs = total(due.cards), total(due.dealer)
    win = due.stake_minor * 2
    if theirs == 22 and rules.push_22:
        return _line(rules, due, "push", due.stake_minor, "dealer_22")
    if theirs > 21:
        return _line(rules, due, "win", win, "dealer_bust")
    if mine == theirs == 21 and _two_card_21_wins(rules, due):
        return _line(rules, due, "win", win, "two_card_21_beats_21")
    if mine > theirs:
        return _line(rules, due, "win", win, "higher")
    if mine == theirs:
        return _line(rules, due, "push", due.stake_minor, "equal")
    return _line(rules, due, "lose", 0, "lower")


def _two_card_21_wins(rules: RuleSet, due: Due) -> bool:
    """A two-card 21 beats a longer one in multiple action (MA-36)."""
    shorter = len(due.cards) == 2 and len(due.dealer) > 2
    return rules.two_card_21_beats_21 and shorter
