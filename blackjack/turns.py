"""Whose turn it is: the boxes from the dealer's left, their hands in label order."""

from blackjack.changes import in_play
from blackjack.rule_sets import RuleSet
from blackjack.state import Box, Due, Hand, Round


def box_of(round_: Round, target: str) -> Box:
    """Return the box of a label that exists."""
    number = int(target.partition(".")[0])
    return next(box for box in round_.boxes if box.number == number)


def waits(rules: RuleSet, hand: Hand) -> bool:
    """Tell whether a hand is still asked or waits for its second card (C-34, C-36)."""
    if hand.status != "playing":
        return False
    return rules.natural_playable or not hand.natural


def is_finished(rules: RuleSet, box: Box, hand: Hand) -> bool:
    """A natural that is not played is finished once its box can't switch (C-36)."""
    if hand.status != "playing":
        return True
    return hand.natural and not rules.natural_playable and not box.window


def next_turn(
    round_: Round,
    boxes: tuple[Box, ...] | None = None,
    dues: tuple[Due, ...] | None = None,
) -> Round:
    """Find the hand or box that is due; after the last one the dealer plays."""
    if boxes is None:
        boxes = round_.boxes
    rules = round_.rules
    for box in boxes:
        for hand in box.hands:
            if not waits(rules, hand):
                continue
            label = hand.label
            if len(hand.cards) == 1:
                return in_play(round_, boxes, wanted=(label,), dues=dues)
            return in_play(round_, boxes, due=label, dues=dues)
        if box.window:
            return in_play(round_, boxes, due=str(box.number), dues=dues)
    return _after_play(in_play(round_, boxes, dues=dues))


def _after_play(round_: Round) -> Round:
    from blackjack import dealer  # noqa: PLC0415 - the dealer may give the turn back

    return dealer.after_play(round_)
