"""A table's rules in a player's words, made from the rule set that decides them."""

from collections.abc import Iterator, Mapping

import msgspec

from blackjack.house_rules import RuleSet, SideWager, effective_limits
from blackjack.returns import Returns, SideReturn, returns_of
from blackjack.rule_sets import Limits, rule_set
from services.gateway.views import LimitsView

_HANDS = {
    "pair": "one pair",
    "suited": "suited pair",
    "three": "three of a kind",
    "two_pairs": "two pairs",
    "four": "four of a kind",
}
_TITLES = {"super_match": "Super Match", "bet_the_set": "Bet the Set"}


class SideTold(msgspec.Struct, frozen=True):
    """A side wager, and what it pays for one."""

    name: str
    title: str
    pays: dict[str, int]
    min_minor: int
    max_minor: int


class RulesTold(msgspec.Struct, frozen=True):
    """What a page has to know of a table's rules, and what it tells of them."""

    rule_set: str
    title: str
    decks: int
    boxes: int
    boxes_per_player: int
    hands_per_box: int
    wagers: int
    side: SideTold | None
    limits: LimitsView
    switched_natural: bool
    """Whether an ace and a ten-value card are a blackjack after a switch."""
    actions: tuple[str, ...]
    felt: tuple[str, ...]
    text: tuple[str, ...]
    returns: tuple[str, ...]
    """What the game returns in theory, by which method and strategy (GLI-19 4.7)."""


def told_rules(
    name: str, options: Mapping[str, object], posted: LimitsView
) -> RulesTold:
    rules = rule_set(name, options)
    limits = effective_limits(
        rules, Limits(posted.min_minor, posted.max_minor, posted.side_min_minor)
    )
    shown = LimitsView(limits.min_minor, limits.max_minor, limits.side_min_minor)
    return RulesTold(
        rule_set=name,
        title=_title(rules),
        decks=rules.decks,
        boxes=rules.boxes,
        boxes_per_player=rules.boxes_per_player,
        hands_per_box=rules.hands_per_box,
        wagers=rules.wagers_max,
        side=_side(rules.side, shown),
        limits=shown,
        switched_natural=rules.switch is not None and rules.switch.makes_naturals,
        actions=tuple(_actions(rules)),
        felt=tuple(_felt(rules)),
        text=tuple(_text(rules)),
        returns=_returns_in_words(rules),
    )


def _title(rules: RuleSet) -> str:
    if rules.switch is not None:
        return "Blackjack Switch"
    return "Multiple Action" if rules.dealer_rounds > 1 else "Blackjack"


def _side(side: SideWager | None, limits: LimitsView) -> SideTold | None:
    if side is None:
        return None
    own = limits.min_minor if side.maximum_is_table_minimum else side.maximum_minor
    return SideTold(
        side.name,
        _TITLES[side.name],
        {_HANDS[hand]: pays for hand, pays in side.pays.items()},
        side.minimum_minor or limits.side_min_minor,
        own or limits.max_minor,
    )


def _actions(rules: RuleSet) -> Iterator[str]:
    """All that the rules may ever offer, in the order of the buttons."""
    yield from ("hit", "stand", "double", "split")
    if rules.surrender:
        yield "surrender"
    if rules.switch is not None:
        yield from ("switch", "keep")
        if rules.switch.back != "no":
            yield "switch_back"
    yield from ("insure", "decline")
    if rules.even_money:
        yield "even_money"


def _ratio(pays: tuple[int, int]) -> str:
    return f"{pays[0]} to {pays[1]}"


def _felt(rules: RuleSet) -> Iterator[str]:
    yield f"Blackjack pays {_ratio(rules.natural_pays)}"
    if rules.push_22:
        yield "Dealer 22 pushes"
    yield "Insurance pays 2 to 1"


def _text(rules: RuleSet) -> Iterator[str]:
    yield f"{rules.decks} decks of 52 cards. Tens and faces count 10, aces 1 or 11."
    yield "The hand nearer to 21 wins even money; more than 21 loses at once."
    yield f"An ace and a ten-value card dealt first pay {_ratio(rules.natural_pays)}."
    yield from _switch_text(rules)
    soft = "draws to" if rules.hits_soft_17 else "stands on"
    yield f"The dealer draws to 16, stands on hard 17 and {soft} soft 17."
    if rules.push_22:
        yield "A dealer's 22 pushes every hand that stands, but for a blackjack."
    yield from _hand_text(rules)
    up_cards = "an ace" if rules.insurance_up == "A" else "an ace or a ten"
    per = "box" if rules.insurance_per_box else "hand"
    yield f"Insurance is offered to each {per} against {up_cards}, and pays 2 to 1."
    if rules.side is not None:
        pays = ", ".join(f"{_HANDS[x]} {n} to 1" for x, n in rules.side.pays.items())
        yield f"{_TITLES[rules.side.name]}, on the first cards of a box: {pays}."


def _switch_text(rules: RuleSet) -> Iterator[str]:
    if rules.switch is None:
        return
    yield "A box has two hands with equal bets. Their second cards may be exchanged."
    makes = "a blackjack" if rules.switch.makes_naturals else "21, not a blackjack"
    yield f"An ace and a ten-value card that a switch brought together are {makes}."


def _hand_text(rules: RuleSet) -> Iterator[str]:
    less = ", for less than the bet if you like" if rules.double_for_less else ""
    yield f"Any first two cards may be doubled{less}; one card follows."
    yield (
        f"Two cards of equal value may be split to {rules.hands_max} hands, aces to"
        f" {rules.ace_hands_max}; split aces get one card each."
    )
    if rules.surrender:
        yield "A hand's first two cards may be surrendered for half the bet."


def told_returns(name: str, options: Mapping[str, object]) -> tuple[str, ...]:
    """Tell what a game returns in theory, as its table's rules do."""
    return _returns_in_words(rule_set(name, options))


def _returns_in_words(rules: RuleSet) -> tuple[str, ...]:
    return tuple(_returns(returns_of(rules)))


def _returns(known: Returns | None) -> Iterator[str]:
    if known is None:
        yield "No theoretical return has been worked out for these house options."
        return
    rounds, margin = known.rounds / 1_000_000, known.margin_percent
    yield (
        f"Theoretical return of the main game: {known.main_percent:.2f} % of the first"
        f" bets, with basic strategy (sampled, {rounds:g} million rounds from full"
        f" shoes, ±{margin:.2f} with 95 % confidence)."
    )
    if known.side is not None:
        yield _side_return(known.side)


def _side_return(side: SideReturn) -> str:
    return (
        f"Theoretical return of {_TITLES[side.name]}: {side.percent:.2f} % of its"
        " stakes (exact: all first cards of a full shoe counted)."
    )
