"""Playing a hand: hit, stand, double, split, surrender (C-34 to C-48)."""

from blackjack import dues as _dues
from blackjack.cards import VALUES, Card
from blackjack.changes import in_play, with_box, with_hands, with_status
from blackjack.house_rules import RuleSet
from blackjack.state import Box, Due, Hand, Round, Stake
from blackjack.turns import box_of, next_turn


def hit(round_: Round, label: str) -> Round:
    box = box_of(round_, label)
    if box.fixed and not box.window:
        return in_play(round_, round_.boxes, "", (label,))
    boxes = with_box(round_.boxes, with_hands(box, box.hands, drew=True))
    return in_play(round_, boxes, "", (label,))


def stand(round_: Round, label: str) -> Round:
    """Stand; a natural that may be played is paid in its turn instead (LV-25)."""
    box = box_of(round_, label)
    hand = _in_box(box, label)
    if hand.natural and round_.rules.natural_paid_in_turn:
        return _closed(round_, box, with_status(hand, "paid"))
    return _closed(round_, box, with_status(hand, "stood"))


def surrender(round_: Round, label: str) -> Round:
    box = box_of(round_, label)
    return _closed(round_, box, with_status(_in_box(box, label), "surrendered"))


def double(round_: Round, label: str, amount: int | None) -> Round:
    """Add a stake of up to the wager, on every open circle alike (C-41, MA-15)."""
    box = box_of(round_, label)
    hand = _in_box(box, label)
    first = round_.first_circle
    added = (
        (amount,)
        if amount is not None and len(hand.wagers) == 1
        else tuple(0 if i < first else wager for i, wager in enumerate(hand.wagers))
    )
    doubled = Hand(
        label,
        hand.cards,
        hand.hard,
        hand.ace,
        hand.wagers,
        added,
        split=hand.split,
        original=hand.original,
        doubled=True,
    )
    box = with_hands(box, _replaced(box, doubled), drew=True)
    return in_play(round_, with_box(round_.boxes, box), "", (label,))


def split(round_: Round, label: str) -> Round:
    """Make two hands; the first gets its second card now (C-43, C-44)."""
    box = box_of(round_, label)
    hand = _in_box(box, label)
    first, second = hand.cards
    halves = (
        _half(hand, f"{label}.1", first, original=hand.original),
        _half(hand, f"{label}.2", second, original=False),
    )
    hands: list[Hand] = []
    for old in box.hands:
        if old.label == label:
            hands.extend(halves)
        else:
            hands.append(old)
    box = with_hands(box, tuple(hands), drew=True)
    split_away = tuple(
        Stake(f"{label}.circle_{circle + 1}", box.number, hand.wagers[circle])
        for circle in range(round_.first_circle)
    )
    round_ = in_play(round_, with_box(round_.boxes, box), wanted=(halves[0].label,))
    return _remember(round_, split_away) if split_away else round_


def _remember(round_: Round, stakes: tuple[Stake, ...]) -> Round:
    from msgspec.structs import replace  # noqa: PLC0415 - rare: MA-9 only

    return replace(round_, split_away=round_.split_away + stakes)


def _half(hand: Hand, label: str, card: Card, *, original: bool) -> Hand:
    return Hand(
        label,
        (card,),
        VALUES[card],
        card[0] == "A",
        hand.wagers,
        (0,) * len(hand.wagers),
        split=True,
        original=original,
    )


def receive(round_: Round, card: Card) -> Round:
    """Give a hand the card it waits for; it may bust or stand by itself (C-35)."""
    label = round_.wanted[0]
    box = box_of(round_, label)
    old = _in_box(box, label)
    hard = old.hard + VALUES[card]
    hand = Hand(
        label,
        (*old.cards, card),
        hard,
        old.ace or card[0] == "A",
        old.wagers,
        old.added,
        "bust" if hard > 21 else "playing",
        False,
        old.split,
        old.original,
        old.doubled,
    )
    if hard <= 21 and _stands_by_itself(round_.rules, box.hands, hand):
        hand = with_status(hand, "stood")
    return _closed(round_, box, hand, cards=1)


def _stands_by_itself(rules: RuleSet, hands: tuple[Hand, ...], hand: Hand) -> bool:
    # `hands` still hold the hand as it was before its card: only labels count here.
    if hand.doubled:
        return True
    if len(hand.cards) > 2:
        return hand.total == 21
    if hand.cards[0][0] == "A":
        return not may_split_again(rules, hands, hand)
    return rules.split_21_passes and hand.total == 21


def may_split_again(rules: RuleSet, hands: tuple[Hand, ...], hand: Hand) -> bool:
    """Tell whether a pair may still become two hands (C-43, C-46)."""
    first, second = hand.cards
    if VALUES[first] != VALUES[second]:
        return False
    return hands_from_start(hands, hand) < hands_max(rules, hand)


def hands_max(rules: RuleSet, hand: Hand) -> int:
    return rules.ace_hands_max if hand.cards[0][0] == "A" else rules.hands_max


def hands_from_start(hands: tuple[Hand, ...], hand: Hand) -> int:
    """Count the hands that come from the same starting hand."""
    box, start = hand.label.split(".")[:2]
    stem = f"{box}.{start}"
    return sum(h.label == stem or h.label.startswith(f"{stem}.") for h in hands)


def _closed(round_: Round, box: Box, hand: Hand, *, cards: int = 0) -> Round:
    """Put a played hand back, note what is decided, and find the next turn."""
    drew = cards > 0 or hand.status in ("surrendered", "paid")
    box = with_hands(box, _replaced(box, hand), drew=drew)
    dues: tuple[Due, ...] | None = None
    if not _dues.is_undecided(round_, hand):
        dues = (*round_.dues, *_dues.of_hand(round_, box.number, hand))
    boxes = with_box(round_.boxes, box)
    return next_turn(round_, boxes, dues, round_.cards_used + cards)


def _in_box(box: Box, label: str) -> Hand:
    for hand in box.hands:
        if hand.label == label:
            return hand
    raise AssertionError(f"no such hand: {label}")


def _replaced(box: Box, hand: Hand) -> tuple[Hand, ...]:
    label = hand.label
    return tuple([hand if label == old.label else old for old in box.hands])
