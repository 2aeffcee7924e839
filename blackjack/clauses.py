"""Which clause decides each kind of result, family by family (section E).

The keys are the machine's words for a result; the values are permanent clause ids.
"""


def _clauses(family: str, numbers: dict[str, int]) -> dict[str, str]:
    return {result: f"{family}-{number}" for result, number in numbers.items()}


NEW_YORK = _clauses(
    "NY",
    {
        "no_match": 11,
        "pair": 12,
        "three": 13,
        "two_pairs": 14,
        "four": 15,
        "insurance_win": 17,
        "insurance_lose": 18,
        "bust": 32,
        "surrender": 33,
        "surrender_lost": 34,
        "natural_push": 35,
        "natural": 36,
        "lost_to_natural": 37,
        "three_card_21_lost_to_natural": 38,
        "two_card_21_pushes_natural": 39,
        "added_returned": 40,
        "dealer_22": 41,
        "dealer_bust": 42,
        "higher": 43,
        "equal": 44,
        "lower": 45,
    },
)

MULTIPLE_ACTION = _clauses(
    "MA",
    {
        "insurance_win": 12,
        "insurance_lose": 13,
        "bust": 24,
        "surrender": 25,
        "natural_push": 26,
        "natural": 27,
        "21_lost_to_natural": 28,
        "lost_to_natural": 29,
        "later_circle_lost": 30,
        "later_circle_push": 31,
        "dealer_bust": 32,
        "higher": 33,
        "equal": 34,
        "lower": 35,
        "two_card_21_beats_21": 36,
    },
)

PUERTO_RICO = _clauses(
    "PR",
    {
        "no_match": 8,
        "pair": 9,
        "three": 10,
        "two_pairs": 11,
        "four": 12,
        "insurance_win": 14,
        "insurance_lose": 15,
        "bust": 26,
        "natural_push": 27,
        "natural": 28,
        "lost_to_natural": 29,
        "dealer_22": 30,
        "dealer_bust": 31,
        "higher": 32,
        "equal": 33,
        "lower": 34,
    },
)

LAS_VEGAS = _clauses(
    "LV",
    {
        "no_match": 15,
        "pair": 16,
        "suited": 17,
        "insurance_win": 20,
        "insurance_lose": 21,
        "bust": 35,
        "surrender": 36,
        "natural_push": 37,
        "lost_to_natural": 38,
        "even_money": 39,
        "natural": 40,
        "dealer_bust": 42,
        "higher": 43,
        "equal": 44,
        "lower": 45,
    },
)
LAS_VEGAS_TWO_DECKS = {**LAS_VEGAS, "suited": "LV-18"}
LAS_VEGAS_ONE_DECK = {**LAS_VEGAS, "natural": "LV-41"}

LAS_VEGAS_SWITCH = _clauses(
    "LS",
    {
        "no_match": 8,
        "pair": 9,
        "three": 10,
        "two_pairs": 11,
        "four": 12,
        "insurance_win": 13,
        "insurance_lose": 14,
        "bust": 22,
        "natural_push": 23,
        "lost_to_natural": 24,
        "even_money": 25,
        "natural": 26,
        "dealer_22": 27,
        "dealer_bust": 28,
        "higher": 29,
        "equal": 30,
        "lower": 31,
    },
)

ONLINE = _clauses(
    "ON",
    {
        "no_match": 6,
        "pair": 7,
        "three": 8,
        "two_pairs": 9,
        "four": 10,
        "insurance_win": 13,
        "insurance_lose": 14,
        "bust": 25,
        "natural_push": 26,
        "natural": 27,
        "lost_to_natural": 28,
        "dealer_22": 29,
        "dealer_bust": 30,
        "higher": 31,
        "equal": 32,
        "lower": 33,
    },
)
