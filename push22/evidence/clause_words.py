"""What a clause says, in words for people who do not play the game every day."""

from blackjack.house_rules import RuleSet

_WORDS = {
    "no_match": "No match among the cards: the side wager loses.",
    "pair": "A pair of one rank: the side wager wins {odds} to 1.",
    "suited": "A pair of one rank and suit: the side wager wins {odds} to 1.",
    "three": "Three cards of one rank: the side wager wins {odds} to 1.",
    "two_pairs": "Two pairs: the side wager wins {odds} to 1.",
    "four": "Four cards of one rank: the side wager wins {odds} to 1.",
    "insurance_win": "The dealer has a blackjack: insurance wins 2 to 1.",
    "insurance_lose": "The dealer has no blackjack: insurance loses.",
    "bust": "The hand went over 21: it loses, whatever the dealer has.",
    "surrender": "The hand was given up: half of the wager comes back.",
    "surrender_lost": "Given up, but the dealer has a blackjack: nothing comes back.",
    "even_money": "Even money was taken: the wager wins 1 to 1.",
    "natural": "A blackjack as dealt: the wager wins {natural}.",
    "natural_push": "Player and dealer both have a blackjack: the wager comes back.",
    "lost_to_natural": "The dealer has a blackjack: the wager loses.",
    "three_card_21_lost_to_natural": (
        "21 in three or more cards against the dealer's blackjack: the wager loses."
    ),
    "21_lost_to_natural": (
        "21 that is no blackjack against the dealer's blackjack: the wager loses."
    ),
    "two_card_21_pushes_natural": (
        "21 in two cards against the dealer's blackjack: the wager comes back."
    ),
    "added_returned": (
        "Only the original wager is lost to the blackjack: what was added comes back."
    ),
    "later_circle_lost": (
        "The dealer looked and has a blackjack: a wager on a later circle loses."
    ),
    "later_circle_push": (
        "The dealer looked, both have a blackjack: a later circle's wager comes back."
    ),
    "dealer_22": (
        "The dealer has 22: every hand that is no blackjack and did not bust is a tie,"
        " the wager comes back."
    ),
    "dealer_bust": "The dealer has {bust} or more: the hand wins 1 to 1.",
    "higher": "The hand is higher than the dealer's: it wins 1 to 1.",
    "equal": "The hand equals the dealer's: the wager comes back.",
    "lower": "The hand is lower than the dealer's: the wager loses.",
    "two_card_21_beats_21": (
        "21 in two cards beats the dealer's 21 in more cards: the hand wins 1 to 1."
    ),
}


def clause_words(rules: RuleSet, clause: str) -> str:
    """Say what a clause of a rule set means; an unknown one is named as such."""
    reason = next((r for r, cited in rules.clauses.items() if cited == clause), "")
    if reason not in _WORDS:
        return "See the rules of the game."
    odds = rules.side.pays.get(reason, 0) if rules.side is not None else 0
    natural = "{} to {}".format(*rules.natural_pays)
    bust = 23 if rules.push_22 else 22
    return _WORDS[reason].format(odds=odds, natural=natural, bust=bust)
