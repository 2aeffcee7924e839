"""Insurance and even money (C-22 to C-25, LV-22)."""

from msgspec.structs import replace

from blackjack import dues as _dues
from blackjack import turns
from blackjack.changes import with_box, with_status
from blackjack.state import Box, Insurance, Round


def offer(round_: Round) -> Round:
    """Offer insurance where the up card calls for it, else go on (C-22)."""
    if round_.up[0] not in round_.rules.insurance_up:
        return after(round_)
    insurances = tuple(item for box in round_.boxes for item in _offered(round_, box))
    if not insurances:
        return after(round_)
    return replace(round_, insurances=insurances)


def _offered(round_: Round, box: Box) -> tuple[Insurance, ...]:
    """Per hand up to half its wager, rounded down; or per box one wager (ON-12)."""
    if round_.rules.insurance_per_box:
        wager = box.hands[0].wagers[0]
        return (Insurance(str(box.number), box.number, wager),)
    return tuple(
        Insurance(hand.label, box.number, hand.wagers[0] // 2)
        for hand in box.hands
        if hand.wagers[0] >= 2
    )


def answer(round_: Round, target: str, action: str, amount: int | None) -> Round:
    """Record one answer; the last one closes the offer (C-24)."""
    insurances = []
    for item in round_.insurances:
        if item.target != target:
            insurances.append(item)
            continue
        stake = (amount or item.most_minor) if action == "insure" else 0
        insurances.append(replace(item, answered=True, stake_minor=stake))
    round_ = replace(round_, insurances=tuple(insurances))
    if action == "even_money":
        round_ = _even_money(round_, target)
    if all(item.answered for item in insurances):
        return after(round_)
    return round_


def _even_money(round_: Round, label: str) -> Round:
    """Pay the natural 1:1 at once; its box cannot switch any more (C-31)."""
    box = turns.box_of(round_, label)
    hands = tuple(
        with_status(hand, "even_money") if hand.label == label else hand
        for hand in box.hands
    )
    paid = next(hand for hand in hands if hand.label == label)
    box = replace(box, hands=hands, window=False, fixed=True)
    dues = (*round_.dues, *_dues.of_hand(round_, box.number, paid))
    return replace(round_, boxes=with_box(round_.boxes, box), dues=dues)


def close(round_: Round) -> Round:
    insurances = tuple(
        item if item.answered else replace(item, answered=True)
        for item in round_.insurances
    )
    return after(replace(round_, insurances=insurances))


def after(round_: Round) -> Round:
    """Look at the hole card where the rules say so, else play (C-26 to C-28)."""
    if round_.rules.look and round_.up[0] in "ATJQK":
        return replace(round_, stage="look")
    return turns.next_turn(round_)
