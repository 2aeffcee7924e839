"""What goes wrong on purpose between us and the mock operator, from a seed."""

import random

import msgspec

from contracts.operator_wallet import Status

RANDOM_REFUSALS = (
    Status.LIMIT_REACHED,
    Status.REALITY_CHECK,
    Status.SELF_EXCLUDED,
    Status.INSUFFICIENT_FUNDS,
)


class Rates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often each fault comes, in a thousand requests; at most one for each.

    `lost`: no effect and no answer. `unheard`: an effect and no answer. `overtaken`:
    the effect comes after we gave up waiting. `late`: the answer does, nearly.
    """

    lost: int = 0
    unheard: int = 0
    overtaken: int = 0
    late: int = 0
    error_before: int = 0
    error_after: int = 0
    twice: int = 0
    malformed: int = 0
    unsigned: int = 0
    other_currency: int = 0
    other_transaction: int = 0
    refused: int = 0

    @classmethod
    def all(cls, per_thousand: int) -> "Rates":
        """Let every fault come so often."""
        return cls(**dict.fromkeys(cls.__struct_fields__, per_thousand))


class Faults:
    """Draws the fault of each request."""

    def __init__(self, seed: int, rates: Rates) -> None:
        self._random = random.Random(seed)  # noqa: S311 - faults on purpose
        self.rates = rates
        self.hang_ms = 3000
        self.skew_ms = 0

    def draw(self) -> str:
        """Name this request's fault; empty for none."""
        place = self._random.randrange(1000)
        for name in Rates.__struct_fields__:
            place -= getattr(self.rates, name)
            if place < 0:
                return name
        return ""

    def refusal(self) -> str:
        return str(self._random.choice(RANDOM_REFUSALS))
