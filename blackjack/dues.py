"""What is decided: each wager with all that settlement needs (C-55, C-57)."""

from blackjack.state import Due, Hand, Insurance, Round


def of_hand(round_: Round, box: int, hand: Hand) -> tuple[Due, ...]:
    """Return the dues of a hand on every circle that is still open."""
    circles = range(round_.first_circle, len(hand.wagers))
    return tuple([of_circle(round_, box, hand, circle) for circle in circles])


def of_circle(round_: Round, box: int, hand: Hand, circle: int) -> Due:
    wager = hand.wagers[circle]
    added = hand.added[circle]
    stake = wager + added
    circles = len(hand.wagers) > 1
    dealer = () if _decided_alone(hand) else round_.dealer_hand
    return Due(
        f"{hand.label}.circle_{circle + 1}" if circles else hand.label,
        box,
        "main",
        stake,
        wager,
        added if hand.original else stake,
        hand.cards,
        hand.status,
        hand.natural,
        circle=circle + 1 if circles else 0,
        dealer=dealer,
        dealer_natural=len(dealer) == 2 and _is_21(dealer),
        by_look=round_.natural_by_look,
    )


def _decided_alone(hand: Hand) -> bool:
    return hand.status in ("bust", "even_money", "paid")


def _is_21(cards: tuple[str, ...]) -> bool:
    ranks = {card[0] for card in cards}
    return "A" in ranks and bool(ranks & set("TJQK"))


def at_end(round_: Round, circle: int) -> tuple[Due, ...]:
    """Return the dues that the dealer's hand decides, in ascending label order."""
    return tuple(
        [
            of_circle(round_, box.number, hand, circle)
            for box in round_.boxes
            for hand in box.hands
            if circle < len(hand.wagers) and is_undecided(round_, hand)
        ]
    )


def is_undecided(round_: Round, hand: Hand) -> bool:
    """Tell whether a hand still waits for the dealer, a late surrender too (NY-31)."""
    if hand.status == "surrendered":
        return round_.rules.surrender_waits and round_.up[0] in "ATJQK"
    return hand.status in ("playing", "stood")


def of_insurance(item: Insurance, *, natural: bool) -> Due:
    return Due(
        f"{item.target}.insurance",
        item.box,
        "insurance",
        item.stake_minor,
        dealer_natural=natural,
    )
