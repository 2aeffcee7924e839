"""What there is to see of a round."""

from msgspec.structs import replace

from blackjack.cards import Card
from blackjack.state import Due, Hand, Round, Stake


def dues(round_: Round) -> tuple[Due, ...]:
    """Return the wagers that are decided and not yet taken, in order (C-57)."""
    return round_.dues


def take_dues(round_: Round) -> Round:
    """Mark the decided wagers as handed to settlement."""
    return replace(round_, dues=())


def insurance_open(round_: Round) -> bool:
    return round_.stage == "insurance"


def up_card(round_: Round) -> Card:
    return round_.up


def hands(round_: Round) -> tuple[Hand, ...]:
    """Return every hand in ascending label order."""
    return tuple(hand for box in round_.boxes for hand in box.hands)


def hand_labelled(round_: Round, label: str) -> Hand | None:
    return next((hand for hand in hands(round_) if hand.label == label), None)


def pending(round_: Round) -> str | None:
    """Return the hand or box that the round waits for, if it waits for one."""
    return round_.due if round_.stage == "play" and round_.due else None


def stakes(round_: Round) -> tuple[Stake, ...]:
    """Return every accepted stake, decided ones included, under its result's label."""
    found: list[Stake] = []
    for box in round_.boxes:
        for name, amount in box.sides:
            found.append(Stake(f"{box.number}.{name}", box.number, amount))
        for hand in box.hands:
            found.extend(_of_hand(round_, box.number, hand))
    for item in round_.insurances:
        if item.stake_minor:
            label = f"{item.target}.insurance"
            found.append(Stake(label, item.box, item.stake_minor))
    return (*found, *round_.split_away)


def _of_hand(round_: Round, box: int, hand: Hand) -> list[Stake]:
    circles = len(hand.wagers) > 1
    # A split hand has no result on the circles that were settled before the split.
    first = round_.first_circle if hand.split else 0
    return [
        Stake(
            f"{hand.label}.circle_{circle + 1}" if circles else hand.label,
            box,
            hand.wagers[circle] + hand.added[circle],
        )
        for circle in range(first, len(hand.wagers))
    ]
