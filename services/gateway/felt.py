"""One table as the door knows it: its newest round's events, a feed for each viewer.

Records of different logs may come in any order; a settlement waits here until the
table's event that it answers has come.
"""

from typing import Any, NamedTuple

from msgspec.structs import astuple, replace

from contracts import round_events as e
from contracts import settlement as st
from contracts import table_events as te
from contracts.envelope import Micros
from services.gateway.feeds import Feed, changes_of
from services.gateway.project import Showing, opened, project, versioned
from services.gateway.sight import EVERYBODY, cut, lies_face_down
from services.gateway.views import (
    Happened,
    LimitsView,
    RoundView,
    ShoeView,
    TableView,
    TimingsView,
)

Settled = st.WagersSettled | st.RoundVoidSettled


class Heard(NamedTuple):
    """An event and what its envelope says; `version` is 0 for another log's."""

    event: Any
    type: str
    at: Micros
    by: str
    version: int


class Seen:
    """A round through one viewer's eyes."""

    def __init__(self, viewer: str, feed: Feed) -> None:
        self.viewer = viewer
        self.feed = feed
        self.showing: Showing | None = None

    @property
    def view(self) -> RoundView | None:
        return None if self.showing is None else self.showing.view

    def open(self, heard: Heard) -> None:
        self.showing = versioned(opened(heard.event), heard.version)

    def hear(self, heard: Heard) -> dict[str, Any]:
        """Take in an event of the round; return what it changes."""
        assert self.showing is not None
        before = self.showing
        event = cut(heard.event, before.terms, self.viewer)
        self.showing = versioned(project(before, event), heard.version)
        return changes_of(before.view, self.showing.view)


class Felt:
    """A table. `owner` is the operator that opened it, or the house."""

    def __init__(self, event: te.TableOpened, owner: str, prefix: str) -> None:
        self.owner = owner
        self._prefix = prefix
        self._table = TableView(
            event.table,
            "open",
            event.rule_set,
            event.currency,
            event.options,
            LimitsView(*astuple(event.limits)),
            TimingsView(*astuple(event.timings)),
        )
        self.name = event.table
        self._is_face_down = lies_face_down(event.rule_set, event.options)
        self._round: list[Heard] = []
        self._held: dict[int, Heard] = {}
        self._parts = 0
        self.terms: te.RoundTerms | None = None
        self._seen: dict[str, Seen] = {}
        self._feeds = 0
        self.everybody = self._eyes(EVERYBODY)

    @property
    def is_open(self) -> bool:
        return self._table.status == "open"

    @property
    def currency(self) -> str:
        return self._table.currency

    def seats(self) -> dict[str, str]:
        """Return which seat of the newest round is whose."""
        showing = self.everybody.showing
        return {} if showing is None else showing.bets.seats

    def seen_by(self, player: str) -> Seen:
        """Return the table through a player's eyes, folded from the round's events.

        Where all cards lie open the players share one feed.
        """
        viewer = player if self._is_face_down else EVERYBODY
        return self._seen.get(viewer) or self._eyes(viewer)

    def view(self, seen: Seen) -> TableView:
        return replace(self._table, round=seen.view)

    def _eyes(self, viewer: str) -> Seen:
        self._feeds += 1
        name = f"{self._prefix}.{self.name}.{self._feeds}"
        seen = self._seen[viewer] = Seen(viewer, Feed(self.name, name))
        for number, heard in enumerate(self._round):
            if number:
                seen.hear(heard)
            else:
                seen.open(heard)
        return seen

    def hear_table(self, heard: Heard) -> None:
        """Take in an event of the table's own stream."""
        match heard.event:
            case te.TableClosed():
                self._change(heard, status="closed")
            case te.LimitsChanged():
                self._change(heard, limits=LimitsView(*astuple(heard.event.after)))
            case te.ShoeInstalled():
                shoe = ShoeView(heard.event.shoe, heard.event.root)
                self._change(heard, shoe=shoe)

    def _change(self, heard: Heard, **members: Any) -> None:
        self._table = replace(self._table, **members)
        for seen in self._seen.values():
            seen.feed.tell(_happened(heard, {}), {"table": members})

    def open_round(self, heard: Heard) -> None:
        terms = heard.event.terms
        self.terms = terms
        self._round = [heard]
        self._held.clear()
        self._parts = 0
        shoe = self._table.shoe
        if shoe is None or shoe.id != terms.shoe:
            shoe = ShoeView(terms.shoe, terms.shoe_root)
        # What the round is played for, even if the table's records were not all read.
        limits = LimitsView(*astuple(terms.limits))
        self._table = replace(self._table, shoe=shoe, limits=limits)
        self._forget_viewers()
        for seen in self._seen.values():
            seen.open(heard)
            members = {"round": seen.view, "shoe": shoe, "limits": limits}
            seen.feed.tell(_happened(heard, {}), {"table": members})

    def _forget_viewers(self) -> None:
        """Between rounds nobody's own eyes are kept who does not look."""
        self._seen = {
            viewer: seen
            for viewer, seen in self._seen.items()
            if not viewer or seen.feed.listeners
        }

    def hear_round(self, heard: Heard) -> None:
        """Take in an event of the newest round; older ones are over."""
        if self.terms is None or heard.event.round_id != self._round_id:
            return
        if isinstance(heard.event, Settled):
            self._hear_settled(heard)
            return
        self._show(heard)
        if isinstance(heard.event, e.SettlementDue | e.RoundVoided):
            self._parts = heard.event.part
            for part in sorted(self._held):
                self._show(self._held.pop(part))

    def hear_refusal(self, round_id: str, heard: Heard) -> None:
        """Move the version on; what was refused, and whose it was, is told nobody."""
        if self.terms is not None and round_id == self._round_id:
            self._show(heard._replace(event=None, by=""))

    @property
    def _round_id(self) -> str:
        return str(self._round[0].event.round_id)

    def _hear_settled(self, heard: Heard) -> None:
        if heard.event.part > self._parts:
            self._held[heard.event.part] = heard
        else:
            self._show(heard)

    def _show(self, heard: Heard) -> None:
        self._round.append(heard)
        shoe = self._count_out(heard.event)
        for seen in self._seen.values():
            changes = seen.hear(heard)
            if shoe is not None:
                changes["table"] = {"shoe": shoe}
            seen.feed.tell(_happened(heard, self.seats()), changes)

    def _count_out(self, event: Any) -> ShoeView | None:
        if not isinstance(event, e.CardsReceived) or self._table.shoe is None:
            return None
        shoe = replace(self._table.shoe, cards_out=event.cards_out)
        self._table = replace(self._table, shoe=shoe)
        return shoe


def _happened(heard: Heard, seats: dict[str, str]) -> Happened:
    """Name what happened; never why somebody's bet or stake was refused."""
    event = heard.event
    target = str(getattr(event, "target", getattr(event, "box", "")))
    seat = seats.get(getattr(event, "player", ""), "")
    what = heard.type.split(".")[1]
    return Happened(what, heard.at, heard.by, target, seat)
