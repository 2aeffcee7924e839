"""Basic strategy as it is published for shoes, to hold solved tables against.

Source: Wikipedia, "Blackjack", section Basic strategy: three or more decks, dealer
stands on soft 17, double on any two cards and after a split, look, surrender. `U` is
surrender, else hit. The same section names what changes where soft 17 is hit.
"""

UP_CARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)

_HARD = {
    (17, 18, 19, 20): "SSSSSSSSSS",
    (16,): "SSSSSHHUUU",
    (15,): "SSSSSHHHUH",
    (13, 14): "SSSSSHHHHH",
    (12,): "HHSSSHHHHH",
    (11,): "DDDDDDDDDH",
    (10,): "DDDDDDDDHH",
    (9,): "HDDDDHHHHH",
    (5, 6, 7, 8): "HHHHHHHHHH",
}
_SOFT = {
    (8, 9): "SSSSSSSSSS",
    (7,): "SDDDDSSHHH",
    (6,): "HDDDDHHHHH",
    (4, 5): "HHDDDHHHHH",
    (2, 3): "HHHDDHHHHH",
}
_PAIRS = {
    (1,): "PPPPPPPPPP",
    (10,): "SSSSSSSSSS",
    (9,): "PPPPPSPPSS",
    (8,): "PPPPPPPPPP",
    (7,): "PPPPPPHHHH",
    (6,): "PPPPPHHHHH",
    (5,): "DDDDDDDDHH",
    (4,): "HHHPPHHHHH",
    (2, 3): "PPPPPPHHHH",
}


def first_letters(*, hits_soft_17: bool) -> dict[tuple[int, int, int], str]:
    """Return the published play of every two cards but ace and ten."""
    letters = {}
    for low in range(1, 11):
        for high in range(low, 11):
            if (low, high) != (1, 10):
                row = zip(UP_CARDS, _row(low, high), strict=True)
                letters |= {(low, high, up): play for up, play in row}
    if hits_soft_17:
        letters |= _changes()
    return {key: "R" if play == "U" else play for key, play in letters.items()}


def _row(low: int, high: int) -> str:
    if low == high:
        return _found(_PAIRS, low)
    if low == 1:
        return _found(_SOFT, high)
    return _found(_HARD, low + high)


def _found(rows: dict[tuple[int, ...], str], wanted: int) -> str:
    return next(row for numbers, row in rows.items() if wanted in numbers)


def _changes() -> dict[tuple[int, int, int], str]:
    """Double 11 v A, A7 v 2, A8 v 6; surrender 15 and 17 v A, and 8-8 v A."""
    changes = {(1, 7, 2): "D", (1, 8, 6): "D", (8, 8, 1): "U"}
    for low in range(2, 9):
        for total, play in ((11, "D"), (15, "U"), (17, "U")):
            high = total - low
            if low < high <= 10:
                changes[low, high, 1] = play
    return changes
