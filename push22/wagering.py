"""Reads what a player wants to bet, and refuses what the table would refuse."""

from blackjack.bets import Bet, BetContext, bet_refusal
from blackjack.reasons import BetReason
from blackjack.rule_sets import (
    Limits,
    RuleSet,
    default_limits,
    effective_limits,
)
from push22.bot import Wagers
from push22.errors import Failure

_OF_THE_SIDE = (BetReason.SIDE_BELOW_MINIMUM, BetReason.SIDE_ABOVE_MAXIMUM)


def wagers_for(rules: RuleSet, boxes: int, wager: int, super_match: int) -> Wagers:
    """Return the wagers on each box. Raises Failure that names option and limits."""
    most = min(rules.boxes, rules.boxes_per_player)
    if not 1 <= boxes <= most:
        raise Failure("--boxes", f"{rules.id} takes 1 to {most}", exit_code=2)
    if super_match < 0:
        raise Failure("--super-match", "must be 0 or more", exit_code=2)
    side: dict[str, int] = {}
    if rules.side is not None and super_match:
        side = {rules.side.name: super_match}
    main = (wager,) * rules.wagers_max
    reason = bet_refusal(
        rules, default_limits(rules), Bet(1, main, side), BetContext(player="you")
    )
    if reason is not None:
        raise _refused(rules, reason)
    return Wagers(tuple(range(1, boxes + 1)), main, side)


def _refused(rules: RuleSet, reason: BetReason) -> Failure:
    limits = effective_limits(rules, default_limits(rules))
    option, bounds = "--wager", (limits.min_minor, limits.max_minor)
    if reason in _OF_THE_SIDE:
        option, bounds = "--super-match", _side_bounds(rules, limits)
    words = reason.value.replace("_", " ")
    text = f"{words}: {rules.id} takes {bounds[0]} to {bounds[1]} minor units"
    return Failure(option, text, exit_code=2)


def _side_bounds(rules: RuleSet, limits: Limits) -> tuple[int, int]:
    side = rules.side
    assert side is not None, "a rule set without side wagers refuses none"
    if side.maximum_is_table_minimum:
        return side.minimum_minor, limits.min_minor
    low = max(side.minimum_minor, limits.side_min_minor)
    return low, side.maximum_minor or limits.max_minor
