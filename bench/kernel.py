"""How many rounds a second the compiled kernel plays, on one core, chance included.

Beside it stands the floor: the cards of a round without the round. What was learned is
told in `docs/benchmarks.md`.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.strategy_table import strategy_for
from push22.kernel import compile_game, simulate
from push22.kernel.compiled import compiled
from push22.kernel.draws import (
    BASE,
    PLACE,
    ROUND_CARDS_MAX,
    WORDS,
    Work,
    draw,
    new_work,
    refill,
    seeded_state,
)
from push22.kernel.simulate import DECK

_GOALS = {"lv-6d": "6.0", "ny-switch-6d": "2.0"}
_TRIES = 3
_ROUND_CARDS = 6


@compiled
def draw_only(work: Work, rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        if work.run[BASE] > WORDS - ROUND_CARDS_MAX:
            refill(work)
        work.run[PLACE] = 0
        for _ in range(_ROUND_CARDS):
            total += draw(work)
        work.run[BASE] += _ROUND_CARDS
    return total


def best_of(play: Callable[[], object]) -> float:
    """Return the shortest of some runs; the first only compiles.

    Seconds of the processor, not of the clock: other work may share the core.
    """
    play()
    times = []
    for _ in range(_TRIES):
        begun = time.process_time()
        play()
        times.append(time.process_time() - begun)
    return min(times)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    print(f"{rounds:,} rounds each, best of {_TRIES}; millions of rounds a second")
    for name in RULE_SETS:
        rules = rule_set(name)
        game = compile_game(rules, strategy_for(rules))
        took = best_of(lambda: simulate(game, rounds=rounds, seed=1))  # noqa: B023
        goal = f"   (goal {_GOALS[name]})" if name in _GOALS else ""
        print(f"{name:20}{rounds / took / 1e6:8.2f}{goal}")
    work = new_work(np.tile(DECK, 6), seeded_state(1))
    work.run[BASE] = WORDS
    took = best_of(lambda: draw_only(work, rounds))
    print(f"{'floor: 6 cards':20}{rounds / took / 1e6:8.2f}")
    print("not compared with hhoppe/blackjack: no package index has it")


if __name__ == "__main__":
    main()
