"""The bot's play: switch for the larger sum of both hands' values, then by the table.

The tables are data: best play and its value for each two cards against each up card.
Insurance is declined. What is chosen is always legal.
"""

from functools import cache
from importlib import resources
from typing import NamedTuple

from blackjack.cards import Card
from blackjack.legality import refusal
from blackjack.state import Box, Hand, Round
from blackjack.turns import box_of
from blackjack.views import hand_labelled

_UP_CARDS = "23456789TA"
_NATURAL_VALUE = 1.0
_SOFT_18 = 18


class Cell(NamedTuple):
    """The best play (`H`, `S`, `D`, `P`) and its value per unit staked."""

    play: str
    value: float


Table = dict[tuple[str, str, str], Cell]
"""By the hand's two ranks, in either order, and the up card's; tens are `T`."""


@cache
def table(decks: int) -> Table:
    """Return the table for the nearest number of decks that there is one for."""
    name = "switch-8d-h17.txt" if decks == 8 else "switch-6d-h17.txt"
    text = (resources.files("blackjack") / "strategy_data" / name).read_text()
    found: Table = {}
    for line in text.splitlines():
        words = line.replace(",", " ").split()
        if len(words) != 12 or line.startswith("#") or words[2][1:2] not in "+-":
            continue
        for up, cell in zip(_UP_CARDS, words[2:], strict=True):
            value = Cell(cell[0], float(cell[1:]))
            found[words[0], words[1], up] = value
            found[words[1], words[0], up] = value
    assert len(found) == 1000, f"{name}: {len(found)} cells"
    return found


def row_rank(card: Card) -> str:
    return "T" if card[0] in "TJQK" else card[0]


def choose(round_: Round) -> tuple[str, str, int | None] | None:
    """Return target, action and amount of the bot's next decision, if one is due."""
    if round_.stage == "insurance":
        for item in round_.insurances:
            if not item.answered:
                return item.target, "decline", None
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
    cells = table(round_.rules.decks)
    up = row_rank(round_.up)
    worth = 0.0
    for first, second in hands:
        ranks = (row_rank(first), row_rank(second))
        if naturals and ranks in (("A", "T"), ("T", "A")):
            worth += _NATURAL_VALUE
        else:
            worth += cells[*ranks, up].value
    return worth


def _play(round_: Round, hand: Hand) -> str:
    """Return the best legal action: the table's, or what stands in for it."""
    label = hand.label
    letter = _letter(round_, hand)
    if letter == "P" and refusal(round_, label, "split") is None:
        return "split"
    if letter == "P":
        letter = _by_total(round_, hand)
    if letter == "D" and refusal(round_, label, "double") is None:
        return "double"
    if letter == "D":
        soft_18_up = hand.ace and hand.hard <= 11 and hand.total >= _SOFT_18
        letter = "S" if soft_18_up else "H"
    if letter == "H" and refusal(round_, label, "hit") is None:
        return "hit"
    return "stand"


def _letter(round_: Round, hand: Hand) -> str:
    if hand.natural:
        return "S"
    if len(hand.cards) > 2:
        return _by_total(round_, hand)
    first, second = hand.cards
    cells = table(round_.rules.decks)
    return cells[row_rank(first), row_rank(second), row_rank(round_.up)].play


def _by_total(round_: Round, hand: Hand) -> str:
    """Play three or more cards like two of the same total: `A, x` or `x, T`."""
    total = hand.total
    cells = table(round_.rules.decks)
    up = row_rank(round_.up)
    if hand.ace and hand.hard <= 11:
        other = row_rank_of(total - 11)
        return "H" if total == 12 else cells["A", other, up].play
    if total < 12:
        return "H"
    if total > 19:
        return "S"
    return cells[row_rank_of(total - 10), "T", up].play


def row_rank_of(points: int) -> str:
    return "T" if points == 10 else str(points)
