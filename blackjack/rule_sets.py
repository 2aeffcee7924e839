"""The rule sets by id, and any of them with house options (table C, section F)."""

from collections.abc import Mapping

from blackjack.house_options import with_options
from blackjack.house_rules import (
    Limits,
    RuleSet,
    RuleSetError,
    SideWager,
    Switch,
    default_limits,
    digest,
    effective_limits,
)
from blackjack.rule_data import RULE_SETS

__all__ = [
    "RULE_SETS",
    "Limits",
    "RuleSet",
    "RuleSetError",
    "SideWager",
    "Switch",
    "default_limits",
    "digest",
    "effective_limits",
    "rule_set",
]


def rule_set(name: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """Return a rule set with its house options.

    Raises RuleSetError for an id, an option or a value that there is not (section F).
    """
    rules = RULE_SETS.get(name)
    if rules is None:
        raise RuleSetError(f"unknown rule set {name!r}")
    return with_options(rules, options or {})
