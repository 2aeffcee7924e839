"""A shoe in which a script's cards come first; the rest follows in any order.

The script names cards from the first dealt one on, so what is burned lies before
them, and the cut of a shoe without seeds is the middle.
"""

from blackjack.cards import CODES
from blackjack.script import RoundScript
from runtime.ambient import Ambient, KeyRing, ManualClock, encode_order


class StackedEntropy:
    """Gives one order, and secrets that are none: for scripts only."""

    is_demonstration = True

    def __init__(self, order: list[int]) -> None:
        self._order = order

    def random(self, size: int) -> bytes:
        return bytes(size)

    def shuffle(self, size: int) -> bytes:
        assert size == len(self._order), "the script's decks are the rule set's"
        return encode_order(self._order)


def stacked_order(script: RoundScript) -> list[int]:
    """Return the order that deals the script's cards after burn and cut."""
    size = 52 * script.rules.decks
    left = {code: list(range(code, size, 52)) for code in range(52)}
    wanted = [left[CODES[card]].pop(0) for card in script.cards]
    rest = sorted(index for indices in left.values() for index in indices)
    burned = [rest.pop() for _ in range(script.rules.burn_per_shuffle)]
    sequence = burned + wanted + rest
    cut = size // 2
    return [sequence[(index - cut) % size] for index in range(size)]


def stacked_ambient(script: RoundScript) -> tuple[Ambient, ManualClock]:
    clock = ManualClock()
    entropy = StackedEntropy(stacked_order(script))
    return Ambient(clock, entropy, KeyRing.in_memory()), clock
