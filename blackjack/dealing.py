"""Opening a round and the starting cards (C-13)."""

from blackjack.bets import Bet
from blackjack.cards import VALUES, Card
from blackjack.house_rules import RuleSet
from blackjack.state import Box, Due, Hand, Round


def open_round(rules: RuleSet, bets: tuple[Bet, ...]) -> Round:
    """Lay out the accepted bets, in ascending box order, and want the cards."""
    boxes = tuple(_box(rules, bet) for bet in bets)
    assert list(bets) == sorted(bets, key=lambda bet: bet.box), "boxes in order"
    if not boxes:
        return Round(rules, (), "over")
    round_ = Round(rules, boxes, "deal")
    return Round(rules, boxes, "deal", starting_places(round_))


def _box(rules: RuleSet, bet: Bet) -> Box:
    sides = tuple(sorted(bet.side_wagers_minor.items()))
    if rules.hands_per_box == 1:
        hands: tuple[Hand, ...] = (_hand(bet.box, 1, bet.wagers_minor),)
    else:
        hands = tuple(
            _hand(bet.box, place, (wager,))
            for place, wager in enumerate(bet.wagers_minor, 1)
        )
    return Box(bet.box, hands, sides, window=rules.switch is not None)


def _hand(box: int, place: int, wagers: tuple[int, ...]) -> Hand:
    return Hand(f"{box}.{place}", (), 0, False, wagers, (0,) * len(wagers))


def starting_places(round_: Round) -> tuple[str, ...]:
    """Return the places of the starting cards in the order they are dealt."""
    labels = tuple(hand.label for box in round_.boxes for hand in box.hands)
    match round_.rules.order:
        case "U":
            return (*labels, "dealer", *labels, "hole")
        case "H":
            return (*labels, "hole", *labels, "dealer")
        case _:
            return (*labels, "dealer", *labels)


def deal_start(round_: Round, cards: tuple[Card | None, ...]) -> Round:
    """Lay out the starting cards and settle the side wagers (C-18)."""
    rules = round_.rules
    count = (len(cards) - (2 if rules.has_hole_card else 1)) // 2
    first, middle, second = cards[:count], cards[count], cards[count + 1 :]
    up = cards[-1] if rules.order == "H" else middle
    assert up is not None, "the up card lies open"
    boxes = []
    place = 0
    for box in round_.boxes:
        hands = []
        for hand in box.hands:
            hands.append(_two_cards(hand, first[place], second[place]))
            place += 1
        boxes.append(_with_hands(box, tuple(hands)))
    return Round(
        rules,
        tuple(boxes),
        "insurance",
        up=up,
        dealer=(up,),
        dealer_hand=(up,),
        hole_down=rules.has_hole_card,
        dues=_side_dues(boxes),
        cards_used=len(cards),
    )


def _two_cards(hand: Hand, first: Card | None, second: Card | None) -> Hand:
    assert first is not None
    assert second is not None
    hard = VALUES[first] + VALUES[second]
    ace = first[0] == "A" or second[0] == "A"
    return Hand(
        hand.label,
        (first, second),
        hard,
        ace,
        hand.wagers,
        hand.added,
        natural=ace and hard == 11,
    )


def _with_hands(box: Box, hands: tuple[Hand, ...]) -> Box:
    return Box(
        box.number, hands, box.sides, box.window, box.used, box.exchanged, box.fixed
    )


def _side_dues(boxes: list[Box]) -> tuple[Due, ...]:
    return tuple(
        Due(
            f"{box.number}.{name}",
            box.number,
            "side",
            stake,
            cards=tuple(card for hand in box.hands for card in hand.cards),
            side=name,
        )
        for box in boxes
        for name, stake in box.sides
    )
