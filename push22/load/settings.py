"""What a load test is told: who arrives how often, what is good enough."""

from typing import Literal

import msgspec

Arrivals = Literal["poisson", "constant"]

START_S = 1.0
"""A tick that cannot begin a round within this time is dropped, and counted as such."""

DRAIN_S = 15.0
"""After the last tick, rounds that still go on may take so long to count as closed."""

PLAYERS = "players (this)"
"""The load's own process, among those whose processor time is sampled."""

HEARER = "gateway, hearing"
"""A gateway that no player uses. It hears all, as every gateway does: so what hearing
costs is told from what players cost."""

HOLDS_SHARE = 0.95
"""A rate is held where at least this share of the rounds that were due was closed."""


class Shares(msgspec.Struct, frozen=True):
    """Of those who could, how many do. The rest of the play is basic strategy.

    `leave`: in the middle of a round the player's connection ends. `stall`: the player
    stays and lets one clock run out.
    """

    switch: float = 0.5
    insure: float = 0.1
    split: float = 0.8
    leave: float = 0.02
    stall: float = 0.02


class Slo(msgspec.Struct, frozen=True):
    """From when an action was due to its event at the player's socket, milliseconds."""

    p50_ms: float = 15.0
    p99_ms: float = 80.0


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`rates` are driven one after another: equal ones are runs of one load.

    `pace_s` lies between a round's actions: quick players, and busy tables.
    """

    players: int = 50
    rates: tuple[float, ...] = (10.0,)
    is_ramp: bool = False
    is_soak: bool = False
    seconds: float = 30.0
    warm_up_s: float = 10.0
    idle_s: float = 0.0
    seed: int = 1
    arrivals: Arrivals = "poisson"
    shares: Shares = Shares()
    pace_s: float = 0.5
    decision_ms: int = 3000
    rule_set: str = "ny-switch-6d"
    slo: Slo = Slo()
    chaos: str = ""
