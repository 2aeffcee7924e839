"""Asking the desk for somebody: what it cannot know itself is looked up here (H7)."""

import hashlib
from typing import Any

import msgspec
from litestar.concurrency import sync_to_thread

from contracts import desk as d
from contracts.desk import VoidOrderReason
from contracts.envelope import Actor
from contracts.identities import case_id, round_of_case
from contracts.round_events import RoundOpened
from runtime.bus_memory import Delivery
from services.gateway.cases import (
    CaseTold,
    case_of,
    is_over,
    players_of,
    staked_minor,
)
from services.gateway.door import Door
from services.gateway.problems import DoorReason, Refused
from services.gateway.proposals import Key, Proposal, proposal_in
from services.gateway.roles import Person
from services.gateway.web import case_bodies as b
from services.gateway.web.alone import alone_today

_VOID = "-void"
"""The step of a request that proposes a void."""


class Asking(msgspec.Struct, frozen=True):
    """Who asks for something about a case, and under which key."""

    door: Door
    person: Person
    key: str

    async def send(self, kind: type[Any], step: str = "", **facts: Any) -> None:
        """Send a command; the steps of one request have names of their own."""
        command = kind(role=d.Role(self.person.role), **facts)
        name = f"{self.key}{step}" if self.key else ""
        await self.door.send(command, Actor("support", self.person.name), name)

    async def case(self, case: str) -> CaseTold:
        """Return a case as it stands. Raises Refused where there is none."""
        records = await sync_to_thread(self.door.index.cases.records, case)
        found = case_of(records)
        if found is None:
            raise Refused(DoorReason.NOT_FOUND, case)
        return found

    async def round(self, round_id: str) -> tuple[list[Delivery], str]:
        """Return a round's records and its currency. Raises Refused."""
        records = await sync_to_thread(self.door.index.records, round_id)
        for delivery in records:
            if isinstance(delivery.event, RoundOpened):
                return records, delivery.event.terms.currency
        raise Refused(DoorReason.NOT_FOUND, round_id)

    def name_of(self, round_id: str) -> str:
        """Return a case's name; a repeat under the same key is about the same one."""
        text = f"{self.person.name}\0{self.key or self.door.casino.new_id()}"
        name = hashlib.sha256(text.encode()).hexdigest()[:12]
        return case_id(round_id, name)

    async def open(self, round_id: str, subject: str, player: str = "") -> str:
        """Open a case about a round."""
        return await self._opened(self.name_of(round_id), round_id, subject, player)

    async def void(self, round_id: str, reason: str) -> str:
        """Open a case and propose a void in it; none is opened for a round that ended.

        Raises Refused.
        """
        case = self.name_of(round_id)
        if await self._proposed(case, _VOID) is None:
            await self._in_play(round_id)
        await self._opened(case, round_id, reason)
        await self.propose_void(case, reason)
        return case

    async def _opened(
        self, case: str, round_id: str, subject: str, player: str = ""
    ) -> str:
        await self.round(round_id)
        opened = {"round_id": round_id, "subject": subject, "player": player}
        await self.send(d.OpenCase, "-open", case=case, **opened)
        return case

    async def propose_void(self, case: str, reason: str) -> None:
        """Propose to void a case's round; a repeat is that, whatever is staked now.

        The desk cannot know how the round stands (H7): it is looked up here. The table
        refuses what has ended meanwhile. Raises Refused.
        """
        before = await self._proposed(case, _VOID)
        known = _looked_up(before, *_OF_VOID) or await self._known_of_void(case)
        await self.send(d.ProposeVoid, _VOID, case=case, reason=reason, **known)

    async def _known_of_void(self, case: str) -> dict[str, Any]:
        records, currency = await self._in_play(round_of_case(case))
        return {
            "currency": currency,
            "staked_minor": staked_minor(records),
            "threshold_minor": self.door.threshold_minor(currency),
            "alone": await alone_today(self.door, players_of(records), currency),
            "needs_sum": True,
        }

    async def propose_correction(self, case: str, asked: b.CorrectionAsked) -> None:
        """Propose a correction of who was in the case's round, in its currency.

        The desk knows neither (H7): it is looked up here. Raises Refused.
        """
        await self.case(case)
        records, currency = await self.round(round_of_case(case))
        if asked.player not in players_of(records):
            raise Refused(DoorReason.NOT_IN_ROUND, asked.player)
        if asked.currency != currency:
            text = f"{asked.currency}, the round is in {currency}"
            raise Refused(DoorReason.WRONG_CURRENCY, text)
        before = await self._proposed(case)
        known = _looked_up(before, *_ALWAYS) or {
            "threshold_minor": self.door.threshold_minor(currency),
            "alone": await alone_today(self.door, [asked.player], currency),
            "needs_sum": True,
        }
        asked_for = msgspec.structs.asdict(asked)
        await self.send(d.ProposeCorrection, case=case, **known, **asked_for)

    async def _in_play(self, round_id: str) -> tuple[list[Delivery], str]:
        """Return a round's records and currency while it can be voided."""
        records, currency = await self.round(round_id)
        if is_over(records):
            text = f"{round_id} is settled or void: only corrections exist now"
            raise Refused(VoidOrderReason.ROUND_OVER, text)
        return records, currency

    async def _proposed(self, case: str, step: str = "") -> Proposal | None:
        """Return what this very request has proposed before: a repeat is the same."""
        if not self.key:
            return None
        key = Key(self.person.name, f"{self.key}{step}")
        if known := self.door.proposals.find(key):
            return known
        records = await sync_to_thread(self.door.index.cases.records, case)
        found = dict(filter(None, map(proposal_in, records)))
        return found.get(key)


_ALWAYS = ("threshold_minor", "alone", "needs_sum")
_OF_VOID = ("currency", "staked_minor", *_ALWAYS)
"""What a proposal carries that nobody asked for: it was looked up."""


def _looked_up(before: Proposal | None, *names: str) -> dict[str, Any]:
    return {name: getattr(before, name, None) for name in names if before is not None}
