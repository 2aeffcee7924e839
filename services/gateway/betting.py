"""The bets of a round as boxes to show, and which seat is whose.

Seats are named `p1`, `p2`, … in the order of each player's first bet.
"""

import msgspec
from msgspec.structs import replace

from contracts import round_events as e
from services.gateway.views import BoxView


class Bets(msgspec.Struct, frozen=True):
    """What was bet: accepted by box, pending by reservation, in the order placed."""

    seats: dict[str, str] = {}
    accepted: dict[int, e.WagersPlaced] = {}
    pending: dict[str, e.WagersPlaced] = {}
    ready: tuple[str, ...] = ()


def placed(bets: Bets, event: e.WagersPlaced) -> Bets:
    """A new bet is pending; its player has to say again that he is ready."""
    seats = bets.seats
    if event.player not in seats:
        seats = {**seats, event.player: f"p{len(seats) + 1}"}
    return replace(
        bets,
        seats=seats,
        pending={**bets.pending, event.reservation: event},
        ready=tuple(name for name in bets.ready if name != event.player),
    )


def accepted(bets: Bets, reservation: str) -> Bets:
    bet = bets.pending[reservation]
    return replace(
        bets,
        accepted={**bets.accepted, bet.box: bet},
        pending=_without(bets.pending, reservation),
    )


def dropped(bets: Bets, reservation: str) -> Bets:
    standing = {
        box: bet for box, bet in bets.accepted.items() if bet.reservation != reservation
    }
    return replace(bets, accepted=standing, pending=_without(bets.pending, reservation))


def _without(
    pending: dict[str, e.WagersPlaced], reservation: str
) -> dict[str, e.WagersPlaced]:
    return {name: bet for name, bet in pending.items() if name != reservation}


def ready(bets: Bets, player: str) -> Bets:
    return replace(bets, ready=(*bets.ready, player))


def boxes_of(bets: Bets) -> tuple[BoxView, ...]:
    """Return each box with a bet, the accepted one first, from the dealer's left."""
    waiting = {bet.box: bet for bet in bets.pending.values()}
    shown = {**waiting, **bets.accepted}
    return tuple(
        BoxView(
            box=box,
            seat=bets.seats[bet.player],
            pending=box in waiting,
            ready=bet.player in bets.ready,
            wagers_minor=bet.wagers_minor,
            side_wagers_minor=bet.side_wagers_minor,
        )
        for box, bet in sorted(shown.items())
    )
