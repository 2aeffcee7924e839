"""The rules that move the edge, in words that need no source code."""

from blackjack.house_rules import RuleSet, Switch


def rules_in_words(rules: RuleSet) -> dict[str, str]:
    """Return what the certified game is, by dimension of table C."""
    won, of = rules.natural_pays
    hands, aces = rules.hands_max, rules.ace_hands_max
    words = {
        "decks": str(rules.decks),
        "starting hands per box": str(rules.hands_per_box),
        "switch": _switch(rules.switch),
        "natural pays": f"{won}:{of}",
        "dealer 22": "pushes all but naturals" if rules.push_22 else "loses",
        "soft 17": "dealer hits" if rules.hits_soft_17 else "dealer stands",
        "dealer natural": _dealer_natural(rules),
        "surrender": _surrender(rules),
        "split": f"to {hands} hands, aces to {aces}, one card on a split ace",
        "double": "any two cards, also after a split",
    }
    if rules.dealer_rounds > 1:
        words["dealer rounds"] = f"{rules.dealer_rounds}, one circle each"
    return words


def _switch(switch: Switch | None) -> str:
    if switch is None:
        return "none"
    counts = "a natural" if switch.makes_naturals else "21, no natural"
    times = "any number of times" if switch.unlimited else "once"
    return f"{times}; a switched ace and ten is {counts}"


def _dealer_natural(rules: RuleSet) -> str:
    if rules.look:
        return "found by a look before anybody plays"
    if rules.natural_takes_added:
        return "found after play, takes all stakes"
    return "found after play, takes original wagers only"


def _surrender(rules: RuleSet) -> str:
    if not rules.surrender:
        return "none"
    if rules.surrender_waits:
        return "half the wager, all of it to a dealer natural"
    return "half the wager"
