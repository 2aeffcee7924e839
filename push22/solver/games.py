"""Every game that the house offers: rule sets and the options that matter to play."""

from itertools import product

from blackjack.house_options import OPTIONS
from blackjack.house_rules import RuleSet
from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.strategy_game import Game, game_of

_OPTIONS: dict[str, tuple[object, ...]] = {
    "decks": (6, 8),
    "delivery": ("hole", "determinate_first"),
    "hole_card": ("dealt", "late"),
    "soft17": ("hit", "stand"),
}
"""All other options leave best play as it is."""


def houses(name: str) -> list[RuleSet]:
    """Return a rule set under each choice of the options that matter."""
    names = [option for option in _OPTIONS if option in OPTIONS[name]]
    choices = product(*(_OPTIONS[option] for option in names))
    return [rule_set(name, dict(zip(names, chosen, strict=True))) for chosen in choices]


def games_of(names: list[str]) -> dict[str, Game]:
    """Return the different games of these rule sets by their files' names."""
    games = [game_of(rules) for name in names for rules in houses(name)]
    return {game.name: game for game in games}


def all_games() -> dict[str, Game]:
    return games_of(list(RULE_SETS))
