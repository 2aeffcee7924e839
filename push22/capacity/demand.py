"""What is asked of a casino: so many players, so fast, kept for so long."""

import msgspec

from push22.capacity.costs import Malformed

SECONDS_A_DAY = 86_400


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """`players`: at the busiest hour. `day_share`: the mean of a day beside that hour.

    `seats`: players at a table, each of whom sees all that happens there. `peak`: the
    busiest seconds beside the busiest hour. `utilisation`: how busy a core may be.
    """

    players: int
    rounds_per_minute: float
    seats: float
    peak: float
    day_share: float
    utilisation: float
    replication: int

    @property
    def tables(self) -> int:
        return -int(-self.players // self.seats)

    @property
    def rounds_per_s(self) -> float:
        """Return the players' rounds, a round of one box each, in the busiest seconds.

        What players of one table share is not taken off: this is the upper end.
        """
        return self.players * self.rounds_per_minute / 60 * self.peak

    @property
    def rounds_per_day(self) -> float:
        mean_players = self.players * self.day_share
        return mean_players * self.rounds_per_minute / 60 * SECONDS_A_DAY


_RANGES: dict[str, tuple[float, float]] = {
    "players": (1, 100_000_000),
    "rounds_per_minute": (0.01, 600),
    "seats": (1, 7),
    "peak": (1, 20),
    "day_share": (0.01, 1),
    "utilisation": (0.05, 0.95),
    "replication": (1, 9),
}


def wrong(demand: Demand) -> Malformed | None:
    """Return the first figure that is out of its range, by the option's name."""
    for name, (least, most) in _RANGES.items():
        value = getattr(demand, name)
        if not least <= value <= most:
            option = f"--{name.replace('_', '-')}"
            return Malformed(option, f"must be {least:g} to {most:g}")
    return None
