"""How hard the chaos is: rounds and tables of a case, and the seed of its moments."""

import os
import random
import secrets
from dataclasses import dataclass

ROUNDS_FULL = 200
TABLES_FULL = 48


@dataclass(frozen=True, slots=True)
class Settings:
    """A case goes on until so many rounds were closed, at so many tables at once."""

    rounds: int
    tables: int
    seed: str

    def rng(self, case: str) -> random.Random:
        """Return the case's own randomness, which no other case moves on."""
        return random.Random(f"{self.seed}/{case}")


def from_environment() -> Settings:
    """Read PUSH22_CHAOS_ROUNDS, _TABLES and _SEED; without a seed one is drawn."""
    return Settings(
        int(os.environ.get("PUSH22_CHAOS_ROUNDS") or ROUNDS_FULL),
        int(os.environ.get("PUSH22_CHAOS_TABLES") or TABLES_FULL),
        os.environ.get("PUSH22_CHAOS_SEED") or secrets.token_hex(4),
    )
