"""What the door asks of whoever makes evidence packs."""

from typing import Protocol

import msgspec


class PackAsked(msgspec.Struct, frozen=True, kw_only=True):
    """Which round's pack is wanted, by whom and for which case.

    `player`: make it for this player, so that others are not named.
    """

    round_id: str
    by: str
    case: str = ""
    note: str = ""
    player: str = ""


class PackMaker(Protocol):
    """Makes packs of rounds that have ended; every call blocks."""

    def make(self, asked: PackAsked) -> bytes:
        """Return a zip. Raises Refused, or NotAvailable."""
        ...
