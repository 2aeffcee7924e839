"""The limits that a table posts when nobody names any."""

from blackjack.rule_sets import RULE_SETS, default_limits
from contracts.table import TableLimits


def usual_limits(rule_set: str) -> TableLimits:
    """Return the defaults; a bound that the rule set publishes replaces them.

    A posted limit may only narrow: with the plain defaults the online game (ON-3)
    would begin at 1000 instead of 100. An unknown rule set is the table's to refuse.
    """
    rules = RULE_SETS.get(rule_set)
    if rules is None:
        return TableLimits()
    own = default_limits(rules)
    return TableLimits(own.min_minor, own.max_minor, own.side_min_minor)
