"""Each clause that a settlement line cites, in plain words: made from the rule set.

A clause's id stands for a kind of result (`blackjack/clauses.py`); what it pays is the
rule set's own.
"""

from collections.abc import Mapping

from blackjack.house_rules import RuleSet

_SIDE = {
    "pair": "two of a rank",
    "suited": "two of a rank and a suit",
    "three": "three of a rank",
    "two_pairs": "two pairs of different ranks",
    "four": "four of a rank",
}
_TEXTS = {
    "insurance_win": "The dealer has a natural: insurance pays 2 to 1.",
    "insurance_lose": "The dealer has no natural: insurance loses.",
    "bust": "A hand over 21 loses its whole stake at once, whatever the dealer gets.",
    "surrender": "A surrendered hand loses half of its wager; the rest comes back.",
    "surrender_lost": (
        "The hole card comes late and makes a dealer's natural: a surrendered hand"
        " loses its whole wager."
    ),
    "even_money": "Even money was taken on a natural: it pays 1 to 1 at once.",
    "natural_push": "A natural against the dealer's natural is a push.",
    "natural": (
        "A natural beats whatever is no natural, the dealer's 21 and 22 as well. It"
        " pays {natural}."
    ),
    "lost_to_natural": "The dealer's natural beats every hand that is no natural.",
    "three_card_21_lost_to_natural": (
        "A 21 in three or more cards loses to the dealer's natural."
    ),
    "21_lost_to_natural": "A 21 that is no natural loses to the dealer's natural.",
    "two_card_21_pushes_natural": (
        "The hole card comes late and makes a dealer's natural: 21 in two cards is a"
        " push."
    ),
    "added_returned": (
        "The hole card comes late and makes a dealer's natural: what doubling or"
        " splitting added comes back."
    ),
    "later_circle_lost": (
        "The look found a natural in the first dealer round: it settles the later"
        " circles too, and a hand that is no natural loses them."
    ),
    "later_circle_push": (
        "The look found a natural in the first dealer round: it settles the later"
        " circles too, and a natural is a push there."
    ),
    "dealer_22": "The dealer's 22 is a push for every hand that is not settled yet.",
    "dealer_bust": "The dealer has more than {bust}: the hand wins 1 to 1.",
    "two_card_21_beats_21": (
        "A 21 in two cards after a split beats the dealer's 21 in three or more: it"
        " wins 1 to 1."
    ),
    "higher": "The hand is nearer to 21 than the dealer's: it wins 1 to 1.",
    "equal": "The hand has the dealer's total: it is a push, and the stake comes back.",
    "lower": "The dealer's hand is nearer to 21: the stake is lost.",
}


def clause_texts(rules: RuleSet) -> Mapping[str, str]:
    """Return every clause that a line of these rules may cite, with its text."""
    return {clause: _text(rules, result) for result, clause in rules.clauses.items()}


def _text(rules: RuleSet, result: str) -> str:
    if result in _SIDE or result == "no_match":
        return _of_side(rules, result)
    won, staked = rules.natural_pays
    return _TEXTS[result].format(
        natural=f"{won} to {staked}", bust=22 if rules.push_22 else 21
    )


def _of_side(rules: RuleSet, result: str) -> str:
    name = rules.side.name.replace("_", " ").title() if rules.side else "Side wager"
    cards = "first four cards" if rules.hands_per_box > 1 else "first two cards"
    pays = rules.side.pays.get(result, 0) if rules.side else 0
    if not pays:
        what = _SIDE.get(result, "no two of a rank")
        return f"{name}: {what} in the {cards} of the box loses."
    return f"{name}: {_SIDE[result]} in the {cards} of the box pays {pays} to 1."
