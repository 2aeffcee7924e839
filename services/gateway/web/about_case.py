"""A look for a case must be about what the case is about (V11).

Else the access log would tell a reason for looking that there never was.
"""

from typing import NamedTuple

from litestar.concurrency import sync_to_thread

from contracts.desk import DeskReason
from contracts.identities import is_case_id
from services.gateway.cases import CaseTold, case_of, players_of
from services.gateway.door import Door
from services.gateway.problems import DoorReason, Refused


class About(NamedTuple):
    """Which round and which player a request is about, where it is about one."""

    round_id: str = ""
    player: str = ""


_WRONG = "the case is about something else"
"""The same whatever it is about: who guesses learns nothing from it."""


async def why_not(door: Door, case: str, about: About) -> Refused | None:
    """Return why a case is no reason: it is none, or is about something else."""
    if not is_case_id(case):
        return Refused(DoorReason.MALFORMED, "case")
    found = case_of(await sync_to_thread(door.index.cases.records, case))
    if found is None:
        return Refused(DeskReason.UNKNOWN_CASE, case)
    is_other = about.round_id not in ("", found.round_id)
    if not is_other and about.player:
        is_other = about.player not in await _players_of(door, found)
    return Refused(DoorReason.WRONG_CASE, _WRONG) if is_other else None


async def _players_of(door: Door, case: CaseTold) -> set[str]:
    """Return whom a case is about: nobody named is everybody who bet in its round."""
    if case.player:
        return {case.player}
    return players_of(await sync_to_thread(door.index.records, case.round_id))
