"""Rounds as lists and stories: who asks decides whose seats are in them."""

import base64
import binascii
from collections.abc import Callable

from litestar.concurrency import sync_to_thread

from contracts.round_search import Place, Query, RoundRow, SeatRow
from services.gateway.door import Door
from services.gateway.fairness import ShoeRecord, may_be_told, record_of, terms_of
from services.gateway.felt import Felt
from services.gateway.problems import DoorReason, Refused
from services.gateway.story import Story, story_of
from services.gateway.told_rules import told_returns
from services.gateway.web import bodies as b

Known = Callable[[str], str | None]
"""What the asker calls a player; `None` for somebody the asker may not know."""


def line_of(felt: Felt, *, is_own: bool = False) -> b.TableLine:
    view = felt.view(felt.everybody)
    return b.TableLine(
        view.table,
        view.status,
        view.rule_set,
        view.currency,
        view.limits,
        view.round.phase if view.round else "closed",
        len(felt.seats()),
        told_returns(view.rule_set, view.options),
        is_own,
    )


def state_of(felt: Felt, player: str) -> b.TableState:
    seen = felt.seen_by(player)
    return b.TableState(felt.name, seen.feed.name, seen.feed.seq, felt.view(seen))


async def page(door: Door, query: Query, known: Known) -> b.Rounds:
    """Return a page of rounds, and where the next one begins."""
    found = await sync_to_thread(door.index.find, query)
    return b.Rounds(
        [_line(row, known) for row in found.rows],
        cursor_of(found.place) if found.place else "",
        found.place[0] if found.place else 0,
    )


def _line(row: RoundRow, known: Known) -> b.RoundLine:
    seats = [
        SeatRow(name, seat.staked_minor, seat.paid_minor, seat.net_minor)
        for seat in row.seats
        if (name := known(seat.player)) is not None
    ]
    return b.RoundLine(
        row.round_id,
        row.table,
        row.rule_set,
        row.currency,
        row.shoe,
        row.status,
        row.is_interrupted,
        row.opened_at,
        row.closed_at,
        seats,
    )


def cursor_of(place: Place) -> str:
    return cursor_at(*place)


def cursor_at(at: int, name: str) -> str:
    """Name a place in a list that goes by time, and by name where times are equal."""
    text = f"{at} {name}"
    return base64.urlsafe_b64encode(text.encode()).decode()


def place_of(cursor: str) -> Place | None:
    """Return the place that a cursor names. Raises Refused."""
    if not cursor:
        return None
    try:
        text = base64.b64decode(cursor.encode(), altchars=b"-_", validate=True).decode()
        at, _, round_id = text.partition(" ")
        place = int(at), round_id
    except (binascii.Error, ValueError) as error:
        raise Refused(DoorReason.MALFORMED, "no cursor of ours") from error
    if not 0 <= place[0] < 2**62:
        raise Refused(DoorReason.MALFORMED, "no cursor of ours")
    return place


async def story(door: Door, round_id: str, viewer: str) -> Story:
    """Return a round as a viewer may see it. Raises Refused where there is none."""
    records = await sync_to_thread(door.index.records, round_id)
    found = story_of(records, viewer)
    if found is None:
        raise Refused(DoorReason.NOT_FOUND, round_id)
    return found


async def proof(door: Door, round_id: str) -> ShoeRecord:
    """Return a round's cards with their proofs. Raises Refused where none may be."""
    records = await sync_to_thread(door.index.records, round_id)
    terms = terms_of(records)
    if terms is None or not may_be_told(records, terms):
        raise Refused(DoorReason.NOT_FOUND, round_id)
    found = record_of(records, await sync_to_thread(door.index.shoe, terms.shoe))
    if found is None:
        raise Refused(DoorReason.NOT_FOUND, terms.shoe)
    return found


def told(story: Story, known: Known) -> b.RoundTold:
    seats = {
        seat: name
        for seat, player in story.seats.items()
        if (name := known(player)) is not None
    }
    terms = story.terms
    return b.RoundTold(
        terms.rule_set,
        terms.rule_set_digest,
        terms.engine,
        story.view,
        story.happened,
        seats,
    )
