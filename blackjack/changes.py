"""Small changes to frozen values, written out because they are the hot path.

`msgspec.structs.replace` does the same at several times the cost.
"""

from blackjack.state import Box, Due, Hand, HandStatus, Round


def with_status(hand: Hand, status: HandStatus) -> Hand:
    return Hand(
        hand.label,
        hand.cards,
        hand.hard,
        hand.ace,
        hand.wagers,
        hand.added,
        status,
        hand.natural,
        hand.split,
        hand.original,
        hand.doubled,
    )


def with_hands(box: Box, hands: tuple[Hand, ...], *, drew: bool) -> Box:
    """Return the box after a play: it switches no more (C-31).

    `drew`: a card came or a wager was decided, so nothing is returned either.
    """
    return Box(
        box.number,
        hands,
        box.sides,
        False,
        box.used,
        box.exchanged,
        box.fixed or drew,
    )


def with_box(boxes: tuple[Box, ...], box: Box) -> tuple[Box, ...]:
    if len(boxes) == 1:
        return (box,)
    return tuple(box if box.number == old.number else old for old in boxes)


def in_play(  # noqa: PLR0913 - written out because it is the hot path
    round_: Round,
    boxes: tuple[Box, ...],
    due: str = "",
    wanted: tuple[str, ...] = (),
    *,
    dues: tuple[Due, ...] | None = None,
    used: int | None = None,
) -> Round:
    """Return the round in its play stage with these boxes."""
    return Round(
        round_.rules,
        boxes,
        "play",
        wanted,
        due,
        round_.up,
        round_.dealer,
        round_.dealer_hand,
        round_.hole_down,
        round_.insurances,
        round_.dues if dues is None else dues,
        round_.natural_by_look,
        round_.dealer_round,
        round_.first_circle,
        round_.split_away,
        round_.cards_used if used is None else used,
    )
