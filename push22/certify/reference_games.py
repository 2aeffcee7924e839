"""The games of which others have published an edge, and which are no rule set here.

Each is the nearest rule set with single rules replaced; table G.6 of the rule reference
says which.
"""

from msgspec.structs import replace

from blackjack.house_rules import RuleSet, Switch
from blackjack.rule_sets import rule_set


def _reference(name: str, nearest: str) -> RuleSet:
    return replace(rule_set(nearest), id=name, surrender=False)


def _natural_by_switch(name: str, game: RuleSet) -> RuleSet:
    assert game.switch is not None
    switch: Switch = replace(game.switch, makes_naturals=True)
    return replace(game, id=name, switch=switch)


_SIX_DECKS = _reference("reference-6d", "ny-switch-6d")
_EIGHT_DECKS = _reference("reference-8d", "ny-switch-8d")

REFERENCE_GAMES: dict[str, RuleSet] = {
    game.id: game
    for game in (
        _SIX_DECKS,
        _EIGHT_DECKS,
        _natural_by_switch("reference-6d-natural-by-switch", _SIX_DECKS),
        _natural_by_switch("reference-8d-natural-by-switch", _EIGHT_DECKS),
        replace(_SIX_DECKS, id="reference-6d-soft-17-stand", hits_soft_17=False),
    )
}
"""By name: six decks, soft 17 hit, look at the hole card, naturals 1:1, 22 pushes all
but naturals, a switched ace and ten is 21, double after split, splits to four hands,
aces split once, no surrender; and four that differ as they are named."""
