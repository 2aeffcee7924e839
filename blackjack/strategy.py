"""The bot's play: switch for the larger sum of both hands' values, then by the table.

The table is data, solved for the very game that is played. Insurance is declined;
even money is taken where the table says so. What is chosen is always legal.
"""

from blackjack.cards import VALUES, Card
from blackjack.legality import refusal
from blackjack.state import Box, Hand, Insurance, Round
from blackjack.strategy_table import StrategyTable, strategy_for
from blackjack.turns import box_of
from blackjack.views import hand_labelled

_ACTIONS = {"H": "hit", "D": "double", "P": "split", "R": "surrender"}


def choose(round_: Round) -> tuple[str, str, int | None] | None:
    """Return target, action and amount of the bot's next decision, if one is due."""
    if round_.stage == "insurance":
        for item in round_.insurances:
            if not item.answered:
                return item.target, _answer(round_, item), None
    due = round_.due
    if round_.stage != "play" or not due:
        return None
    box = box_of(round_, due)
    number = str(box.number)
    if refusal(round_, number, "switch") is None and switches(round_, box):
        return number, "switch", None
    if "." not in due:
        return due, "keep", None
    hand = hand_labelled(round_, due)
    assert hand is not None, "what is due exists"
    return due, _play(round_, hand), None


def switches(round_: Round, box: Box) -> bool:
    """Tell whether the other arrangement is worth more; a tie keeps the cards."""
    first, second = box.hands
    cards = (first.cards, second.cards)
    crossed = (
        (first.cards[0], second.cards[1]),
        (second.cards[0], first.cards[1]),
    )
    switch = round_.rules.switch
    assert switch is not None
    now = _worth(round_, cards, naturals=switch.makes_naturals or not box.exchanged)
    then = _worth(round_, crossed, naturals=switch.makes_naturals or box.exchanged)
    return then > now


def _worth(
    round_: Round, hands: tuple[tuple[Card, ...], ...], *, naturals: bool
) -> float:
    return worth(strategy_for(round_.rules), round_.up, hands, naturals=naturals)


def worth(
    table: StrategyTable,
    up_card: Card,
    hands: tuple[tuple[Card, ...], ...],
    *,
    naturals: bool,
) -> float:
    """Add up what hands of two cards are worth, a natural only where it counts."""
    up = VALUES[up_card]
    total = 0.0
    for first, second in hands:
        low, high = sorted((VALUES[first], VALUES[second]))
        if naturals and (low, high) == (1, 10):
            total += table.natural[up]
        else:
            total += table.two[low, high, up].value
    return total


def _answer(round_: Round, item: Insurance) -> str:
    table = strategy_for(round_.rules)
    takes = table.takes_even_money and "." in item.target
    if takes and refusal(round_, item.target, "even_money") is None:
        return "even_money"
    return "decline"


def _play(round_: Round, hand: Hand) -> str:
    """Return the table's first legal play; to stand is always legal."""
    if hand.natural:
        return "stand"
    is_soft = hand.ace and hand.hard <= 11
    table = strategy_for(round_.rules)
    for action in plays(
        table, round_.up, hand.cards, total=hand.total, is_soft=is_soft
    ):
        if refusal(round_, hand.label, action) is None:
            return action
    return "stand"


def plays(
    table: StrategyTable,
    up_card: Card,
    cards: tuple[Card, ...],
    *,
    total: int,
    is_soft: bool,
) -> tuple[str, ...]:
    """Return the table's actions for a hand in order of preference."""
    up = VALUES[up_card]
    if len(cards) == 2:
        low, high = sorted(VALUES[card] for card in cards)
        letters = table.two[low, high, up].plays
    else:
        letters = (table.soft if is_soft else table.hard)[total, up]
    return tuple(_ACTIONS.get(letter, "stand") for letter in letters)
