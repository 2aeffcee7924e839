"""A round through everybody's eyes at once, record by record.

Players' views are folded by the code that serves players; the decider's own stands
beside them, so that a difference between the two would be seen.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from contracts import round_events as e
from push22.desk.sight import Sight
from runtime.bus_memory import Delivery
from services.archive import rebuild
from services.archive.rebuild import Step
from services.gateway.project import Showing
from services.gateway.sight import EVERYBODY
from services.gateway.story import folded
from services.gateway.views import RoundView

RECORD = "*"
"""The perspective that sees records as they are."""

Changes = dict[str, Any]


class Eyes:
    """Is shown each step in turn, and says what changed before whose eyes."""

    def __init__(
        self, sight: Sight, steps: tuple[Step, ...], deliveries: Mapping[str, Delivery]
    ) -> None:
        self._sight = sight
        told = [deliveries[step.record.id] for step in steps]
        everybody = _views(told, EVERYBODY)
        self.seats = everybody[1].bets.seats if everybody[1] else {}
        self._views = {EVERYBODY: everybody[0]}
        if sight.is_whole and sight.is_face_down:
            for player, seat in self.seats.items():
                self._views[seat] = _views(told, player)[0]
            self._views[RECORD] = _views(told, None)[0]
        self._seen: dict[str, RoundView] = {}
        self._decided: rebuild.RoundView | None = None

    @property
    def perspectives(self) -> tuple[str, ...]:
        return tuple(self._views)

    @property
    def view(self) -> RoundView | None:
        """Return the round as it stands, with all that may be shown."""
        return self._seen.get(RECORD) or self._seen.get(EVERYBODY)

    def see(self, step: Step) -> tuple[dict[str, Changes], Changes]:
        """Return what a step changed in each perspective, and for the decider."""
        shown: dict[str, Changes] = {}
        for name, views in self._views.items():
            view = views.get(step.record.id)
            if view is None:
                continue
            if changes := changed(self._seen.get(name), view):
                shown[name] = changes
            self._seen[name] = view
        return shown, {} if step.foreign else self._decide(step)

    def _decide(self, step: Step) -> Changes:
        if self._sight.is_face_down and not self._sight.is_whole:
            return {}  # The decider knows the cards that lie face down.
        view = self._as_decided(step)
        changes = changed(self._decided, view)
        self._decided = view
        return changes

    def _as_decided(self, step: Step) -> rebuild.RoundView:
        if isinstance(step.event, e.RoundClosed) and self._decided is not None:
            return msgspec.structs.replace(
                self._decided,
                sequence=step.sequence,
                phase=step.event.status,
                offers=(),
                due_at=0,
                pending=(),
                nets_minor=step.event.nets_minor,
            )
        return rebuild.view_of(step.state, step.sequence, {})


def _views(
    told: list[Delivery], viewer: str | None
) -> tuple[dict[str, RoundView], Showing | None]:
    """Return the view after each record that is told, and the last showing."""
    views: dict[str, RoundView] = {}
    last: Showing | None = None
    for delivery, showing in folded(told, viewer):
        if showing is not None:
            views[delivery.envelope.id] = showing.view
            last = showing
    return views, last


def changed(before: msgspec.Struct | None, after: msgspec.Struct) -> Changes:
    """Return the members of a view that are not what they were; all, at first."""
    was = {} if before is None else msgspec.structs.asdict(before)
    now = msgspec.structs.asdict(after)
    return {name: value for name, value in now.items() if was.get(name, ...) != value}
