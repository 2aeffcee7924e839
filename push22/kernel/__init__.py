"""The game compiled: millions of rounds a second, by the rule book's very rules.

numba and numpy are imported in this package only (the extra `certify`). That the kernel
plays what the rule book plays is tested shoe by shoe.
"""

from push22.kernel.compiling import WAGER_MINOR, compile_game
from push22.kernel.game import Game
from push22.kernel.given_shoes import Outcomes, outcomes, play_shoe, play_shoes
from push22.kernel.simulate import Batch, Sample, simulate

__all__ = [
    "WAGER_MINOR",
    "Batch",
    "Game",
    "Outcomes",
    "Sample",
    "compile_game",
    "outcomes",
    "play_shoe",
    "play_shoes",
    "simulate",
]
