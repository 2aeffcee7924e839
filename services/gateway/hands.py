"""Cards on the felt, moved as the events say; what is not seen stays `""`.

No rule is decided here: how a hand may be played is the table's to offer.
"""

from msgspec.structs import replace

from blackjack.hands import dealer_draws, is_soft, total
from blackjack.rule_sets import RuleSet
from services.gateway.views import BoxView, DealerView, HandStatus, HandView


def box_of(target: str) -> int:
    """Return the box of a hand (`1.2`) or of a box (`1`)."""
    return int(target.partition(".")[0])


def counted(hand: HandView, cards: tuple[str, ...]) -> HandView:
    """Give a hand these cards: it busts, or stands by itself, as its total says."""
    if "" in cards:
        return replace(hand, cards=cards, total=0, soft=False)
    points = total(cards)
    status = hand.status
    if points > 21:
        status = "bust"
    elif (hand.doubled_minor and len(cards) > 2) or (points == 21 and len(cards) > 2):
        status = "stood"
    return replace(hand, cards=cards, total=points, soft=is_soft(cards), status=status)


def with_card(box: BoxView, label: str, card: str) -> BoxView:
    """Lay a card to a hand; its first one makes the hand."""
    for hand in box.hands:
        if hand.label == label:
            return with_hand(box, counted(hand, (*hand.cards, card)))
    hands = (*box.hands, counted(HandView(label, ()), (card,)))
    return replace(box, hands=tuple(sorted(hands, key=lambda hand: hand.label)))


def with_hand(box: BoxView, hand: HandView) -> BoxView:
    hands = tuple(hand if old.label == hand.label else old for old in box.hands)
    return replace(box, hands=hands)


def with_status(box: BoxView, label: str, status: HandStatus) -> BoxView:
    hands = tuple(
        replace(hand, status=status) if hand.label == label else hand
        for hand in box.hands
    )
    return replace(box, hands=hands)


def doubled(box: BoxView, label: str, amount_minor: int) -> BoxView:
    hands = tuple(
        replace(hand, doubled_minor=amount_minor) if hand.label == label else hand
        for hand in box.hands
    )
    return replace(box, hands=hands)


def switched(box: BoxView) -> BoxView:
    """Exchange the second cards, or exchange them back."""
    one, two = box.hands
    is_switched = not one.switched
    crossed = (
        _crossed(one, two.cards[1], is_switched=is_switched),
        _crossed(two, one.cards[1], is_switched=is_switched),
    )
    return replace(box, hands=crossed)


def _crossed(hand: HandView, second: str, *, is_switched: bool) -> HandView:
    fresh = HandView(hand.label, (), switched=is_switched)
    return counted(fresh, (hand.cards[0], second))


def split(box: BoxView, label: str) -> BoxView:
    """Make two hands of one: `1.1` becomes `1.1.1` and `1.1.2`."""
    hands: list[HandView] = []
    for hand in box.hands:
        if hand.label != label:
            hands.append(hand)
            continue
        hands += [
            counted(HandView(f"{label}.{half}", (), switched=hand.switched), (card,))
            for half, card in enumerate(hand.cards, 1)
        ]
    return replace(box, hands=tuple(hands))


def shown(box: BoxView, label: str, cards: tuple[str, ...]) -> BoxView:
    """Turn a hand's first cards over, or those of the hands it was split to (LV-13)."""
    halves = {f"{label}.{half}": (card,) for half, card in enumerate(cards, 1)}
    opened = {label: cards, **halves}
    hands = tuple(
        counted(hand, (*opened[hand.label], *hand.cards[len(opened[hand.label]) :]))
        if hand.label in opened
        else hand
        for hand in box.hands
    )
    return replace(box, hands=hands)


def is_dealer_done(dealer: DealerView, rules: RuleSet) -> bool:
    """Tell whether this dealer round is played out, so that a card begins the next.

    In multiple action (MA-20) the dealer plays again from the same up card.
    """
    if rules.dealer_rounds == 1 or len(dealer.cards) < 2 or "" in dealer.cards:
        return False
    return not dealer_draws(dealer.cards, hits_soft_17=rules.hits_soft_17)


def hole_turned(dealer: DealerView, card: str) -> DealerView:
    return dealer_of(tuple(old or card for old in dealer.cards))


def dealer_of(cards: tuple[str, ...]) -> DealerView:
    """Count what lies open."""
    seen = tuple(card for card in cards if card)
    return DealerView(cards, total(seen), is_soft(seen))
