"""Renders the tables of docs/rules.md from the rule book's data."""

from collections.abc import Callable

from blackjack.house_options import OPTIONS
from blackjack.house_rules import RuleSet
from blackjack.rule_data import RULE_SETS

_YES = {True: "yes", False: "no"}


def _side(rules: RuleSet) -> str:
    if rules.side is None:
        return "none"
    pays = "/".join(str(odds) for odds in rules.side.pays.values())
    return f"{rules.side.name} {pays}"


def _switch(rules: RuleSet) -> str:
    if rules.switch is None:
        return "none"
    often = "unlimited" if rules.switch.unlimited else "once"
    return f"{often}, {rules.switch.window}, back: {rules.switch.back}"


def _natural(rules: RuleSet) -> str:
    numerator, denominator = rules.natural_pays
    when = "in turn" if rules.natural_paid_in_turn else "at the end"
    return f"{numerator}:{denominator} {when}"


def _shuffle(rules: RuleSet) -> str:
    if rules.rounds_per_shuffle:
        return "/".join(str(rounds) for rounds in rules.rounds_per_shuffle) + " rounds"
    return f"{rules.penetration_bp // 100} %"


COLUMNS: tuple[tuple[str, Callable[[RuleSet], str]], ...] = (
    ("rule set", lambda rules: f"`{rules.id}`"),
    ("decks", lambda rules: str(rules.decks)),
    ("hands", lambda rules: str(rules.hands_per_box)),
    ("boxes", lambda rules: f"{rules.boxes}, {rules.boxes_per_player} each"),
    ("order", lambda rules: rules.order),
    ("look", lambda rules: _YES[rules.look]),
    ("side wager", _side),
    ("insurance on", lambda rules: rules.insurance_up),
    ("switch", _switch),
    ("natural", _natural),
    ("22 pushes", lambda rules: _YES[rules.push_22]),
    ("surrender", lambda rules: _YES[rules.surrender]),
    ("hands, aces", lambda rules: f"{rules.hands_max}, {rules.ace_hands_max}"),
    ("double for less", lambda rules: _YES[rules.double_for_less]),
    ("soft 17", lambda rules: "hit" if rules.hits_soft_17 else "stand"),
    ("shuffle", _shuffle),
    ("options", lambda rules: ", ".join(sorted(OPTIONS[rules.id])) or "none"),
)


def parameter_table() -> str:
    """Return the table, one row for each rule set."""
    names = " | ".join(name for name, _ in COLUMNS)
    lines = [f"| {names} |", "|" + "---|" * len(COLUMNS)]
    for rules in RULE_SETS.values():
        cells = " | ".join(cell(rules) for _, cell in COLUMNS)
        lines.append(f"| {cells} |")
    return "\n".join(lines)


FAMILIES = ("NY", "MA", "PR", "LV", "LS", "ON")
RESULTS = {
    "bust": "over 21, whatever the dealer has: stake lost at once",
    "surrender_lost": "surrendered, hole card late, dealer natural: wager lost",
    "surrender": "surrendered otherwise: half the wager lost",
    "even_money": "even money taken: 1:1 at once",
    "natural_push": "natural against a dealer natural: push",
    "later_circle_push": "the same found by the look, circles 2 and 3: push",
    "natural": "natural against anything else, 22 included: paid",
    "21_lost_to_natural": "21 that is no natural against a dealer natural: lost",
    "three_card_21_lost_to_natural": "21 in three or more cards, likewise: lost",
    "two_card_21_pushes_natural": "two-card 21, hole card late, likewise: push",
    "lost_to_natural": "any other hand against a dealer natural: lost",
    "later_circle_lost": "the same found by the look, circles 2 and 3: lost",
    "added_returned": "hole card late, dealer natural: added stake comes back",
    "dealer_22": "21 or less against the dealer's 22: push",
    "dealer_bust": "21 or less against more than 21 (in Switch 22): 1:1",
    "two_card_21_beats_21": "two-card 21 after a split against a longer 21: 1:1",
    "higher": "higher total: 1:1",
    "equal": "equal totals: push",
    "lower": "lower total: lost",
    "insurance_win": "insurance, dealer natural: 2:1",
    "insurance_lose": "insurance, no dealer natural: lost",
    "no_match": "side wager, no match or no pair: lost",
    "pair": "side wager, one pair",
    "suited": "side wager, suited pair",
    "three": "side wager, three of a kind",
    "two_pairs": "side wager, two pairs",
    "four": "side wager, four of a kind",
}
"""The machine's words for a result in a reader's words, in the order of C-55."""


def clause_table() -> str:
    """Return which clause decides each result, one column for each family."""
    lines = [f"| result | {' | '.join(FAMILIES)} |", "|" + "---|" * 7]
    for result, words in RESULTS.items():
        cells = " | ".join(_clauses(result, family) for family in FAMILIES)
        lines.append(f"| {words} | {cells} |")
    return "\n".join(lines)


def _clauses(result: str, family: str) -> str:
    """Join what the family's rule sets cite: decks may make a difference."""
    cited = {rules.clauses.get(result, "") for rules in RULE_SETS.values()}
    return ", ".join(sorted(x for x in cited if x.startswith(f"{family}-"))) or "-"
