"""The sampler of the command: the compiled kernel with the best-play table.

The kernel is imported when it is called for: counting and reports do without numba.
"""

from blackjack.house_rules import RuleSet
from blackjack.strategy_game import game_of
from blackjack.strategy_table import StrategyTable, parse, strategy_for
from push22.certify.reference_games import REFERENCE_GAMES
from push22.certify.sample import Sampled
from push22.solver.table_text import table_text

BATCHES = 100


class KernelMissing(ImportError):
    """numba, which compiles the kernel, is not installed; the text says how to."""


def sample_by_kernel(rules: RuleSet, rounds: int, seed: int) -> Sampled:
    try:
        from push22.kernel import compile_game, simulate  # noqa: PLC0415 - see above
    except ModuleNotFoundError as error:
        if error.name not in ("numba", "numpy"):
            raise
        reason = "simulating needs numba: pip install 'push22[certify]'"
        raise KernelMissing(reason) from error
    strategy = best_play(rules)
    game = compile_game(rules, strategy)
    batches = min(BATCHES, rounds)
    sample = simulate(game, rounds=rounds, seed=seed, batches=batches)
    return Sampled(sample, strategy)


def best_play(rules: RuleSet) -> StrategyTable:
    """Return the table of a rule set; that of a reference game is solved here."""
    if rules.id in REFERENCE_GAMES:
        return parse(table_text(game_of(rules)))
    return strategy_for(rules)
