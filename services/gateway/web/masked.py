"""Who of support sees players' names: a viewer does where an open case asks for it."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from litestar.concurrency import sync_to_thread
from msgspec.structs import replace

from services.gateway.cases import CaseRow, CaseTold, case_of
from services.gateway.desk.replay import Replay
from services.gateway.door import Door
from services.gateway.masking import Masks, players_of
from services.gateway.ports import CallRow
from services.gateway.roles import RANK
from services.gateway.web import bodies as b
from services.gateway.web.guards import Look
from services.gateway.web.known_case import records_of

T = TypeVar("T", bound=msgspec.Struct)


class Shown(msgspec.Struct, frozen=True):
    """Whose names are shown: everybody's, or those of one round, if any."""

    is_all: bool = False
    round_id: str = ""

    def of(self, round_id: str) -> bool:
        return self.is_all or (bool(round_id) and round_id == self.round_id)


async def shown_to(door: Door, look: Look) -> Shown:
    """Judge a look: by the role, else by the case that it was recorded for."""
    if RANK[look.person.role] > RANK["viewer"]:
        return Shown(is_all=True)
    if not look.case:
        return Shown()
    found = case_of(await records_of(door, look.case))
    is_open = found is not None and found.status == "open"
    return Shown(round_id=found.round_id if found is not None and is_open else "")


async def masked(door: Door, look: Look, round_id: str, found: T) -> T:
    """Return an answer about a round as the asker may see it."""
    if (await shown_to(door, look)).of(round_id):
        return found
    return (await _masks(door, round_id)).of(found)


async def masked_replay(door: Door, look: Look, found: Replay) -> Replay:
    round_id = found.header.round_id
    if (await shown_to(door, look)).of(round_id):
        return found
    masks = await _masks(door, round_id)
    return replace(masks.of(found), script=masks.script(found.script))


async def masked_case(door: Door, look: Look, found: CaseTold) -> CaseTold:
    if (await shown_to(door, look)).of(found.round_id):
        return found
    more = {found.player, *(item.player for item in found.proposals)}
    masks = await _masks(door, found.round_id, more, words=True)
    return replace(masks.of(found), case=found.case, round_id=found.round_id)


async def _masks(
    door: Door, round_id: str, more: Iterable[str] = (), *, words: bool = False
) -> Masks:
    records = await sync_to_thread(door.index.records, round_id)
    names = {*players_of(records), *more}
    return Masks(door.tokens.pseudonym, round_id, names, words=words)


async def masked_rounds(door: Door, look: Look, found: b.Rounds) -> b.Rounds:
    shown = await shown_to(door, look)
    rows = [row if shown.of(row.round_id) else _line(door, row) for row in found.rounds]
    return replace(found, rounds=rows)


def _line(door: Door, row: b.RoundLine) -> b.RoundLine:
    names = [seat.player for seat in row.seats]
    masks = Masks(door.tokens.pseudonym, row.round_id, names)
    seats = [replace(seat, player=masks.text(seat.player)) for seat in row.seats]
    return replace(row, seats=seats)


async def masked_rows(door: Door, look: Look, rows: list[CaseRow]) -> list[CaseRow]:
    """Hide whom cases are about, in the words of their subjects as well."""
    shown = await shown_to(door, look)
    return [row if shown.of(row.round_id) else _row(door, row) for row in rows]


def _row(door: Door, row: CaseRow) -> CaseRow:
    masks = Masks(door.tokens.pseudonym, row.round_id, [row.player], words=True)
    player, subject = masks.text(row.player), masks.text(row.subject)
    return replace(row, player=player, subject=subject)


async def masked_calls(door: Door, look: Look, calls: list[CallRow]) -> list[CallRow]:
    shown = await shown_to(door, look)
    return [
        call
        if shown.of(call.round_id)
        else Masks(door.tokens.pseudonym, call.round_id, [call.player]).of(call)
        for call in calls
    ]
