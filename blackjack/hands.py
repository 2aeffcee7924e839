"""Counting hands (C-2 to C-7)."""

from blackjack.cards import VALUES, Card


def hard_total(cards: tuple[Card, ...]) -> int:
    """Count every ace as 1."""
    return sum(VALUES[card] for card in cards)


def has_ace(cards: tuple[Card, ...]) -> bool:
    return any(card[0] == "A" for card in cards)


def total(cards: tuple[Card, ...]) -> int:
    """Return the total: an ace counts 11 once, where that is no bust (C-3)."""
    hard = 0
    ace = False
    for card in cards:
        points = VALUES[card]
        hard += points
        ace = ace or points == 1
    return hard + 10 if ace and hard <= 11 else hard


def is_soft(cards: tuple[Card, ...]) -> bool:
    return hard_total(cards) <= 11 and has_ace(cards)


def is_natural(cards: tuple[Card, ...]) -> bool:
    """Tell an ace and a ten-value in two cards; where it counts is C-5's matter."""
    return len(cards) == 2 and total(cards) == 21


def dealer_draws(cards: tuple[Card, ...], *, hits_soft_17: bool) -> bool:
    """Draw to 16, and to soft 17 where the rule set hits it (C-50)."""
    hard = 0
    ace = False
    for card in cards:
        points = VALUES[card]
        hard += points
        ace = ace or points == 1
    if ace and hard <= 11:
        return hard < 7 or (hard == 7 and hits_soft_17)
    return hard < 17
