"""Whose turn it is: the boxes from the dealer's left, their hands in label order."""

from blackjack.changes import in_play
from blackjack.dealer import after_play
from blackjack.house_rules import RuleSet
from blackjack.state import Box, Due, Hand, Round


def box_of(round_: Round, target: str) -> Box:
    """Return the box of a label that exists."""
    boxes = round_.boxes
    if len(boxes) == 1:
        return boxes[0]
    number = int(target.partition(".")[0])
    return next(box for box in boxes if box.number == number)


def is_finished(rules: RuleSet, box: Box, hand: Hand) -> bool:
    """A natural that is not played is finished once its box can't switch (C-36)."""
    if hand.status != "playing":
        return True
    return hand.natural and not rules.natural_playable and not box.window


def next_turn(
    round_: Round,
    boxes: tuple[Box, ...] | None = None,
    dues: tuple[Due, ...] | None = None,
    cards_used: int | None = None,
) -> Round:
    """Find the hand or box that is due; after the last one the dealer plays.

    A hand is asked, or waits for its second card, while it is neither finished nor a
    natural that is not played (C-34, C-36).
    """
    if boxes is None:
        boxes = round_.boxes
    used = round_.cards_used if cards_used is None else cards_used
    playable = round_.rules.natural_playable
    for box in boxes:
        for hand in box.hands:
            if hand.status != "playing" or (hand.natural and not playable):
                continue
            label = hand.label
            if len(hand.cards) == 1:
                return in_play(round_, boxes, "", (label,), dues=dues, used=used)
            return in_play(round_, boxes, label, dues=dues, used=used)
        if box.window:
            return in_play(round_, boxes, str(box.number), dues=dues, used=used)
    return after_play(in_play(round_, boxes, dues=dues, used=used))
