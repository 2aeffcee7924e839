"""How long to wait before asking again: longer each time, and never in step."""

import msgspec

PASSING = frozenset({429, 502, 503, 504})
"""Statuses that another attempt may cure: 502 comes from proxies."""


class Retries(msgspec.Struct, frozen=True):
    """How often to ask, and the first and longest wait, in seconds.

    `patience_s`: no attempt begins later than so long after the first one.
    """

    attempts: int = 6
    first_s: float = 0.2
    most_s: float = 5.0
    patience_s: float = 60.0

    def wait_s(self, tried: int, chance: float, asked_s: float = 0.0) -> float:
        """Return the wait after so many attempts; `chance` is 0 to 1.

        `asked_s` is the door's own wish, which counts where it is longer.
        """
        doubled = self.first_s * 2.0 ** min(tried - 1, 30)
        own = min(self.most_s, doubled)
        return max(asked_s, own * (0.5 + chance / 2))


USUAL = Retries()
