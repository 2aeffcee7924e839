"""What one person decided alone at the desk, for each whose money it moves.

The index, the audit and the door add it up, and must add up the same.
"""

from typing import NamedTuple

from contracts.desk import ProposalApproved


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
