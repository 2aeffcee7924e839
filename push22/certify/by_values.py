"""The edge without chance: what the strategy says each hand is worth, added up.

A second way to the sampled figure, by other code. Only for one hand against one dealer
who looks: the values of a table ignore the cards of a box's other hand.
"""

from itertools import combinations_with_replacement

from blackjack.house_rules import RuleSet
from blackjack.strategy_table import UP_CARDS, StrategyTable

_ACE, _TEN = 1, 10
_NATURAL = (_ACE, _TEN)
_DECK = {rank: 16 if rank == _TEN else 4 for rank in range(_ACE, _TEN + 1)}


def edge_by_values(rules: RuleSet, strategy: StrategyTable) -> float | None:
    """Return the house's share of the wager, or nothing where values don't tell."""
    if rules.hands_per_box > 1 or rules.dealer_rounds > 1 or not rules.look:
        return None
    value = 0.0
    for up in UP_CARDS:
        shoe = {rank: count * rules.decks for rank, count in _DECK.items()}
        chance_up = shoe[up] / sum(shoe.values())
        shoe[up] -= 1
        for hand in combinations_with_replacement(_DECK, 2):
            chance, left = _dealt(shoe, hand)
            if chance:
                worth = _worth(rules, strategy, (hand, up), left)
                value += chance_up * chance * worth
    return -value


def _dealt(shoe: dict[int, int], hand: tuple[int, ...]) -> tuple[float, dict[int, int]]:
    """Return the chance of two cards in either order, and the shoe without them."""
    left = dict(shoe)
    chance = 1.0 if hand[0] == hand[1] else 2.0
    for rank in hand:
        chance *= left[rank] / sum(left.values())
        left[rank] -= 1
    return chance, left


def _worth(
    rules: RuleSet,
    strategy: StrategyTable,
    seen: tuple[tuple[int, ...], int],
    left: dict[int, int],
) -> float:
    """Return the hand's value before the look."""
    (low, high), up = seen
    completing = {_ACE: _TEN, _TEN: _ACE}.get(up)
    chance = left[completing] / sum(left.values()) if completing else 0.0
    if (low, high) != _NATURAL:
        return (1 - chance) * strategy.two[low, high, up].value - chance
    if rules.even_money and strategy.takes_even_money and up == _ACE:
        return 1.0
    won, of = rules.natural_pays
    return (1 - chance) * won / of
