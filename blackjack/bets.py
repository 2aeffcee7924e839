"""Judging a bet on a box before the cards (C-11, C-63)."""

import msgspec

from blackjack.house_rules import Limits, RuleSet, effective_limits
from blackjack.reasons import BetReason


class Bet(msgspec.Struct, frozen=True):
    """Main wagers, one for each hand or circle, and side wagers by name."""

    box: int
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int] = {}


class BetContext(msgspec.Struct, frozen=True, kw_only=True):
    """What else decides on a bet: who asks, who sits where, who may enter.

    `minimum_minor` and `maximum_minor` replace the posted ones for this player
    (LV-6, LV-8).
    """

    player: str
    holders: dict[int, str] = {}
    closed: bool = False
    barred: bool = False
    minimum_only: bool = False
    minimum_minor: int | None = None
    maximum_minor: int | None = None


def bet_refusal(
    rules: RuleSet, limits: Limits, bet: Bet, context: BetContext
) -> BetReason | None:
    """Return the first reason of C-63 that applies; funds are the wallet's matter."""
    return _place_refusal(rules, bet, context) or _amount_refusal(
        rules, limits, bet, context
    )


def _place_refusal(rules: RuleSet, bet: Bet, context: BetContext) -> BetReason | None:
    if context.closed:
        return BetReason.BETTING_CLOSED
    if not 1 <= bet.box <= rules.boxes:
        return BetReason.NO_SUCH_BOX
    if context.holders.get(bet.box, context.player) != context.player:
        return BetReason.BOX_TAKEN
    others = set(context.holders.values()) - {context.player}
    if rules.players_max and len(others) >= rules.players_max:
        return BetReason.TABLE_FULL
    own = {b for b, who in context.holders.items() if who == context.player}
    own.discard(bet.box)
    if len(own) >= rules.boxes_per_player:
        return BetReason.TOO_MANY_BOXES
    if rules.adjacent and own and not own & {bet.box - 1, bet.box + 1}:
        return BetReason.BOXES_NOT_ADJACENT
    if context.barred:
        return BetReason.ENTRY_BARRED
    return None


def _amount_refusal(
    rules: RuleSet, limits: Limits, bet: Bet, context: BetContext
) -> BetReason | None:
    offered = {rules.side.name} if rules.side else set()
    if set(bet.side_wagers_minor) - offered:
        return BetReason.UNKNOWN_WAGER
    if not bet.wagers_minor:
        # A bet of nothing at all lacks its main wagers too.
        return BetReason.NO_MAIN_WAGER
    amounts = (*bet.wagers_minor, *bet.side_wagers_minor.values())
    if any(type(amount) is not int or amount < 1 for amount in amounts):
        return BetReason.INVALID_AMOUNT
    if not rules.wagers_min <= len(bet.wagers_minor) <= rules.wagers_max:
        return BetReason.WRONG_WAGER_COUNT
    if rules.hands_per_box == 2 and len(set(bet.wagers_minor)) > 1:
        return BetReason.WAGERS_NOT_EQUAL
    main = _main_refusal(rules, limits, bet, context)
    return main or _side_refusal(rules, limits, bet, context)


def _main_refusal(
    rules: RuleSet, limits: Limits, bet: Bet, context: BetContext
) -> BetReason | None:
    bounds = effective_limits(rules, limits)
    low = bounds.min_minor
    if context.minimum_minor is not None:
        low = max(context.minimum_minor, rules.floor_minor)
    high = _maximum(bounds, context)
    if min(bet.wagers_minor) < low:
        return BetReason.BELOW_MINIMUM
    if max(bet.wagers_minor) > high and rules.overbet == "refuse":
        return BetReason.ABOVE_MAXIMUM
    if context.minimum_only and max(bet.wagers_minor) > low:
        return BetReason.MINIMUM_ONLY
    return None


def _maximum(bounds: Limits, context: BetContext) -> int:
    """Return the most that one hand may bear: the table's, or the player's own."""
    if context.maximum_minor is None:
        return bounds.max_minor
    return context.maximum_minor


def _side_refusal(
    rules: RuleSet, limits: Limits, bet: Bet, context: BetContext
) -> BetReason | None:
    if not bet.side_wagers_minor:
        return None
    side = rules.side
    assert side is not None, "an unknown side wager was refused before"
    bounds = effective_limits(rules, limits)
    low = max(side.minimum_minor, bounds.side_min_minor)
    high = side.maximum_minor or _maximum(bounds, context)
    if side.maximum_is_table_minimum:
        low, high = side.minimum_minor, bounds.min_minor
    amount = bet.side_wagers_minor[side.name]
    if amount < low:
        return BetReason.SIDE_BELOW_MINIMUM
    if amount > high:
        return BetReason.SIDE_ABOVE_MAXIMUM
    return None


def accepted_bet(
    rules: RuleSet, limits: Limits, bet: Bet, maximum_minor: int | None = None
) -> Bet:
    """Return the part of the bet that is in action (LV-7)."""
    high = effective_limits(rules, limits).max_minor
    if maximum_minor is not None:
        high = maximum_minor
    if rules.overbet == "refuse" or max(bet.wagers_minor) <= high:
        return bet
    wagers = tuple(min(wager, high) for wager in bet.wagers_minor)
    return Bet(bet.box, wagers, bet.side_wagers_minor)


def bet_cost(bet: Bet) -> int:
    """Return the whole amount of a bet, minor units."""
    return sum(bet.wagers_minor) + sum(bet.side_wagers_minor.values())
