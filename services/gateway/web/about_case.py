"""A look for a case must be about what the case is about (V11).

Else the access log would tell a reason for looking that there never was.
"""

from typing import NamedTuple

from litestar.concurrency import sync_to_thread

from contracts.desk import DeskReason
from contracts.identities import is_case_id
from services.gateway.cases import CaseTold, case_of, players_of
from services.gateway.door import Door
from services.gateway.in_words import NO_CASE
from services.gateway.problems import DoorReason, Refused
from services.gateway.roles import RANK, Person
from services.gateway.web.known_case import records_of


class About(NamedTuple):
    """Which rounds and which players a request names."""

    rounds: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()


_WRONG = "the case is about something else"
"""The same whatever it is about: who guesses learns nothing from it."""


async def why_not(
    door: Door, person: Person, case: str, about: About
) -> Refused | None:
    """Return why a case is no reason: it is none, or is about something else.

    Closed, it is none to ask for somebody by name: whoever is shown stand-ins could try
    out whom it was about.
    """
    if not is_case_id(case):
        return Refused(DoorReason.MALFORMED, NO_CASE)
    found = case_of(await records_of(door, case))
    if found is None:
        return Refused(DeskReason.UNKNOWN_CASE, case)
    is_other = not about.rounds <= {found.round_id}
    if not is_other and about.players:
        sees_names = RANK[person.role] > RANK["viewer"] or found.status == "open"
        is_other = not sees_names or not about.players <= await _players_of(door, found)
    return Refused(DoorReason.WRONG_CASE, _WRONG) if is_other else None


async def _players_of(door: Door, case: CaseTold) -> set[str]:
    """Return whom a case is about: nobody named is everybody who bet in its round."""
    if case.player:
        return {case.player}
    return players_of(await sync_to_thread(door.index.records, case.round_id))
