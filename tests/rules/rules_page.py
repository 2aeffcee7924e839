"""Renders the parameter table of docs/rules.md from the rule book's data."""

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
