"""From the terms in a round's first event to the rule book's values."""

from functools import lru_cache

import msgspec

from blackjack import bets
from blackjack.bets import Bet
from blackjack.rule_sets import Limits, RuleSet, rule_set
from contracts.table import TableLimits
from contracts.table_events import Options, RoundTerms


def rules_of(terms: RoundTerms) -> RuleSet:
    """Return the rule set of a table; equal terms share one value."""
    options = msgspec.json.encode(terms.options, order="deterministic")
    return _rules(terms.rule_set, options)


@lru_cache(maxsize=256)
def _rules(name: str, options: bytes) -> RuleSet:
    return rule_set(name, msgspec.json.decode(options, type=Options))


def limits_of(limits: TableLimits) -> Limits:
    return Limits(limits.min_minor, limits.max_minor, limits.side_min_minor)


def accepted_bet(terms: RoundTerms, bet: Bet, player: str) -> Bet:
    """Return the part of a player's bet that is in action (LV-7, LV-8)."""
    own = terms.entry.maximums_minor.get(player)
    return bets.accepted_bet(rules_of(terms), limits_of(terms.limits), bet, own)
