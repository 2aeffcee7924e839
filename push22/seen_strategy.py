"""Basic strategy for whoever only sees the table: from a view to the next move.

It plays as the bot inside the casino does, from what the door shows and offers alone.
"""

from blackjack import strategy
from blackjack.house_rules import RuleSet
from blackjack.rule_sets import rule_set
from blackjack.strategy_table import StrategyTable, strategy_for
from push22.client.orders import Act
from push22.client.views import Box, Hand, Offer, Round, Table


def next_act(view: Table, boxes: frozenset[int]) -> Act | None:
    """Return the best decision that is due on one of the boxes, if one is."""
    seen = view.round
    if seen is None or seen.decision is None:
        return None
    own = tuple(x for x in seen.decision.offers if x.box in boxes and x.due)
    if seen.phase not in ("insurance", "turn") or not own:
        return None
    rules = rule_set(view.rule_set, view.options)
    if seen.phase == "insurance":
        action, target = _answer(rules, own[0]), own[0].target
    else:
        action, target = _turn(rules, seen, own[0])
    return Act(seen.round_id, action, target, expected_version=seen.version)


def _answer(rules: RuleSet, offer: Offer) -> str:
    takes = strategy_for(rules).takes_even_money and "." in offer.target
    return "even_money" if takes and "even_money" in offer.actions else "decline"


def _turn(rules: RuleSet, seen: Round, due: Offer) -> tuple[str, str]:
    """Return action and target; a switch may be had while a hand of the box is due."""
    box = next(box for box in seen.boxes if box.box == due.box)
    number = str(due.box)
    may_switch = any(
        offer.target == number and "switch" in offer.actions
        for offer in (seen.decision.offers if seen.decision else ())
    )
    # In pitch games the hole card lies first, face down.
    up_card = next(card for card in seen.dealer.cards if card)
    if may_switch and _switches(rules, box, up_card):
        return "switch", number
    if "." not in due.target:
        return "keep", due.target
    hand = next(hand for hand in box.hands if hand.label == due.target)
    return _play(rules, strategy_for(rules), (hand, up_card, due)), due.target


def _switches(rules: RuleSet, box: Box, up_card: str) -> bool:
    """Tell whether the other arrangement is worth more; a tie keeps the cards."""
    switch = rules.switch
    assert switch is not None, "a switch was offered"
    first, second = box.hands
    crossed = (
        (first.cards[0], second.cards[1]),
        (second.cards[0], first.cards[1]),
    )
    table = strategy_for(rules)
    is_crossed = first.switched
    now = strategy.worth(
        table,
        up_card,
        (first.cards, second.cards),
        naturals=switch.makes_naturals or not is_crossed,
    )
    then = strategy.worth(
        table, up_card, crossed, naturals=switch.makes_naturals or is_crossed
    )
    return then > now


def _play(rules: RuleSet, table: StrategyTable, what: tuple[Hand, str, Offer]) -> str:
    hand, up_card, due = what
    if _is_natural(rules, hand):
        return "stand"
    plays = strategy.plays(
        table, up_card, hand.cards, total=hand.total, is_soft=hand.soft
    )
    return next((play for play in plays if play in due.actions), "stand")


def _is_natural(rules: RuleSet, hand: Hand) -> bool:
    """Tell a natural: in two cards, of a hand that was not split, and where it counts.

    The halves of a split hand have labels one longer (`1.1.1`).
    """
    counts = not hand.switched or (
        rules.switch is not None and rules.switch.makes_naturals
    )
    is_whole = hand.label.count(".") == 1
    return len(hand.cards) == 2 and hand.total == 21 and is_whole and counts
