"""Cards are two characters: a rank and a suit, `As`, `Td` (C-1, C-2)."""

Card = str
"""A rank of `A23456789TJQK` and a suit of `cdhs`."""

RANKS = "A23456789TJQK"
SUITS = "cdhs"
FULL_DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CODES: dict[Card, int] = {card: code for code, card in enumerate(FULL_DECK)}
"""A card's code is its place in `FULL_DECK`; a shoe's card `i` has code `i % 52`."""

VALUES: dict[Card, int] = {
    card: 10 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in FULL_DECK
}
"""Point values; an ace is 1 here, and 11 where `hands` says so (C-3)."""


def value(card: Card) -> int:
    return VALUES[card]


def rank(card: Card) -> str:
    return card[0]


def is_ten(card: Card) -> bool:
    return VALUES[card] == 10


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read `Th 9c 6d`. Raises ValueError naming the first word that is no card."""
    cards = tuple(text.split())
    for place, card in enumerate(cards, 1):
        if card not in CODES:
            raise ValueError(f"card {place}: {card!r} is no card")
    return cards
