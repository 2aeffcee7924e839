"""How many rounds a second the rule book alone plays, on one core.

Beside it stands the floor: shuffling and slicing the same cards without any rules.
"""

import random
import sys
import time
from collections.abc import Callable

from blackjack import machine
from blackjack.bets import Bet
from blackjack.cards import FULL_DECK
from blackjack.machine import Round
from blackjack.rule_sets import RuleSet, rule_set
from blackjack.settlement import settle

_CARDS_MAX = 40


def play_round(
    rules: RuleSet,
    bets: tuple[Bet, ...],
    cards: list[str],
    choose: Callable[[Round], tuple[str, str, int | None]],
) -> int:
    """Play one round from the top of `cards`; return the net, minor units."""
    place = 0
    hole = ""
    net = 0
    game = machine.open_round(rules, bets)
    while True:
        if game.dues:
            for due in game.dues:
                line = settle(rules, due)
                net += line.payout_minor - line.stake_minor
            game = machine.take_dues(game)
        # The round's own fields say what `machine.need` says, without a value for it.
        stage = game.stage
        if game.wanted:
            count = len(game.wanted)
            drawn = cards[place : place + count]
            place += count
            if stage == "deal":
                hole = drawn[-1]
                drawn[-1] = None  # type: ignore[call-overload]
            game = machine.deal(game, tuple(drawn))
        elif stage == "play":
            target, action, amount = choose(game)
            game = machine.apply(game, target, action, amount)
        elif stage == "hole":
            game = machine.turn_hole(game, hole)
        elif stage == "insurance":
            game = machine.close_insurance(game)
        elif stage == "look":
            game = machine.looked(game, machine.is_natural((hole, game.up)))
        else:
            return net


def simple(game: Round) -> tuple[str, str, int | None]:
    """Draw to 17; keep two naturals. Cheap, so that the rules are measured."""
    due = game.due
    if "." not in due:
        return due, "keep", None
    for box in game.boxes:
        for hand in box.hands:
            if hand.label == due:
                return due, "hit" if hand.total < 17 else "stand", None
    raise AssertionError(due)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30000
    rules = rule_set("ny-switch-6d")
    bets = (Bet(1, (1000, 1000)),)
    rng = random.Random(1)
    shoe = list(FULL_DECK) * 6
    rng.shuffle(shoe)
    starts = [rng.randrange(len(shoe) - _CARDS_MAX) for _ in range(rounds)]
    begun = time.perf_counter()
    for start in starts:
        shoe[start : start + _CARDS_MAX]
    floor = time.perf_counter() - begun
    begun = time.perf_counter()
    net = 0
    for start in starts:
        net += play_round(rules, bets, shoe[start : start + _CARDS_MAX], simple)
    took = time.perf_counter() - begun
    print(f"rule book alone   {rounds / took:12,.0f} rounds/s   (goal 30,000)")
    print(f"floor: cards only {rounds / floor:12,.0f} rounds/s")
    print(f"net {net}")


if __name__ == "__main__":
    main()
