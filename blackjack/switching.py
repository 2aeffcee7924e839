"""The exchange of the second cards (C-29 to C-33, NY-20 to NY-24)."""

from msgspec.structs import replace

from blackjack.cards import VALUES
from blackjack.changes import in_play, with_box
from blackjack.state import Box, Hand, Round
from blackjack.turns import box_of, next_turn


def apply(round_: Round, number: int, action: str) -> Round:
    box = box_of(round_, str(number))
    switch = round_.rules.switch
    assert switch is not None
    if action == "keep":
        box = replace(box, window=False)
    else:
        box = _exchanged(box, makes_naturals=switch.makes_naturals)
    boxes = with_box(round_.boxes, box)
    if round_.wanted:
        # Another box waits for a card: who is due then is seen when it comes.
        return in_play(round_, boxes, wanted=round_.wanted)
    return next_turn(round_, boxes)


def _exchanged(box: Box, *, makes_naturals: bool) -> Box:
    """Cross the second cards; a stand on the old ones is void (NY-22).

    A natural needs cards that lie as dealt, unless the rule set lets a switch make
    one (NY-24, ON-16).
    """
    one, two = box.hands
    exchanged = not box.exchanged
    counts = makes_naturals or not exchanged
    hands = (
        _crossed(one, two.cards[1], may_be_natural=counts),
        _crossed(two, one.cards[1], may_be_natural=counts),
    )
    return replace(box, hands=hands, used=True, exchanged=exchanged)


def _crossed(hand: Hand, second: str, *, may_be_natural: bool) -> Hand:
    first = hand.cards[0]
    hard = VALUES[first] + VALUES[second]
    ace = first[0] == "A" or second[0] == "A"
    return Hand(
        hand.label,
        (first, second),
        hard,
        ace,
        hand.wagers,
        hand.added,
        natural=may_be_natural and ace and hard == 11,
    )
