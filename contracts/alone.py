"""What one person decided alone at the desk, for each whose money it moves.

The index, the audit and the door add it up, and must add up the same.
"""

from typing import NamedTuple

from contracts.desk import ProposalApproved
from contracts.envelope import Micros
from contracts.utc_days import day_of

SKEW_US = 5 * 60 * 1_000_000
"""So far may two clocks be apart, and so long a command be under way."""


class Counted(NamedTuple):
    """What is added up: a player's money in a currency, on a day of UTC."""

    player: str
    currency: str
    day: str


def decided_alone(event: ProposalApproved) -> dict[Counted, int]:
    """Return what an approval adds to each sum, in minor units.

    Nothing if somebody else agreed; an approval from before days were added up names
    no day.
    """
    if not event.is_alone or event.alone is None:
        return {}
    minor = abs(event.amount_minor)
    of = event.currency, event.alone.day
    return {Counted(player, *of): minor for player in event.alone.players}


def is_of_day(day: str, at: Micros) -> bool:
    """Tell whether a day is that of a moment; about midnight, of either."""
    return day in {day_of(near) for near in (at - SKEW_US, at, at + SKEW_US)}
