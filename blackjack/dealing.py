"""Opening a round and the starting cards (C-13)."""

from blackjack.bets import Bet
from blackjack.cards import VALUES, Card
from blackjack.house_rules import RuleSet
from blackjack.state import Box, Due, Hand, Round


def open_round(rules: RuleSet, bets: tuple[Bet, ...]) -> Round:
    """Lay out the accepted bets, in ascending box order, and want the cards."""
    if not bets:
        return Round(rules, (), "over")
    numbers = [bet.box for bet in bets]
    assert numbers == sorted(set(numbers)), "each box once, in ascending order"
    boxes = tuple([_box(rules, bet) for bet in bets])
    labels = tuple([hand.label for box in boxes for hand in box.hands])
    return Round(rules, boxes, "deal", _places(rules, labels))


def _box(rules: RuleSet, bet: Bet) -> Box:
    wagers = bet.wagers_minor
    # Two hands have a wager each; one hand stands on all its circles (MA-2).
    shares = [wagers] if rules.hands_per_box == 1 else [(wager,) for wager in wagers]
    hands = [
        Hand(f"{bet.box}.{place}", (), 0, False, share, (0,) * len(share))
        for place, share in enumerate(shares, 1)
    ]
    sides = tuple(sorted(bet.side_wagers_minor.items()))
    return Box(bet.box, tuple(hands), sides, rules.switch is not None)


def starting_places(round_: Round) -> tuple[str, ...]:
    """Return the places of the starting cards in the order they are dealt."""
    labels = tuple([hand.label for box in round_.boxes for hand in box.hands])
    return _places(round_.rules, labels)


def _places(rules: RuleSet, labels: tuple[str, ...]) -> tuple[str, ...]:
    match rules.order:
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
